package exact

import (
	"math"
	"slices"

	"contend/allocation"
	"contend/allocation/center"
	"contend/netsim/topology"
)

// subsets finds the free processors with the least sum of pairwise distances, on any
// lattice by L1 and on any other machine by hops. It takes or skips them one by one in
// node order. The lower bound of a partial set has three parts: its own sum, the least
// sum of distances of the rest to it, and the least sum that the rest can have
// anywhere.
type subsets struct {
	*center.Lattice                  // nil on other machines
	hops            *allocation.Rows // nil on a lattice
	bound           *bound
	free            []topology.Node
	at              [][3]int
	reached         []int64 // for each free node, the sum of distances to all taken
	nearest         []int64
	taken           []topology.Node
	best            []topology.Node
	least           []int64 // least[r]: no r processors have a smaller sum
}

func newSubsets(l *center.Lattice) *subsets {
	n := l.Nodes()
	s := makeSubsets(n)
	s.Lattice, s.at = l, make([][3]int, n)
	// In an infinite lattice 4r²+2 processors are at distance r of one. Each of k
	// processors has at best the k-1 nearest as neighbours, and each pair counts twice.
	star, shell, rest := int64(0), int64(0), int64(0)
	for k := 2; k <= n; k++ {
		if rest == 0 {
			shell++
			rest = 4*shell*shell + 2
		}
		rest--
		star += shell
		s.least[k] = (int64(k)*star + 1) / 2
	}
	return s
}

func makeSubsets(n int) *subsets {
	return &subsets{free: make([]topology.Node, 0, n), reached: make([]int64, n),
		nearest: make([]int64, 0, n), taken: make([]topology.Node, 0, n),
		best: make([]topology.Node, 0, n), least: make([]int64, n+1)}
}

// newHopSubsets returns subsets for a machine on which hops are counted. Its bounds
// rest on the processor whose k-1 nearest are nearest.
func newHopSubsets(d *allocation.Rows) *subsets {
	n := len(d.Home)
	s := makeSubsets(n)
	s.hops = d
	star := slices.Repeat([]int64{math.MaxInt64}, n+1)
	at := make([]int32, d.Most+1) // processors at each distance
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
	for k := 2; k <= n; k++ {
		s.least[k] = (int64(k)*star[k] + 1) / 2
	}
	return s
}

// search appends a set with the least sum below bound.least, in node order. It appends
// nothing if there is none.
func (s *subsets) search(dst []topology.Node, free *allocation.FreeSet, size int,
	b *bound) []topology.Node {
	s.bound = b
	s.free = free.AppendTo(s.free[:0])
	for i, n := range s.free {
		if s.Lattice != nil {
			s.at[i] = s.Coordinates(n)
		}
		s.reached[i] = 0
	}
	s.taken, s.best = s.taken[:0], s.best[:0]
	s.decide(0, size, 0)
	return append(dst, s.best...)
}

// decide takes or skips the i-th free processor. It takes left more processors from the
// i-th on; sum belongs to those taken.
func (s *subsets) decide(i, left int, sum int64) {
	if left == 0 {
		if sum < s.bound.least {
			s.bound.least = sum
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
	if s.hops != nil {
		row := s.hops.Row(s.hops.Home[s.free[i]])
		for j := i + 1; j < len(s.free); j++ {
			s.reached[j] += sign * int64(row[s.hops.Home[s.free[j]]])
		}
		return
	}
	for j := i + 1; j < len(s.free); j++ {
		s.reached[j] += sign * int64(s.Distance(s.at[i], s.at[j]))
	}
}

func (s *subsets) promising(i, left int, sum int64) bool {
	sum += s.least[left]
	s.nearest = append(s.nearest[:0], s.reached[i:len(s.free)]...)
	slices.Sort(s.nearest)
	for _, reached := range s.nearest[:left] {
		sum += reached
	}
	return sum < s.bound.least
}
