package allocation

import "contend/netsim/topology"

// The packers: allocators that see the machine as a line of processors.
const (
	FreeList     = "free-list"
	FirstFit1D   = "first-fit-1d"
	BestFit1D    = "best-fit-1d"
	SumOfSquares = "sum-of-squares"
)

// Packers lists the packers.
func Packers() []Info {
	return []Info{
		{FreeList, "the first free processors of the order (Leung et al. 2002, sec. 2.1)"},
		{FirstFit1D, "the first interval of free processors that holds the job, else the free " +
			"processors of least span (Leung et al. 2002, sec. 2.3)"},
		{BestFit1D, "the shortest interval of free processors that holds the job, else the free " +
			"processors of least span (Leung et al. 2002, sec. 2.3)"},
		{SumOfSquares, "the interval that leaves intervals of many different sizes, else the free " +
			"processors of least span (Leung et al. 2002, sec. 2.3; Csirik et al. 1999)"},
	}
}

// Span says whether the order is a line, or a ring whose ends are neighbours.
type Span string

const (
	// Ring is the span of [Leung et al. 2002], and the default.
	Ring Span = "ring"
	// Linear takes the order as a line.
	Linear Span = "linear"
)

// Spans lists the kinds of span; the first is the default.
func Spans() []Info {
	return []Info{
		{string(Ring), "the last processor of the order is next to the first"},
		{string(Linear), "the order is a line with two ends"},
	}
}

// packer gives a job processors by their ranks in an order of the machine, by
// the rules of memory allocation and bin packing [Leung et al. 2002, sec. 2.3].
// The free processors form intervals of consecutive ranks. A job that fits in
// one gets the first processors of it; which interval is what the kinds differ
// in. A job that fits in none gets the free processors of least span, of
// several such sets the one that starts at the smallest rank. So it refuses
// only when too few processors are free.
//
// Ranks of the job follow those of the order; on a ring a set that reaches
// across the end starts before it. Unlike [sec. 2.3], which leaves it open
// whether an interval may do so, on a ring an interval does: otherwise a job
// could not have in one piece what has the least span it can have.
type packer struct {
	kind string
	line line
	// counts[n] is the number of free intervals of n processors, for
	// sum-of-squares; all zero between decisions.
	counts []int32
}

// newPacker makes a packer of one of Packers over an order of the nodes of a
// machine, such as NewOrder gives; an empty span is the default.
func newPacker(kind string, order []topology.Node, span Span) (*packer, error) {
	if err := known("packer", kind, Packers()); err != nil {
		return nil, err
	}
	if span == "" {
		span = Ring
	}
	if err := known("span", string(span), Spans()); err != nil {
		return nil, err
	}
	return &packer{kind: kind, line: newLine(order, span == Ring),
		counts: make([]int32, len(order)+1)}, nil
}

// Check implements Allocator.
func (a *packer) Check(req Request) error { return req.check(len(a.line.order)) }

// Allocate implements Allocator.
func (a *packer) Allocate(dst []topology.Node, free *FreeSet, req Request) ([]topology.Node, bool) {
	req.mustMakeSense()
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
		first = a.line.leastSpan(req.Size)
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

func (a *packer) firstFit(size int) (first int, ok bool) {
	for _, v := range a.line.intervals {
		if v.length >= size {
			return v.first, true
		}
	}
	return 0, false
}

// bestFit leaves the fewest processors of the interval; of equal intervals the
// first is taken.
func (a *packer) bestFit(size int) (first int, ok bool) {
	best := interval{}
	for _, v := range a.line.intervals {
		if v.length >= size && (!ok || v.length < best.length) {
			best, ok = v, true
		}
	}
	return best.first, ok
}

// sumOfSquares makes the sum of squares of the numbers of intervals of each
// size least; of equal choices the first is taken. An interval of size s that
// becomes one of r changes the sum by (N(s)-1)² - N(s)² + (N(r)+1)² - N(r)².
// One that is used up leaves none behind: r = 0 is not counted, as there are
// no intervals of size 0.
func (a *packer) sumOfSquares(size int) (first int, ok bool) {
	for _, v := range a.line.intervals {
		a.counts[v.length]++
	}
	least := int32(0)
	for _, v := range a.line.intervals {
		if v.length < size {
			continue
		}
		change := 1 - 2*a.counts[v.length]
		if rest := v.length - size; rest > 0 {
			change += 1 + 2*a.counts[rest]
		}
		if !ok || change < least {
			first, least, ok = v.first, change, true
		}
	}
	for _, v := range a.line.intervals {
		a.counts[v.length] = 0
	}
	return first, ok
}
