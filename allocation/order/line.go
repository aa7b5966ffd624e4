package order

import (
	"fmt"
	"math/bits"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// interval is a maximal set of free processors of consecutive ranks. On a ring it may
// extend across the end.
type interval struct{ first, length int }

// line is the machine as a packer sees it.
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

// minSpan returns the first rank of the least span of free processors: size
// consecutive ones among the free.
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
