package order

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Every free set of small machines and every size.
func TestPackersExhaustive(t *testing.T) {
	for _, c := range []struct {
		name string
		dims []int
	}{{Hilbert, []int{2, 4}}, {Snake, []int{3, 3}}, {Hilbert, []int{2, 2, 2}}, {RowMajor, []int{5}},
		{RowMajor, []int{1}}} {
		order := makeOrder(t, c.name, topologytest.Mesh(t, c.dims...))
		for _, kind := range Packers() {
			for _, span := range bothSpans {
				a := makePacker(t, kind.Name, order, span)
				for free, f := range allocationtest.EveryFreeSet(len(order), 1) {
					for size := 1; size <= len(order)+1; size++ {
						want, placed := packed{order, free, span == Ring}.allocate(kind.Name, size)
						allocationtest.Compare(t, kind.Name, a, free, f, allocation.Request{Size: size}, want,
							placed)
					}
				}
			}
		}
	}
}

// Drawn free sets of machines shorter and longer than words.
func TestPackersAgainstReference(t *testing.T) {
	for _, c := range []struct {
		name string
		dims []int
	}{{Hilbert, []int{8, 8}}, {HIndex, []int{8, 8}}, {Hilbert, []int{8, 8, 5}}, {Snake, []int{9, 7}},
		{ShuffledSnake, []int{13, 5}}, {RowMajor, []int{16, 8}}} {
		order := makeOrder(t, c.name, topologytest.Mesh(t, c.dims...))
		for _, kind := range Packers() {
			for _, span := range bothSpans {
				a := makePacker(t, kind.Name, order, span)
				allocationtest.Against(t, fmt.Sprint(kind.Name, c, span), a, func(rt *rapid.T) []bool {
					free := make([]bool, len(order))
					for rank, yes := range allocationtest.DrawFree(rt, len(order), 1) { // runs of ranks
						free[order[rank]] = yes
					}
					return free
				}, func(free []bool, size int) ([]topology.Node, bool) {
					return packed{order, free, span == Ring}.allocate(kind.Name, size)
				})
			}
		}
	}
}

func TestOrderIsAPermutation(t *testing.T) {
	for _, bad := range [][]topology.Node{{0, 1, 1}, {0, 3, 1}, {0, -1}} {
		if must.Panic(func() { NewPacker(FreeList, bad, Ring) }) == "" {
			t.Errorf("%v was taken for an order", bad)
		}
	}
}

// packed is the behaviour of a packer by exhaustive trial: all intervals as pairs of a
// start and a length, and all sets of processors for the least span.
type packed struct {
	order []topology.Node
	free  []bool // by node
	ring  bool
}

func (m packed) at(rank int) bool { return m.free[m.order[rank%len(m.order)]] }

// run returns the free processors among n ranks from first on, in order.
func (m packed) run(first, n int) []topology.Node {
	var nodes []topology.Node
	for rank := first; rank < first+n; rank++ {
		if m.at(rank) {
			nodes = append(nodes, m.order[rank%len(m.order)])
		}
	}
	return nodes
}

// lengths returns for each rank the length of the interval that starts there, or 0.
func (m packed) lengths() []int {
	n := len(m.order)
	out := make([]int, n)
	for first := range n {
		if !m.at(first) || m.at(first+n-1) && (m.ring || first > 0) {
			continue
		}
		for out[first] < n && m.at(first+out[first]) && (m.ring || first+out[first] < n) {
			out[first]++
		}
	}
	if len(m.run(0, n)) == n {
		out[0] = n
	}
	return out
}

func (m packed) allocate(kind string, size int) ([]topology.Node, bool) {
	n := len(m.order)
	all := m.run(0, n)
	if size > len(all) {
		return nil, false
	}
	if kind == FreeList {
		return all[:size], true
	}
	lengths := m.lengths()
	best, score := -1, 0
	for first, length := range lengths {
		if length < size {
			continue
		}
		s := 0
		switch kind {
		case BestFit1D:
			s = length
		case SumOfSquares:
			s = squares(lengths, first, length-size)
		}
		if best < 0 || s < score {
			best, score = first, s
		}
	}
	if best >= 0 {
		return m.run(best, size), true
	}
	for span := size; ; span++ {
		for first := range n {
			if (m.ring || first+span <= n) && len(m.run(first, span)) >= size && m.at(first) {
				return m.run(first, span), true
			}
		}
	}
}

// squares returns the sum of squares of the numbers of intervals of each size after the
// one at first has been cut to rest.
func squares(lengths []int, first, rest int) int {
	counts := map[int]int{}
	for i, length := range lengths {
		if i == first {
			length = rest
		}
		if length > 0 {
			counts[length]++
		}
	}
	sum := 0
	for _, c := range counts {
		sum += c * c
	}
	return sum
}

func makePacker(t testing.TB, kind string, order []topology.Node, span Span) *packer {
	t.Helper()
	return NewPacker(kind, order, span)
}

func makeOrder(t testing.TB, name string, machine topology.Topology) []topology.Node {
	t.Helper()
	return must.Have(New(name, machine))
}

var bothSpans = []Span{Ring, Linear}
