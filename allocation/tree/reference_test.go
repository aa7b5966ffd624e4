package tree

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/allocation/machinetest"
	"contend/internal/must"
	"contend/netsim/topology"
)

func quasi(t testing.TB, machine topology.Topology, percent int) *quasiContiguous {
	t.Helper()
	return must.Have(NewQuasiContiguous(machine, percent))
}

// treeReference is quasi-contiguous allocation written for plainness: lists of free
// nodes, subtrees found by division, and a separate contiguous search.
//
// children are the subtrees below a router of each level.
func treeReference(children []int, percent int, free []bool, size int) ([]topology.Node, bool) {
	in := func(first, n int) (list []topology.Node) {
		for i := first; i < first+n && i < len(free); i++ {
			if free[i] {
				list = append(list, topology.Node(i))
			}
		}
		return list
	}
	span := 1
	for ; span < size; children = children[1:] {
		span *= children[0]
	}
	for first := 0; first < len(free); first += span {
		if list := in(first, span); len(list) >= size {
			return list[:size], true
		}
	}
	if len(children) == 0 {
		return nil, false
	}
	above := span * children[0]
	for parent := 0; parent < len(free); parent += above {
		all := in(parent, above)
		if len(all) < size {
			continue
		}
		var main []topology.Node
		for first := parent; first < parent+above; first += span {
			if list := in(first, span); len(list) > len(main) {
				main = list
			}
		}
		lacks := size - len(main)
		if 100*(lacks-1) >= percent*size { // lacks > ceil(percent·size/100)
			continue
		}
		rest := slices.DeleteFunc(all, func(n topology.Node) bool { return slices.Contains(main, n) })
		return append(main, rest[:lacks]...), true
	}
	return nil, false
}

// checkTreeDecision compares decisions of the three allocators with the rules of all
// allocators, with the reference and with each other.
func checkTreeDecision(t rapid.TB, machine *topology.FatTree, free []bool,
	f *allocation.FreeSet, size, percent int) {
	t.Helper()
	children := machinetest.ChildrenOf(machine)
	where := func(name string) string {
		return fmt.Sprintf("%s %d%%, tree of %v, size %d of free %v", name, percent, children, size, free)
	}
	a := must.Have(NewQuasiContiguous(machine, percent))
	b := must.Have(NewContiguous(machine))
	before, prefix := slices.Clone(f.Words()), []topology.Node{-7, -8}
	for name, k := range map[string]struct {
		a       allocation.Allocator
		percent int
	}{"quasi-contiguous": {a, percent}, "contiguous": {b, 0}} {
		want, placed := treeReference(children, k.percent, free, size)
		got, ok := k.a.Allocate(prefix, f, allocation.Request{Size: size})
		if !slices.Equal(got[:2], prefix) || !slices.Equal(before, f.Words()) {
			t.Fatalf("%s: changed what it was given", where(name))
		}
		if ok != placed || !slices.Equal(got[2:], want) {
			t.Fatalf("%s:\n got %v %v\nwant %v %v", where(name), got[2:], ok, want, placed)
		}
	}
	var want []topology.Node
	for n := range free {
		if free[n] && len(want) < size {
			want = append(want, topology.Node(n))
		}
	}
	got, ok := NewSequential(machine).Allocate(prefix, f, allocation.Request{Size: size})
	if enough := len(want) == size; ok != enough || ok && !slices.Equal(got[2:], want) ||
		!ok && len(got) != 2 {
		t.Fatalf("%s: got %v %v, want %v", where("sequential"), got[2:], ok, want)
	}
}
