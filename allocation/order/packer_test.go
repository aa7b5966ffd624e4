package order

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/allocation/machinetest"
	"contend/internal/must"
	"contend/netsim/topology"
)

// Every free set of small machines and every size.
func TestPackersExhaustive(t *testing.T) {
	for _, c := range []struct {
		name string
		dims []int
	}{{Hilbert, []int{2, 4}}, {Snake, []int{3, 3}}, {Hilbert, []int{2, 2, 2}}, {RowMajor, []int{5}},
		{RowMajor, []int{1}}} {
		order := makeOrder(t, c.name, machinetest.Mesh(t, c.dims...))
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
			machine := machinetest.Mesh(t, c.dims...)
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

// Cases in which the kinds differ, by hand, on a line of 16. Free are 0 to 5, 8 to 10
// and 12 to 14: intervals of 6, 3 and 3.
func TestPackersByHand(t *testing.T) {
	f := allocation.NewFreeSet(16)
	f.Take([]topology.Node{6, 7, 11, 15})
	order := makeOrder(t, RowMajor, machinetest.Mesh(t, 16))
	for _, c := range []struct {
		kind string
		size int
		want []topology.Node
	}{
		{FreeList, 3, []topology.Node{0, 1, 2}},
		{FreeList, 7, []topology.Node{0, 1, 2, 3, 4, 5, 8}},
		{FirstFit1D, 2, []topology.Node{0, 1}},
		{BestFit1D, 2, []topology.Node{8, 9}},
		{BestFit1D, 5, []topology.Node{0, 1, 2, 3, 4}},
		{SumOfSquares, 5, []topology.Node{0, 1, 2, 3, 4}},
		// Intervals of 4, 3, 3 would cost 1 + 4. Those of 6, 1, 3 cost 1 + 1 + 1.
		{SumOfSquares, 2, []topology.Node{8, 9}},
		// Intervals of 3, 3, 3 would cost 9. Those of 6 and 3 cost 1 + 1.
		{SumOfSquares, 3, []topology.Node{8, 9, 10}},
		// Seven processors have a span of 9 from 0, 1 or 2 on and of 10 from 3 on. The
		// smallest rank wins the tie.
		{FirstFit1D, 7, []topology.Node{0, 1, 2, 3, 4, 5, 8}},
	} {
		if got, _ := makePacker(t, c.kind, order, Linear).Allocate(nil, f,
			allocation.Request{Size: c.size}); !slices.Equal(got, c.want) {
			t.Errorf("%s, %d processors: %v, want %v", c.kind, c.size, got, c.want)
		}
	}
}

// On a ring an interval extends across the end, and its ranks do too.
func TestPackersOnTheRing(t *testing.T) {
	f := allocation.NewFreeSet(8)
	f.Take([]topology.Node{1, 2, 5}) // free: 0, 3, 4, 6, 7
	order := makeOrder(t, RowMajor, machinetest.Mesh(t, 8))
	for span, want := range map[Span][]topology.Node{Ring: {6, 7, 0}, Linear: {3, 4, 6}} {
		for _, kind := range []string{FirstFit1D, BestFit1D, SumOfSquares} {
			if got, _ := makePacker(t, kind, order, span).Allocate(nil, f,
				allocation.Request{Size: 3}); !slices.Equal(got, want) {
				t.Errorf("%s, %s: %v, want %v", kind, span, got, want)
			}
		}
	}
}

func TestPackersRefuse(t *testing.T) {
	order := makeOrder(t, RowMajor, machinetest.Mesh(t, 4))
	for _, c := range []struct{ kind, span, want string }{
		{"best-fit", "", `unknown packer "best-fit": there are free-list, first-fit-1d, best-fit-1d, ` +
			`sum-of-squares`},
		{FreeList, "line", `unknown span "line": there are ring, linear`},
	} {
		if _, err := NewPacker(c.kind, order, Span(c.span)); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	for _, bad := range [][]topology.Node{{0, 1, 1}, {0, 3, 1}, {0, -1}} {
		if must.Panic(func() { NewPacker(FreeList, bad, Ring) }) == "" {
			t.Errorf("%v was taken for an order", bad)
		}
	}
}

// Machines with several processors on a router, with routers without any, and irregular
// ones are packed by the order alone, like any other.
func TestPackersOnAnyMachine(t *testing.T) {
	for name, machine := range map[string]topology.Topology{"cplant": machinetest.Cplant(t),
		"irregular": machinetest.Irregular(30)} {
		stream := rand.New(rand.NewPCG(6, 6))
		order := makeOrder(t, RowMajor, machine)
		if name == "cplant" {
			order = makeOrder(t, Hilbert, machine)
		}
		for _, kind := range Packers() {
			a := makePacker(t, kind.Name, order, Ring)
			for range 30 {
				free := make([]bool, len(order))
				for n := range free {
					free[n] = stream.IntN(3) > 0
				}
				f := allocationtest.FreeSet(free)
				checkPacked(t, a, packed{order, free, true}, f, 1+stream.IntN(f.Count()+1))
			}
		}
	}
}
