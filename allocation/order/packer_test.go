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
	}{{Hilbert, []int{8, 8}}, {Hilbert, []int{8, 8, 5}}, {Snake, []int{9, 7}},
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
