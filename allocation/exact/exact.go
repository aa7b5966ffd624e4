// Package exact has the allocators that search for the minimum sum of pairwise distances: the
// optimum and an approximation scheme.
//
// Example: of the free nodes of a mesh of 4x4 (* is busy), the four at the right have the minimum
// sum of pairwise distances, 8: four pairs of neighbours and two pairs two hops apart
// (testdata/package.txt).
//
//	. . . *
//	. * 2 3
//	* . 0 1
//	. . * .
package exact

import (
	"cmp"
	"math"
	"slices"

	"contend/allocation"
	"contend/allocation/center"
	"contend/router/topology"
)

// DefaultLimit is the default limit of optimal on the nodes of its search tree.
const DefaultLimit = 1_000_000

// optimal gives a job the free processors with the minimum sum of pairwise distances, in L1 on a
// lattice with a node at each place and in hops on any other machine: the "greedy" of [Bender et
// al., WADS 2005, sec. 6]. Ranks are in node order. Ties are counted in MM+Inc, with which it
// starts.
//
// It starts with MM+Inc, which usually finds the optimum. For up to three processors of a mesh
// MM+Inc is proven to find it: the sum is then twice the sum of the distances to the median, and MM
// tries all medians [sec. 2.3]. A window solves a line or a ring. In all other cases branch and
// bound searches for a smaller sum: over counts of rows and columns in two dimensions (margins),
// over processors in three dimensions and on other machines (subsets).
//
// On a large machine the limit decides the time: on a mesh of 256x256 nodes, of which 20% are free,
// a decision takes 14 s with a limit of 1000 nodes (see docs/BENCHMARKS.md).
type optimal struct {
	start *center.Median // MM+Inc
	sure  int            // the largest request for which MM+Inc finds the optimum
	limit int
	flat  bool     // a line or a ring
	ring  int      // length of the ring, 0 for a line
	line  window   // of a line or ring
	plane *margins // nil unless the lattice extends in two dimensions
	space *subsets // in three dimensions and by hops

	tally  bound           // of the last decision
	proven bool            // the last decision is the optimum
	at     []int           // positions of the free nodes of a line
	found  []topology.Node // memory of plane and space
}

// bound holds the least sum found so far and the number of nodes explored.
type bound struct {
	minSum          int64
	explored, limit int
}

// step counts a node of the search tree and reports whether the search continues.
func (b *bound) step() bool {
	b.explored++
	return b.explored <= b.limit
}

// NewOptimal returns optimal for a machine. The limit 0 means DefaultLimit.
func NewOptimal(s allocation.Site, limit int) (allocation.Allocator, error) {
	start, err := center.NewMedian("mm-inc", s, center.LastShellNodeOrder)
	if err != nil {
		return nil, err
	}
	a := &optimal{start: start, limit: cmp.Or(limit, DefaultLimit)}
	if l, err := center.NewLattice("optimal", s.Machine); err == nil {
		a.onLattice(&l)
		return a, nil
	}
	// MM finds the nearest pair, as each free processor is a center.
	a.sure = 2
	hops, err := s.Rows()
	if err != nil {
		return nil, err
	}
	a.space = newSubsets(start, hopStar(hops))
	return a, nil
}

// onLattice chooses the search by the dimensions of a lattice.
func (a *optimal) onLattice(l *center.Lattice) {
	var axes []int // dimensions longer than 1
	for d, n := range l.Dims {
		if n > 1 {
			axes = append(axes, d)
		}
	}
	if l.Wrap == [3]bool{} {
		a.sure = 3
	}
	switch len(axes) {
	case 2:
		a.plane = newMargins(l, axes[0], axes[1])
	case 3:
		a.space = newSubsets(a.start, latticeStar(l.Nodes()))
	default:
		a.flat, a.line, a.at = true, newWindow(l.Nodes()), make([]int, 0, l.Nodes())
		if len(axes) == 1 && l.Wrap[axes[0]] {
			a.ring = l.Dims[axes[0]]
		}
	}
}

// Check implements Allocator.
func (a *optimal) Check(req allocation.Request) error { return a.start.Check(req) }

// CountDecides implements Counting.
func (a *optimal) CountDecides() bool { return true }

// Explored implements Explorer.
func (a *optimal) Explored() (nodes int, proven bool) { return a.tally.explored, a.proven }

// Allocate implements Allocator.
func (a *optimal) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.tally, a.proven = bound{limit: a.limit}, true
	if a.flat {
		return a.allocateLine(dst, free, req.Size), true
	}
	start := a.start.Search(free, req.Size)
	if req.Size == free.Count() || req.Size <= a.sure {
		return append(dst, a.start.Winner...), true
	}
	a.tally.minSum = start
	if a.plane != nil {
		a.found = a.plane.search(a.found[:0], free, req.Size, &a.tally)
	} else {
		a.found = a.space.search(a.found[:0], free, req.Size, &a.tally)
	}
	a.proven = a.tally.explored <= a.limit
	if a.tally.minSum == start {
		return append(dst, a.start.Winner...), true
	}
	return append(dst, a.found...), true
}

// allocateLine appends the optimum of a line or a ring, where node numbers are
// positions.
func (a *optimal) allocateLine(dst []topology.Node, free *allocation.FreeSet,
	size int) []topology.Node {
	a.at = a.at[:0]
	for n, ok := free.Next(0); ok; n, ok = free.Next(n + 1) {
		a.at = append(a.at, int(n))
	}
	first, _ := a.line.cluster(a.at, size, a.ring)
	around := max(0, first+size-len(a.at)) // number of nodes behind the end of the ring
	for _, x := range a.at[:around] {
		dst = append(dst, topology.Node(x))
	}
	for _, x := range a.at[first : first+size-around] {
		dst = append(dst, topology.Node(x))
	}
	return dst
}

// window is a run of points that slides along a line or a ring, with its sum of
// pairwise distances.
type window struct {
	at    []int   // positions of the points, twice for a ring
	below []int64 // below[i] is the sum of at[:i]
	ring  int
	first int   // first point in the window, and
	end   int   // the point behind the last
	sum   int64 // sum of pairwise distances

	near   int   // first point within half a round before the next point to enter
	far    int   // first point beyond half a round behind the first one
	points []int // memory of minSum
}

// cluster returns the subset of size points of a line, or of a ring of ring places,
// with the least sum of pairwise distances. The subset consists of the points from
// index first on, around the end of a ring. Positions increase. On a ring they are from
// 0 to ring-1; ring is 0 for a line. Among equals it returns the first.
//
// A best subset never skips a point between its own points. On a line the sum of the distances to
// all others is a convex function of position, so the skipped point could replace the farther end.
// On a ring the tests check all point sets up to twelve places. So a window of consecutive points
// slides along the positions, and sums of positions give the change of its sum in each step. This
// takes linear time, like the dynamic programme that [Bender et al., WADS 2005, sec. 1] mention.
func (w *window) cluster(positions []int, size, ring int) (first int, sum int64) {
	if size < 1 || size > len(positions) {
		panic("allocation: cluster needs at least one point and at most all")
	}
	w.load(positions, ring)
	starts := len(positions) - size + 1
	if ring > 0 {
		starts = len(positions)
	}
	for range size {
		w.push()
	}
	first, sum = 0, w.sum
	for i := 1; i < starts; i++ {
		w.shift()
		w.push()
		if w.sum < sum {
			first, sum = i, w.sum
		}
	}
	return first, sum
}

// load sets the points to the positions on a line, or on a ring of that length.
func (w *window) load(positions []int, ring int) {
	*w = window{at: w.at[:0], below: append(w.below[:0], 0), ring: ring, points: w.points}
	w.at = append(w.at, positions...)
	if ring > 0 {
		for _, x := range positions {
			w.at = append(w.at, x+ring)
		}
	}
	total := int64(0)
	for _, x := range w.at {
		total += int64(x)
		w.below = append(w.below, total)
	}
}

// push adds the next point to the window.
func (w *window) push() {
	x := w.at[w.end]
	w.near = max(w.near, w.first)
	for w.ring > 0 && 2*(x-w.at[w.near]) > w.ring {
		w.near++
	}
	w.sum += int64(w.end-w.near)*int64(x) - (w.below[w.end] - w.below[w.near])
	w.sum += int64(w.near-w.first)*int64(w.ring-x) + w.below[w.near] - w.below[w.first]
	w.end++
}

// shift removes the first point from the window.
func (w *window) shift() {
	x := w.at[w.first]
	w.first++
	w.far = max(w.far, w.first)
	for w.far < w.end && (w.ring == 0 || 2*(w.at[w.far]-x) <= w.ring) {
		w.far++
	}
	w.sum -= w.below[w.far] - w.below[w.first] - int64(w.far-w.first)*int64(x)
	w.sum -= int64(w.end-w.far)*int64(w.ring+x) - (w.below[w.end] - w.below[w.far])
}

// newWindow returns a window with room for the given number of points.
func newWindow(points int) window {
	return window{at: make([]int, 0, 2*points), below: make([]int64, 0, 2*points+1),
		points: make([]int, 0, points)}
}

// minSum returns the minimum sum of pairwise distances of size points, with at most room[x] points
// at x. It returns MaxInt64 if there is not enough room.
func (w *window) minSum(room []int32, size, ring int) int64 {
	w.points = w.points[:0]
	for x, n := range room {
		for range min(int(n), size) {
			w.points = append(w.points, x)
		}
	}
	switch {
	case size == 0:
		return 0
	case size > len(w.points):
		return math.MaxInt64 / 4
	}
	_, sum := w.cluster(w.points, size, ring)
	return sum
}

// subsets finds the free processors with the least sum of pairwise distances on any machine. It
// takes or skips them one by one in node order. The lower bound of a partial set has three parts:
// its own sum, the minimum sum of distances of the remaining processors to it, and the minimum sum
// among the remaining processors anywhere.
type subsets struct {
	distances
	bound   *bound
	free    []topology.Node
	reached []int64         // for each free node, the sum of its distances to all taken nodes
	nearest []int64         // memory of promising
	taken   []topology.Node // of the partial set
	best    []topology.Node // set of the lowest sum so far
	minSums []int64         // minSums[r]: no r processors have a smaller sum
}

// distances returns distances from an origin.
type distances interface {
	From(n topology.Node)   // sets the origin
	To(n topology.Node) int // returns the distance of a node from the origin
}

// newSubsets returns subsets by distances. star[k] is a lower bound of the sum of the distances of
// a processor to k-1 others. The bounds of sets count each pair twice.
func newSubsets(d distances, star []int64) *subsets {
	s := &subsets{distances: d, reached: make([]int64, len(star)), minSums: make([]int64, len(star))}
	for k := 2; k < len(star); k++ {
		s.minSums[k] = (int64(k)*star[k] + 1) / 2
	}
	return s
}

// latticeStar returns the bounds of newSubsets for a lattice of the given number of nodes. In an
// infinite lattice each processor has 4r²+2 processors at distance r.
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

// hopStar returns the bounds of newSubsets for a machine by hops. The bound for k processors is the
// minimum, over all processors, of the sum of distances to the k-1 nearest others.
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

// decide takes or skips the i-th free processor. left processors are still to be taken, from the
// i-th on; sum is the sum of those taken.
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

// reach adds, for each free processor behind the i-th, its distance to the i-th, multiplied by a
// sign.
func (s *subsets) reach(i int, sign int64) {
	s.From(s.free[i])
	for j := i + 1; j < len(s.free); j++ {
		s.reached[j] += sign * int64(s.To(s.free[j]))
	}
}

// promising reports whether the taken processors and left more, from the i-th on, may have a sum
// below the bound. sum is the sum of the taken ones.
func (s *subsets) promising(i, left int, sum int64) bool {
	sum += s.minSums[left]
	s.nearest = append(s.nearest[:0], s.reached[i:len(s.free)]...)
	slices.Sort(s.nearest)
	for _, reached := range s.nearest[:left] {
		sum += reached
	}
	return sum < s.bound.minSum
}
