package order

import (
	"contend/allocation"
	"contend/router/topology"
)

// Packers are allocators that see the machine as a line of processors.
const (
	FreeList     = "free-list"
	FirstFit1D   = "first-fit-1d"
	BestFit1D    = "best-fit-1d"
	SumOfSquares = "sum-of-squares"
)

// Packers lists the packers.
func Packers() []allocation.Info {
	return []allocation.Info{
		{Name: FreeList, Doc: "the first free processors of the order (Leung et al. 2002, sec. 2.1)"},
		{Name: FirstFit1D,
			Doc: "the first interval of free processors that holds the job, else the free " +
				"processors of least span (Leung et al. 2002, sec. 2.3)"},
		{Name: BestFit1D,
			Doc: "the shortest interval of free processors that holds the job, else the free " +
				"processors of least span (Leung et al. 2002, sec. 2.3)"},
		{Name: SumOfSquares,
			Doc: "the interval that leaves intervals of many different sizes, else the free " +
				"processors of least span (Leung et al. 2002, sec. 2.3; Csirik et al. 1999)"},
	}
}

// Span says whether the order is a line, or a ring with adjacent ends.
type Span string

const (
	// Ring is the span of [Leung et al. 2002], and the default.
	Ring Span = "ring"
	// Linear treats the order as a line.
	Linear Span = "linear"
)

// packer gives a job processors by their ranks in an order of the machine, with the
// rules of memory allocation and bin packing [Leung et al. 2002, sec. 2.3]. The free
// processors form intervals of consecutive ranks. A job that fits in an interval gets
// its first processors. The kinds of packer differ in the choice of the interval. A job
// that fits in no interval gets the free processors of least span, and among equals the
// set that starts at the smallest rank. So a packer refuses only if too few processors
// are free.
//
// Ranks of the job follow the order. On a ring a set across the end starts before it.
// Section 2.3 leaves open whether an interval may extend across the end; on a ring it
// does here. Otherwise a job could not get a set of least span that is in one piece.
type packer struct {
	kind string
	line line
	// counts[n] is the number of free intervals of n processors, for sum-of-squares.
	// All are zero between decisions.
	counts []int32
}

// NewPacker returns a packer of one of Packers over an order of the nodes of a machine, as New
// returns it.
func NewPacker(kind string, order []topology.Node, span Span) *packer {
	return &packer{kind: kind, line: newLine(order, span == Ring),
		counts: make([]int32, len(order)+1)}
}

// Check implements Allocator.
func (a *packer) Check(req allocation.Request) error { return req.Check(len(a.line.order)) }

// CountDecides implements Counting. If no interval fits, the packer combines several.
func (a *packer) CountDecides() bool { return true }

// Allocate implements Allocator.
func (a *packer) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.line.load(free)
	if a.kind == FreeList {
		return a.line.appendFree(dst, 0, req.Size), true
	}
	a.line.findIntervals()
	first, ok := a.choose(req.Size)
	if !ok {
		first = a.line.minSpan(req.Size)
	}
	return a.line.appendFree(dst, first, req.Size), true
}

// choose returns the first rank of the interval the job gets.
func (a *packer) choose(size int) (first int, ok bool) {
	switch a.kind {
	case FirstFit1D:
		return a.firstFit(size)
	case BestFit1D:
		return a.bestFit(size)
	case SumOfSquares:
		return a.sumOfSquares(size)
	}
	panic("allocation: packer " + a.kind)
}

// firstFit returns the first rank of the first interval that has size processors.
func (a *packer) firstFit(size int) (first int, ok bool) {
	for _, v := range a.line.intervals {
		if v.length >= size {
			return v.first, true
		}
	}
	return 0, false
}

// bestFit takes the interval with the fewest processors left over, and among equals the
// first.
func (a *packer) bestFit(size int) (first int, ok bool) {
	best := interval{}
	for _, v := range a.line.intervals {
		if v.length >= size && (!ok || v.length < best.length) {
			best, ok = v, true
		}
	}
	return best.first, ok
}

// sumOfSquares minimises the sum of squares of the numbers of intervals of each size,
// and among equals takes the first. An interval of size s that shrinks to r changes the
// sum by (N(s)-1)² - N(s)² + (N(r)+1)² - N(r)². An interval that is used up leaves
// none: r = 0 does not count, because there are no intervals of size 0.
func (a *packer) sumOfSquares(size int) (first int, ok bool) {
	for _, v := range a.line.intervals {
		a.counts[v.length]++
	}
	minChange := int32(0)
	for _, v := range a.line.intervals {
		if v.length < size {
			continue
		}
		change := 1 - 2*a.counts[v.length]
		if rest := v.length - size; rest > 0 {
			change += 1 + 2*a.counts[rest]
		}
		if !ok || change < minChange {
			first, minChange, ok = v.first, change, true
		}
	}
	for _, v := range a.line.intervals {
		a.counts[v.length] = 0
	}
	return first, ok
}
