package exact

import (
	"math"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// subsets finds the free processors with the least sum of pairwise distances on any machine. It
// takes or skips them one by one in node order. The lower bound of a partial set has three parts:
// its own sum, the least sum of distances of the rest to it, and the least sum that the rest can
// have anywhere.
type subsets struct {
	distances
	bound   *bound
	free    []topology.Node
	reached []int64         // for each free node, the sum of distances to all taken
	nearest []int64         // memory of promising
	taken   []topology.Node // of the partial set
	best    []topology.Node // of the least sum so far
	minSums []int64         // minSums[r]: no r processors have a smaller sum
}

// distances returns distances from an origin.
type distances interface {
	From(n topology.Node)   // sets the origin
	To(n topology.Node) int // returns the distance of a node from the origin
}

// newSubsets returns subsets by distances. star[k] is a lower bound of the sum of the distances of
// a processor to k-1 others. Each pair counts twice.
func newSubsets(d distances, star []int64) *subsets {
	s := &subsets{distances: d, reached: make([]int64, len(star)), minSums: make([]int64, len(star))}
	for k := 2; k < len(star); k++ {
		s.minSums[k] = (int64(k)*star[k] + 1) / 2
	}
	return s
}

// latticeStar returns the bounds of newSubsets for a lattice of that many nodes. In an infinite one
// 4r²+2 processors are at distance r of one.
func latticeStar(nodes int) []int64 {
	star := make([]int64, nodes+1)
	shell, rest := int64(0), int64(0)
	for k := 2; k <= nodes; k++ {
		if rest == 0 {
			shell++
			rest = 4*shell*shell + 2
		}
		rest--
		star[k] = star[k-1] + shell
	}
	return star
}

// hopStar returns the bounds of newSubsets for a machine on which hops are counted. The bound for k
// processors is that of the processor whose k-1 nearest ones are nearest.
func hopStar(d *allocation.Rows) []int64 {
	star := slices.Repeat([]int64{math.MaxInt64}, len(d.Home)+1)
	at := make([]int32, d.Max+1) // processors at each distance
	for from := range int32(d.Homes) {
		clear(at)
		for to, hops := range d.Row(from) {
			at[hops] += d.Nodes[to]
		}
		at[0]-- // itself
		sum, k := int64(0), 2
		for hops, count := range at {
			for range count {
				sum += int64(hops)
				star[k] = min(star[k], sum)
				k++
			}
		}
	}
	return star
}

// search appends a set with the least sum below that of b, in node order. It appends nothing if
// there is none.
func (s *subsets) search(dst []topology.Node, free *allocation.FreeSet, size int,
	b *bound) []topology.Node {
	s.bound = b
	s.free = free.AppendTo(s.free[:0])
	clear(s.reached)
	s.taken, s.best = s.taken[:0], s.best[:0]
	s.decide(0, size, 0)
	return append(dst, s.best...)
}

// decide takes or skips the i-th free processor. It takes left more processors from the
// i-th on; sum belongs to those taken.
func (s *subsets) decide(i, left int, sum int64) {
	if left == 0 {
		if sum < s.bound.minSum {
			s.bound.minSum = sum
			s.best = append(s.best[:0], s.taken...)
		}
		return
	}
	if len(s.free)-i < left || !s.bound.step() || !s.promising(i, left, sum) {
		return
	}
	sumWith := sum + s.reached[i]
	s.reach(i, 1)
	s.taken = append(s.taken, s.free[i])
	s.decide(i+1, left-1, sumWith)
	s.taken = s.taken[:len(s.taken)-1]
	s.reach(i, -1)
	s.decide(i+1, left, sum)
}

// reach adds the distances to the i-th free processor, multiplied by a sign, for the
// processors behind it.
func (s *subsets) reach(i int, sign int64) {
	s.From(s.free[i])
	for j := i + 1; j < len(s.free); j++ {
		s.reached[j] += sign * int64(s.To(s.free[j]))
	}
}

// promising reports whether the taken processors and left more, from the i-th on, may have a sum
// below the bound. sum is that of the taken ones.
func (s *subsets) promising(i, left int, sum int64) bool {
	sum += s.minSums[left]
	s.nearest = append(s.nearest[:0], s.reached[i:len(s.free)]...)
	slices.Sort(s.nearest)
	for _, reached := range s.nearest[:left] {
		sum += reached
	}
	return sum < s.bound.minSum
}
