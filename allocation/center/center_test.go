package center_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/allocation/center"
	"contend/allocation/exact"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// checkCenter compares one decision of a center-based allocator, and its count of ties,
// with the plain one.
func checkCenter(t testing.TB, short string, a allocation.Allocator, s space,
	f *allocation.FreeSet, req allocation.Request) {
	t.Helper()
	c := settingsOf(short)
	a.(allocation.TieCounter).CountTies(true)
	got, ok := a.Allocate(nil, f, req)
	want, ties, placed := s.allocate(c, req)
	where := func() string {
		return fmt.Sprintf("%s on %v wrapping %v, %v of %v", short, s.dims, s.wrap, req, s.free)
	}
	if ok != placed || !slices.Equal(got, want) {
		t.Fatalf("%s:\n got %v %v\nwant %v %v", where(), got, ok, want, placed)
	}
	if ok && a.(allocation.TieCounter).Ties() != ties {
		t.Fatalf("%s: %d ties, want %d", where(), a.(allocation.TieCounter).Ties(), ties)
	}
	// Without the count the search stops earlier.
	a.(allocation.TieCounter).CountTies(false)
	if again, _ := a.Allocate(nil, f, req); !slices.Equal(again, got) {
		t.Fatalf("%s: without counting ties %v, with %v", where(), again, got)
	}
}

// Every free set of small machines, every size; without the tag long a sample.
func TestCenterExhaustive(t *testing.T) {
	for _, machine := range []*topology.Cube{topologytest.Mesh(t, 2, 4), topologytest.Mesh(t, 3, 3),
		topologytest.Mesh(t, 2, 2, 2),
		topologytest.Torus(t, []int{7}, true), topologytest.Torus(t, []int{4, 2}, true, false)} {
		s := spaceOf(machine, nil)
		for _, short := range centerForms() {
			a := makeCenter(t, short, machine)
			step := allocationtest.Rounds(1, 11)
			for free, f := range allocationtest.EveryFreeSet(machine.Nodes(), step) {
				s.free = free
				for size := 1; size <= f.Count(); size++ {
					checkCenter(t, short, a, s, f, allocation.Request{Size: size})
				}
			}
		}
	}
}

// Random machines of one to three dimensions, any of which may wrap, with
// random free sets and shapes.
func TestCenterOnRandomMachines(t *testing.T) {
	stream := rand.New(rand.NewPCG(4, 5))
	for range allocationtest.Rounds(500, 60) {
		machine := topologytest.RandomMachine(t, stream, 48)
		free, f := allocationtest.Dense(stream, machine.Nodes(), stream.Float64())
		req := allocation.Request{Size: 1 + stream.IntN(f.Count()+1)}
		shaped := allocation.Request{Size: 1}
		for _, n := range machine.Dims() {
			side := 1 + stream.IntN(min(n+1, 4))
			shaped.Size, shaped.Shape = shaped.Size*side, append(shaped.Shape, side)
		}
		s := spaceOf(machine, free)
		for _, short := range centerForms() {
			a := makeCenter(t, short, machine)
			checkCenter(t, short, a, s, f, req)
			if short == "mc" {
				checkCenter(t, short, a, s, f, shaped)
			}
		}
	}
}

// Machines large enough for ties over many rows of centers, for many processors in a last shell
// and for bounds of scores.
func TestTiesOnLargerMachines(t *testing.T) {
	stream := rand.New(rand.NewPCG(6, 7))
	for _, machine := range []*topology.Cube{
		topologytest.Mesh(t, 13, 12), topologytest.Mesh(t, 5, 21), topologytest.Mesh(t, 6, 5, 4),
		topologytest.Mesh(t, 60),
		topologytest.Torus(t, []int{12, 9}, true, true), topologytest.Torus(t, []int{9, 11}, false, true),
		topologytest.Torus(t, []int{11, 8}, true, false), topologytest.Torus(t, []int{6, 5, 4}, true,
			false, true),
	} {
		for round := range 3 {
			free, f := allocationtest.Dense(stream, machine.Nodes(), 0.3+0.3*float64(round))
			s := spaceOf(machine, free)
			for _, short := range []string{"gen-alg", "mm", "mm:greedy", "mc", "mc1x1",
				"mc1x1-tie:2,13,20,6,twice", "mc1x1-tie:1,0,9,2"} {
				req := allocation.Request{Size: 1 + stream.IntN(min(f.Count(), 24))}
				checkCenter(t, short, makeCenter(t, short, machine), s, f, req)
			}
		}
	}
}

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

// makeCenter makes the allocator of a call.
func makeCenter(t testing.TB, text string, machine topology.Topology) allocation.Allocator {
	t.Helper()
	return allocationtest.Make(t, append(center.Allocators(), exact.Allocators()...), text, machine)
}

// Decisions by hand, examples of papers, and refusals.
func TestStories(t *testing.T) { allocationtest.Stories(t, center.Allocators()) }
