package allocation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/netsim/topology"
)

// centerForms lists the center-based allocators, which all meshes and tori of
// up to three dimensions admit.
func centerForms() []string {
	return []string{"mc", "mc:l1", "mc:greedy", "mc:node-order", "mc1x1", "mc1x1:l1", "mc1x1:greedy",
		"mc1x1:node-order",
		"mc1x1-tie:2,13,20,6", "mc1x1-tie:2,13,20,6,l1", "mc1x1-tie:2,13,20,6,twice",
		"mc1x1-tie:1,0,3,0,twice", "mc1x1-tie:1,1,0,0,greedy", "mc1x1-tie:3,0,1,0,node-order",
		"mc1x1-tie:2,0,0,1",
		"gen-alg", "gen-alg:greedy", "gen-alg:node-order", "mm", "mm:greedy", "mm:node-order",
		"mm-inc", "mm-inc:greedy", "mm-inc:node-order"}
}

// torus returns a machine of the given sides, some of which wrap.
func torus(t testing.TB, dims []int, wrap ...bool) *topology.Cube {
	t.Helper()
	cube, err := topology.NewCube(topology.CubeConfig{Dims: dims, Wrap: wrap})
	if err != nil {
		t.Fatal(err)
	}
	return cube
}

// checkCenter compares one decision of a center-based allocator, and its count of ties,
// with the plain one.
func checkCenter(t testing.TB, short string, a Allocator, s space, f *FreeSet, req Request) {
	t.Helper()
	c, _ := Parse(short)
	a.(TieCounter).CountTies(true)
	got, ok := a.Allocate(nil, f, req)
	want, ties, placed := s.allocate(c, req)
	where := func() string {
		return fmt.Sprintf("%s on %v wrapping %v, %v of %v", short, s.dims, s.wrap, req, s.free)
	}
	if ok != placed || !slices.Equal(got, want) {
		t.Fatalf("%s:\n got %v %v\nwant %v %v", where(), got, ok, want, placed)
	}
	if ok && a.(TieCounter).Ties() != ties {
		t.Fatalf("%s: %d ties, want %d", where(), a.(TieCounter).Ties(), ties)
	}
	// Without the count the search stops earlier.
	a.(TieCounter).CountTies(false)
	if again, _ := a.Allocate(nil, f, req); !slices.Equal(again, got) {
		t.Fatalf("%s: without counting ties %v, with %v", where(), again, got)
	}
}

// Every free set of small machines, every size.
func TestCenterExhaustive(t *testing.T) {
	for _, machine := range []*topology.Cube{mesh(t, 2, 4), mesh(t, 3, 3), mesh(t, 2, 2, 2),
		torus(t, []int{7}, true), torus(t, []int{4, 2}, true, false)} {
		free := make([]bool, machine.Nodes())
		s := spaceOf(machine, free)
		for _, short := range centerForms() {
			a := makeAllocator(t, short, machine)
			for set := range 1 << machine.Nodes() {
				count := 0
				for n := range free {
					if free[n] = set>>n&1 == 1; free[n] {
						count++
					}
				}
				f := freeSet(free)
				for size := 1; size <= count; size++ {
					checkCenter(t, short, a, s, f, Request{Size: size})
				}
			}
		}
	}
}

// Random machines of one to three dimensions, any of which may wrap, with
// random free sets and shapes.
func TestCenterOnRandomMachines(t *testing.T) {
	stream := rand.New(rand.NewPCG(4, 5))
	for range 500 {
		machine := randomMachine(t, stream, 48)
		free := make([]bool, machine.Nodes())
		density, count := stream.Float64(), 0
		for n := range free {
			if free[n] = stream.Float64() < density; free[n] {
				count++
			}
		}
		req := Request{Size: 1 + stream.IntN(count+1)}
		shaped := Request{Size: 1}
		for _, n := range machine.Dims() {
			side := 1 + stream.IntN(min(n+1, 4))
			shaped.Size, shaped.Shape = shaped.Size*side, append(shaped.Shape, side)
		}
		s, f := spaceOf(machine, free), freeSet(free)
		for _, short := range centerForms() {
			a := makeAllocator(t, short, machine)
			checkCenter(t, short, a, s, f, req)
			if short == "mc" {
				checkCenter(t, short, a, s, f, shaped)
			}
		}
	}
}

// Machines large enough for ties over many rows of centers and for many processors in a
// last shell.
func TestMedianTiesOnLargerMachines(t *testing.T) {
	stream := rand.New(rand.NewPCG(6, 7))
	for _, machine := range []*topology.Cube{
		mesh(t, 13, 12), mesh(t, 5, 21), mesh(t, 6, 5, 4), mesh(t, 60),
		torus(t, []int{12, 9}, true, true), torus(t, []int{9, 11}, false, true),
		torus(t, []int{11, 8}, true, false), torus(t, []int{6, 5, 4}, true, false, true),
	} {
		free := make([]bool, machine.Nodes())
		for round := range 3 {
			density, count := 0.3+0.3*float64(round), 0
			for n := range free {
				if free[n] = stream.Float64() < density; free[n] {
					count++
				}
			}
			s, f := spaceOf(machine, free), freeSet(free)
			for _, short := range []string{"gen-alg", "mm", "mm:greedy"} {
				req := Request{Size: 1 + stream.IntN(min(count, 24))}
				checkCenter(t, short, makeAllocator(t, short, machine), s, f, req)
			}
		}
	}
}

// The processors (0, 2) and (2, 2) are equally near to the center (1, 1). The previous
// center, (3, 0), left (2, 2) first in the list.
func TestMedianTiesKeepTheOrderOfTheList(t *testing.T) {
	machine := mesh(t, 4, 3)
	free := make([]bool, 12)
	for _, n := range []topology.Node{3, 5, 8, 10} {
		free[n] = true
	}
	for short, want := range map[string][]topology.Node{
		"gen-alg": {5, 10}, "gen-alg:node-order": {5, 8}, "gen-alg:greedy": {5, 8},
	} {
		got, _ := makeAllocator(t, short, machine).Allocate(nil, freeSet(free), Request{Size: 2})
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", short, got, want)
		}
	}
}

func randomMachine(t testing.TB, stream *rand.Rand, most int) *topology.Cube {
	for {
		dims := make([]int, 1+stream.IntN(3))
		wrap := make([]bool, len(dims))
		nodes := 1
		for d := range dims {
			dims[d], wrap[d] = 1+stream.IntN(9), stream.IntN(3) == 0
			nodes *= dims[d]
		}
		if nodes <= most {
			return torus(t, dims, wrap...)
		}
	}
}
