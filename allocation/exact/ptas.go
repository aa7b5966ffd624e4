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

// DefaultStrips is the default number of strips of ptas.
const DefaultStrips = 3

// maxDivisions is the greatest number of divisions of the processors into strips on
// one axis. With a thousand a decision takes about a second.
const maxDivisions = 1000

// ptas is the polynomial-time approximation scheme of [Bender et al., WADS 2005, sec.
// 3] on small planes. It tries all divisions of the free processors into m vertical and
// m horizontal strips. For each it tries all counts of processors in the cells such
// that each strip has its share of the job. Each cell contributes its processors that
// are least in the direction of its gradient. The best set has a sum s with s(1 -
// 1/(m-2) - 2/(m-1)) <= optimum, which is meaningful from m = 5 on. It is a reference
// for tests, not for machines of any size. Ranks are in node order.
//
// The job's size need not be a multiple of m, unlike in sec. 3: shares differ by one at
// most. Node numbers distinguish processors of one coordinate, which is the small
// perturbation that the paper mentions.
type ptas struct {
	center.Lattice
	strips int

	free   [2][]topology.Node // sorted by x, and by y
	shares []int
	cuts   [2][]int // strip i is free[axis][cuts[i]:cuts[i+1]]
	strip  [2][]int // strip of each node
	// counts[i*m+j] is the count of the cell in vertical strip i and horizontal strip j
	counts []int
	cells  [][]topology.Node
	meter  allocation.PairSum
	taken  []topology.Node
	best   []topology.Node
	minSum int64
}

// NewPTAS returns the scheme with strips strips each way [Bender et al. 2005, sec. 3]; 0 means
// DefaultStrips.
func NewPTAS(machine topology.Topology, strips int) (*ptas, error) {
	strips = cmp.Or(strips, DefaultStrips)
	l, err := center.NewLattice("ptas", machine)
	if err != nil {
		return nil, err
	}
	if l.Dimensions > 2 || l.Wrap != [3]bool{} {
		return nil, fmt.Errorf("allocator ptas needs a mesh of one or two dimensions, not a %s", &l)
	}
	if limit := maxNodes(strips); l.Nodes() > limit {
		return nil, fmt.Errorf("allocator ptas with m = %d goes through all divisions of the machine "+
			"and takes at most %d nodes; the %s has %d", strips, limit, &l, l.Nodes())
	}
	a := &ptas{Lattice: l, strips: strips, shares: make([]int, strips),
		counts: make([]int, strips*strips),
		cells:  make([][]topology.Node, strips*strips), meter: allocation.PairSumOf(machine, nil)}
	for axis := range 2 {
		a.cuts[axis] = make([]int, strips+1)
		a.strip[axis] = make([]int, l.Nodes())
	}
	return a, nil
}

// maxNodes returns the greatest number of nodes with few enough divisions: n nodes
// have (n+1)(n+2)...(n+m-1)/(m-1)! divisions.
func maxNodes(strips int) int {
	for n := 1; ; n++ {
		ways := 1
		for i := 1; i < strips && ways <= maxDivisions; i++ {
			ways = ways * (n + i) / i
		}
		if ways > maxDivisions {
			return n - 1
		}
	}
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
	for axis := range 2 {
		a.free[axis] = free.AppendTo(a.free[axis][:0])
		slices.SortStableFunc(a.free[axis],
			func(n, o topology.Node) int { return a.Coordinates(n)[axis] - a.Coordinates(o)[axis] })
	}
	for i := range a.shares {
		a.shares[i] = (i+1)*req.Size/a.strips - i*req.Size/a.strips
	}
	a.minSum = math.MaxInt64
	a.divide(0, 0)
	slices.Sort(a.best)
	return append(dst, a.best...), true
}

// divide tries the ends of strip i of an axis and of all later ones.
func (a *ptas) divide(axis, i int) {
	if axis == 2 {
		a.distribute(0)
		return
	}
	from, all := a.cuts[axis][i], len(a.free[axis])
	later := 0
	for _, share := range a.shares[i+1:] {
		later += share
	}
	if i == a.strips-1 {
		a.cut(axis, i, all)
		a.divide(axis+1, 0)
		return
	}
	for end := from + a.shares[i]; end <= all-later; end++ {
		a.cut(axis, i, end)
		a.divide(axis, i+1)
	}
}

// cut ends strip i.
func (a *ptas) cut(axis, i, end int) {
	a.cuts[axis][i+1] = end
	for _, n := range a.free[axis][a.cuts[axis][i]:end] {
		a.strip[axis][n] = i
	}
}

// distribute tries the counts of all cells from the given one on. Then it fills the
// cells.
func (a *ptas) distribute(cell int) {
	if cell == 0 {
		for c := range a.cells {
			a.cells[c] = a.cells[c][:0]
		}
		for _, n := range a.free[0] {
			c := a.strip[0][n]*a.strips + a.strip[1][n]
			a.cells[c] = append(a.cells[c], n)
		}
		for c := range a.cells {
			a.sortByGradient(c)
		}
	}
	if cell == len(a.cells) {
		a.measure()
		return
	}
	i, j := cell/a.strips, cell%a.strips
	inColumn, inRow := a.shares[i], a.shares[j]
	for l := range j {
		inColumn -= a.counts[i*a.strips+l]
	}
	for l := range i {
		inRow -= a.counts[l*a.strips+j]
	}
	maxCount := min(inColumn, inRow, len(a.cells[cell]))
	minCount := 0
	if j == a.strips-1 {
		minCount = inColumn
	}
	if i == a.strips-1 {
		minCount = max(minCount, inRow)
	}
	for a.counts[cell] = minCount; a.counts[cell] <= maxCount; a.counts[cell]++ {
		a.distribute(cell + 1)
	}
}

// sortByGradient sorts a cell by the sum of the distances to the processors of other
// strips, up to a constant.
func (a *ptas) sortByGradient(cell int) {
	dx, dy := a.gradient(cell/a.strips), a.gradient(cell%a.strips)
	value := func(n topology.Node) int { p := a.Coordinates(n); return p[0]*dx + p[1]*dy }
	slices.SortStableFunc(a.cells[cell], func(n, o topology.Node) int { return value(n) - value(o) })
}

// gradient returns by how many processors the strips before exceed those behind.
func (a *ptas) gradient(strip int) int {
	sum := 0
	for i, share := range a.shares {
		if i < strip {
			sum += share
		} else if i > strip {
			sum -= share
		}
	}
	return sum
}

// measure keeps the set that the counts describe if it is the best so far.
func (a *ptas) measure() {
	a.taken = a.taken[:0]
	for c, nodes := range a.cells {
		a.taken = append(a.taken, nodes[:a.counts[c]]...)
	}
	if sum := a.meter.Sum(a.taken); sum < a.minSum {
		a.minSum = sum
		a.best = append(a.best[:0], a.taken...)
	}
}
