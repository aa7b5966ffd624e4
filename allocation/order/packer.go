package order

import (
	"fmt"
	"math/bits"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// Packers are allocators that treat the machine as a line of processors.
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
		{Name: FirstFit1D, Display: "First fit (1D)",
			Doc: "the first interval of free processors that holds the job, else the free " +
				"processors of least span (Leung et al. 2002, sec. 2.3)"},
		{Name: BestFit1D, Display: "Best fit (1D)",
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

// packer gives a job processors by their ranks in an order of the machine, with the rules of memory
// allocation and bin packing [Leung et al. 2002, sec. 2.3]. The free processors form intervals of
// consecutive ranks. A job that fits in an interval gets its first processors. The kinds of packer
// differ in the choice of the interval. A job that fits in no interval gets the set of free
// processors with the smallest span, and among equals the set that starts at the smallest rank. So
// a packer refuses a job only if too few processors are free.
//
// Ranks of the job follow the order. On a ring a set across the end starts before the end. Section
// 2.3 leaves open whether an interval may extend across the end; on a ring it does here. Otherwise
// a job could not get a contiguous set of smallest span.
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

// bestFit takes the smallest interval that fits, and among equals the first.
func (a *packer) bestFit(size int) (first int, ok bool) {
	best := interval{}
	for _, v := range a.line.intervals {
		if v.length >= size && (!ok || v.length < best.length) {
			best, ok = v, true
		}
	}
	return best.first, ok
}

// sumOfSquares minimises the sum of squares of the numbers of intervals of each size, and among
// equals takes the first. An interval of size s that shrinks to r changes the sum by (N(s)-1)² -
// N(s)² + (N(r)+1)² - N(r)². An interval that is used up vanishes: r = 0 adds no term, because
// there are no intervals of size 0.
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

// interval is a maximal set of free processors of consecutive ranks. On a ring it may
// extend across the end.
type interval struct{ first, length int }

// line is the machine of a packer: its processors by rank.
type line struct {
	order     []topology.Node
	ring      bool
	byNumber  bool     // the order is that of the node numbers
	words     []uint64 // free processors, by rank
	intervals []interval
	ranks     []int32 // ranks of the free processors, for minSpan
}

// newLine returns the line of an order. It panics unless the order lists each node
// once.
func newLine(order []topology.Node, ring bool) line {
	seen, byNumber := allocation.NewFreeSet(len(order)), true
	for rank, n := range order {
		byNumber = byNumber && int(n) == rank
		if n < 0 || int(n) >= len(order) {
			panic(fmt.Sprintf("allocation: node %d in an order of %d", n, len(order)))
		}
	}
	seen.Take(order) // panics on a node that is listed twice
	return line{
		order:     order,
		ring:      ring,
		byNumber:  byNumber,
		words:     make([]uint64, len(seen.Words())),
		intervals: make([]interval, 0, (len(order)+1)/2),
		ranks:     make([]int32, 0, len(order)),
	}
}

// load puts the free processors in the order.
func (l *line) load(free *allocation.FreeSet) {
	if l.byNumber {
		copy(l.words, free.Words())
		return
	}
	for w := range l.words {
		word := uint64(0)
		for i, n := range l.order[w<<6 : min(w<<6+64, len(l.order))] {
			word |= free.Words()[n>>6] >> (n & 63) & 1 << i
		}
		l.words[w] = word
	}
}

// findIntervals lists the intervals in the order of their first ranks.
func (l *line) findIntervals() {
	l.intervals = l.intervals[:0]
	for at := l.next(0, 0); at < len(l.order); {
		end := l.next(at, ^uint64(0))
		l.intervals = append(l.intervals, interval{at, end - at})
		at = l.next(end, 0)
	}
	last := len(l.intervals) - 1
	if !l.ring || last < 1 {
		return
	}
	head, tail := l.intervals[0], &l.intervals[last]
	if head.first == 0 && tail.first+tail.length == len(l.order) {
		tail.length += head.length
		l.intervals = slices.Delete(l.intervals, 0, 1)
	}
}

// next returns the first free rank from at on, or with flip all ones the first that is
// not free. If there is none, it returns the number of ranks.
func (l *line) next(at int, flip uint64) int {
	for w := at >> 6; w < len(l.words); w, at = w+1, 0 {
		if word := (l.words[w] ^ flip) >> (at & 63) << (at & 63); word != 0 {
			return min(w<<6+bits.TrailingZeros64(word), len(l.order))
		}
	}
	return len(l.order)
}

// minSpan returns the first rank of the smallest span of size free processors: consecutive ones in
// the list of free ranks.
func (l *line) minSpan(size int) int {
	l.ranks = l.ranks[:0]
	for w, word := range l.words {
		for ; word != 0; word &= word - 1 {
			l.ranks = append(l.ranks, int32(w<<6+bits.TrailingZeros64(word)))
		}
	}
	first, minimum := 0, len(l.order)+1
	for i, rank := range l.ranks {
		end := i + size - 1
		if end >= len(l.ranks) && !l.ring {
			break
		}
		span := int(l.ranks[end%len(l.ranks)]) - int(rank) + 1
		if end >= len(l.ranks) {
			span += len(l.order)
		}
		if span < minimum {
			first, minimum = int(rank), span
		}
	}
	return first
}

// appendFree appends the first free processors from a rank on, past the end on a ring.
func (l *line) appendFree(dst []topology.Node, from, size int) []topology.Node {
	for at := from; size > 0; size-- {
		if at = l.next(at, 0); at == len(l.order) {
			at = l.next(0, 0)
		}
		dst = append(dst, l.order[at])
		at++
	}
	return dst
}
