package order

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"contend/allocation/allocationtest"
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
						checkPacked(t, a, packed{order, free, span == Ring}, f, size)
					}
				}
			}
		}
	}
}

// Thousands of random free sets, of machines shorter and longer than words.
func TestPackersAgainstReference(t *testing.T) {
	for _, c := range []struct {
		name string
		dims []int
		sets int
	}{{Hilbert, []int{8, 8}, 400}, {HIndex, []int{8, 8}, 400}, {Hilbert, []int{8, 8, 5}, 15},
		{Snake, []int{9, 7}, 400},
		{ShuffledSnake, []int{13, 5}, 400}, {RowMajor, []int{16, 8}, 60}} {
		t.Run(fmt.Sprint(c.name, c.dims), func(t *testing.T) {
			stream := rand.New(rand.NewPCG(5, uint64(len(c.dims))))
			machine := topologytest.Mesh(t, c.dims...)
			order := makeOrder(t, c.name, machine)
			free := make([]bool, len(order))
			var made []*packer
			for _, kind := range Packers() {
				for _, span := range bothSpans {
					made = append(made, makePacker(t, kind.Name, order, span))
				}
			}
			for range max(4, c.sets/allocationtest.Rounds(1, 8)) {
				density, keep := stream.Float64(), stream.Float64()
				for rank, n := range order { // runs of all lengths
					free[n] = stream.Float64() < density
					if rank > 0 && stream.Float64() < keep {
						free[n] = free[order[rank-1]]
					}
				}
				f := allocationtest.FreeSet(free)
				size := 1 + stream.IntN(min(len(order), f.Count()+2))
				for _, a := range made {
					checkPacked(t, a, packed{order, free, a.line.ring}, f, size)
				}
			}
		})
	}
}
