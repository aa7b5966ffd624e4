package tree

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/allocation/machinetest"
	"contend/internal/must"
	"contend/netsim/topology"
)

// Every free set of small trees, every size.
func TestTreeAllocatorsExhaustively(t *testing.T) {
	for _, m := range []*topology.FatTree{machinetest.Tree(t, 2, 3, 0).FatTree, machinetest.Tree(t, 3,
		2, 0).FatTree,
		machinetest.Tree(t, 2, 4, 9).FatTree, machinetest.Tree(t, 3, 3, 10).FatTree, machinetest.Tree(t,
			5, 1, 0).FatTree,
		machinetest.Tree(t, 4, 2, 7).FatTree, machinetest.Fat(t,
			topology.FatTreeConfig{Children: []int{3, 2, 2}, Nodes: 10}),
		machinetest.Fat(t, topology.FatTreeConfig{Children: []int{1, 4, 1, 2}})} {
		for free, f := range allocationtest.EveryFreeSet(m.Nodes(), 1) {
			for size := 1; size <= m.Nodes(); size++ {
				for _, percent := range []int{10, 34, 100} {
					checkTreeDecision(t, m, free, f, size, percent)
				}
			}
		}
	}
}

// Large trees, with spans that share words and spans of several words.
func TestTreeAllocatorsAgainstReference(t *testing.T) {
	for _, m := range []*topology.FatTree{machinetest.Tree(t, 4, 4, 240).FatTree, machinetest.Tree(t,
		3, 5, 0).FatTree,
		machinetest.Tree(t, 3, 5, 200).FatTree, machinetest.Tree(t, 2, 9, 0).FatTree, machinetest.Tree(t,
			7, 3, 300).FatTree,
		machinetest.Tree(t, 70, 2, 4000).FatTree, machinetest.Tree(t, 4, 6, 4008).FatTree,
		machinetest.Fat(t, topology.FatTreeConfig{Children: []int{18, 10, 3}, Parents: []int{6},
			Nodes: 500}),
		machinetest.Fat(t, topology.FatTreeConfig{Children: []int{3, 5, 1, 7, 2}})} {
		t.Run(fmt.Sprint(machinetest.ChildrenOf(m)), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				free := allocationtest.DrawTreeFree(rt, m)
				size := rapid.IntRange(1, m.Nodes()).Draw(rt, "size")
				if rapid.Bool().Draw(rt, "small") {
					size = 1 + size%30
				}
				checkTreeDecision(rt, m, free, allocationtest.FreeSet(free), size, rapid.IntRange(0,
					100).Draw(rt, "percent"))
			})
		})
	}
}

// An empty tree places every job that fits, whole and in order.
func TestTreeCheckIsTheEmptyMachine(t *testing.T) {
	for _, m := range []*topology.Tree{machinetest.Tree(t, 4, 3, 0), machinetest.Tree(t, 4, 3, 50),
		machinetest.Tree(t, 3, 3, 11),
		machinetest.Tree(t, 2, 1, 1)} {
		for _, a := range []allocation.Allocator{quasi(t, m, 0), quasi(t, m, 30), NewSequential(m)} {
			for size := 1; size <= m.Nodes()+1; size++ {
				got, ok := a.Allocate(nil, allocation.NewFreeSet(m.Nodes()), allocation.Request{Size: size})
				if err := a.Check(allocation.Request{Size: size}); ok != (err == nil) ||
					ok != (size <= m.Nodes()) {
					t.Errorf("size %d of %d: placed %v, check says %v", size, m.Nodes(), ok, err)
				}
				for i, n := range got {
					if int(n) != i {
						t.Fatalf("size %d: rank %d on node %d", size, i, n)
					}
				}
			}
		}
	}
}

func TestTreeAllocatorErrors(t *testing.T) {
	m := machinetest.Tree(t, 4, 3, 0)
	for _, percent := range []int{-1, 101} {
		if _, err := NewQuasiContiguous(m, percent); err == nil ||
			!strings.Contains(err.Error(), "must be 0 to 100") {
			t.Errorf("%d percent: %v", percent, err)
		}
	}
	if _, err := NewContiguous(machinetest.Mesh(t, 4, 4)); err == nil ||
		!strings.Contains(err.Error(), "contiguous needs a tree") {
		t.Errorf("a mesh: %v", err)
	}
	if _, err := allocation.NewTreeMeter(machinetest.Mesh(t, 4, 4)); err == nil {
		t.Error("a mesh has levels")
	}
	for _, a := range []allocation.Allocator{quasi(t, m, 10), NewSequential(m)} {
		if must.Panic(func() { a.Allocate(nil, allocation.NewFreeSet(64), allocation.Request{}) }) == "" {
			t.Errorf("%T takes a request for nothing", a)
		}
	}
}

// The rest lies in the last word, in a subtree that would extend beyond it.
func TestQuasiContiguousAtTheEnd(t *testing.T) {
	m := machinetest.Tree(t, 3, 5, 190)
	want := make([]topology.Node, 0, 20)
	for n := topology.Node(163); n < 182; n++ {
		want = append(want, n)
	}
	want = append(want, 189)
	got, ok := quasi(t, m, 5).Allocate(nil, freeOnly(190, want...), allocation.Request{Size: 20})
	if !ok || !slices.Equal(got, want) {
		t.Errorf("%v %v, want %v", got, ok, want)
	}
}

// On a machine that is not a tree sequential takes the first free nodes.
func TestSequentialOnAMesh(t *testing.T) {
	free := allocationtest.FreeSet([]bool{true, false, true, true, false, true})
	got, ok := NewSequential(machinetest.Mesh(t, 3, 2)).Allocate(nil, free,
		allocation.Request{Size: 3})
	if !ok || !slices.Equal(got, []topology.Node{0, 2, 3}) {
		t.Errorf("%v %v", got, ok)
	}
}
