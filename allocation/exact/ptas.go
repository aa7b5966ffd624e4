package exact

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"contend/allocation"
	"contend/allocation/center"
	"contend/router/topology"
)

// DefaultSlices is the default number of slices of ptas.
const DefaultSlices = 3

// maxDivisions is the greatest number of divisions of the processors on all axes. With a
// million a decision takes some seconds.
const maxDivisions = 1_000_000

// ptas is the polynomial-time approximation scheme of [Bender et al., WADS 2005, secs. 3 and 4.2]
// on small meshes of up to three dimensions. Across each axis it tries all divisions of the free
// processors into m slices, strips in a plane. For each division it tries all counts of processors
// in the cells such that each slice has its share of the job. Each cell contributes the processors
// that come first in the direction of its gradient. The best set has a sum s with s(1 - 1/(m-2) -
// 2/(m-1)) <= optimum, which is meaningful from m = 5 on. This bound of sec. 3 holds in any
// dimension, because its lemmas are about the distances along one axis. The scheme is a reference
// for tests, not for machines of any size. Ranks are in node order.
//
// The job's size need not be a multiple of m, unlike in sec. 3: shares differ by one at
// most. Node numbers distinguish processors of one coordinate, which is the small
// perturbation that the paper mentions.
type ptas struct {
	center.Lattice
	m      int   // slices across each axis
	shares []int // of the job, of each slice
	// gradient is, for each slice, the number of processors of the job in the slices before it less
	// the number in those behind it.
	gradient []int
	axes     []axis // at least two: a line is a plane of one row
	cells    []cell // cells with free processors, the slice across x slowest
	at       []int  // cell of each node, by its slices
	value    []int  // of each node, in the direction of the gradient of its cell
	sorted   []topology.Node
	meter    allocation.PairSum
	taken    []topology.Node
	best     []topology.Node
	minSum   int64
}

// axis is a dimension, and a division of the free processors across it.
type axis struct {
	free  []topology.Node // sorted by coordinate
	cuts  []int           // slice i is free[cuts[i]:cuts[i+1]]
	slice []int           // of each node
	// lacks has the number of processors that each slice still owes the job, and offers the number of
	// free processors in those of its cells without a count yet.
	lacks, offers []int
}

// cell is the intersection of a slice across each axis.
type cell struct {
	nodes []topology.Node // in the direction of the gradient
	count int             // number of nodes that the job gets
}

// NewPTAS returns the scheme with m slices across each axis [Bender et al. 2005, secs. 3 and
// 4.2]; 0 means DefaultSlices.
func NewPTAS(machine topology.Topology, m int) (*ptas, error) {
	m = cmp.Or(m, DefaultSlices)
	l, err := center.NewLattice("ptas", machine)
	if err != nil {
		return nil, err
	}
	if l.Wrap != [3]bool{} {
		return nil, fmt.Errorf("allocator ptas needs a mesh of up to three dimensions, not a %s", &l)
	}
	a := &ptas{Lattice: l, m: m, shares: make([]int, m), gradient: make([]int, m),
		axes: make([]axis, max(2, l.Dimensions)), at: make([]int, l.Nodes()),
		value: make([]int, l.Nodes()), meter: allocation.PairSumOf(machine, nil)}
	if limit := maxNodes(m, len(a.axes)); l.Nodes() > limit {
		return nil, fmt.Errorf("allocator ptas with m = %d goes through all divisions of the machine "+
			"and takes at most %d nodes; the %s has %d", m, limit, &l, l.Nodes())
	}
	for d := range a.axes {
		a.axes[d] = axis{cuts: make([]int, m+1), slice: make([]int, l.Nodes()),
			lacks: make([]int, m), offers: make([]int, m)}
	}
	return a, nil
}

// maxNodes returns the greatest number of nodes with at most maxDivisions divisions.
func maxNodes(m, axes int) int {
	n := 1
	for math.Pow(divisions(n+1, m), float64(axes)) <= maxDivisions {
		n++
	}
	return n
}

// divisions returns the maximum number of divisions of n nodes across an axis, for a job of any
// size: slices without a share are empty, so a job of k processors has up to C(n-1, min(k, m)-1).
func divisions(n, m int) float64 {
	most, ways := 1.0, 1.0
	for i := 1; i < min(n, m); i++ {
		ways *= float64(n-i) / float64(i)
		most = max(most, ways)
	}
	return math.Round(most)
}

// Check implements Allocator.
func (a *ptas) Check(req allocation.Request) error { return req.Check(a.Nodes()) }

// CountDecides implements Counting.
func (a *ptas) CountDecides() bool { return true }

// Allocate implements Allocator.
func (a *ptas) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	for d := range a.axes {
		x := &a.axes[d]
		x.free = free.AppendTo(x.free[:0])
		slices.SortStableFunc(x.free,
			func(n, o topology.Node) int { return a.Coordinates(n)[d] - a.Coordinates(o)[d] })
	}
	for i := range a.shares {
		before, behind := i*req.Size/a.m, (i+1)*req.Size/a.m
		a.shares[i], a.gradient[i] = behind-before, before-(req.Size-behind)
	}
	a.minSum = math.MaxInt64
	a.divide(0, 0)
	slices.Sort(a.best)
	return append(dst, a.best...), true
}

// divide tries the ends of slice i across an axis and of all later ones.
func (a *ptas) divide(d, i int) {
	if d == len(a.axes) {
		a.fillCells()
		a.distribute(0)
		return
	}
	x := &a.axes[d]
	if i == a.m-1 {
		x.cut(i, len(x.free))
		a.divide(d+1, 0)
		return
	}
	first, last := x.cuts[i]+a.shares[i], len(x.free)
	for _, share := range a.shares[i+1:] {
		last -= share
	}
	if a.shares[i] == 0 { // without a share it only takes processors from the others
		last = first
	}
	for end := first; end <= last; end++ {
		x.cut(i, end)
		a.divide(d, i+1)
	}
}

// cut ends slice i.
func (x *axis) cut(i, end int) {
	x.cuts[i+1] = end
	for _, n := range x.free[x.cuts[i]:end] {
		x.slice[n] = i
	}
}

// fillCells sorts the free processors into cells, which have no counts yet.
func (a *ptas) fillCells() {
	for d := range a.axes {
		x := &a.axes[d]
		copy(x.lacks, a.shares)
		for i := range x.offers {
			x.offers[i] = x.cuts[i+1] - x.cuts[i]
		}
	}
	a.sorted = append(a.sorted[:0], a.axes[0].free...)
	for _, n := range a.sorted {
		a.at[n], a.value[n] = 0, 0
		for d := range a.axes {
			slice := a.axes[d].slice[n]
			a.at[n] = a.at[n]*a.m + slice
			a.value[n] += a.Coordinates(n)[d] * a.gradient[slice]
		}
	}
	slices.SortStableFunc(a.sorted, func(n, o topology.Node) int {
		return cmp.Or(a.at[n]-a.at[o], a.value[n]-a.value[o])
	})
	a.cells = a.cells[:0]
	for first, i := 0, 1; i <= len(a.sorted); i++ {
		if i == len(a.sorted) || a.at[a.sorted[i]] != a.at[a.sorted[first]] {
			a.cells = append(a.cells, cell{nodes: a.sorted[first:i]})
			first = i
		}
	}
}

// distribute tries all counts of the cells from the given one on with which each slice contributes
// its share.
func (a *ptas) distribute(c int) {
	if c == len(a.cells) {
		a.measure()
		return
	}
	nodes := a.cells[c].nodes
	minCount, maxCount := 0, len(nodes)
	for d := range a.axes {
		x := &a.axes[d]
		slice := x.slice[nodes[0]]
		x.offers[slice] -= len(nodes)
		minCount = max(minCount, x.lacks[slice]-x.offers[slice])
		maxCount = min(maxCount, x.lacks[slice])
	}
	for count := minCount; count <= maxCount; count++ {
		a.cells[c].count = count
		a.owe(nodes[0], -count)
		a.distribute(c + 1)
		a.owe(nodes[0], count)
	}
	for d := range a.axes {
		x := &a.axes[d]
		x.offers[x.slice[nodes[0]]] += len(nodes)
	}
}

// owe adds a count to lacks of the slices that contain a node.
func (a *ptas) owe(n topology.Node, count int) {
	for d := range a.axes {
		x := &a.axes[d]
		x.lacks[x.slice[n]] += count
	}
}

// measure keeps the set of the current counts if it is the best so far.
func (a *ptas) measure() {
	a.taken = a.taken[:0]
	for _, c := range a.cells {
		a.taken = append(a.taken, c.nodes[:c.count]...)
	}
	if sum := a.meter.Sum(a.taken); sum < a.minSum {
		a.minSum = sum
		a.best = append(a.best[:0], a.taken...)
	}
}
