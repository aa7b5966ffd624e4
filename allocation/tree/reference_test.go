package tree

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

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
	children := topologytest.ChildrenOf(machine)
	quasi := must.Have(NewQuasiContiguous("quasi-contiguous", machine, percent))
	contiguous := must.Have(NewContiguous(machine))
	where := fmt.Sprintf("%d%%, tree of %v", percent, children)
	req := allocation.Request{Size: size}
	want, placed := treeReference(children, percent, free, size)
	allocationtest.Compare(t, "quasi-contiguous, "+where, quasi, free, f, req, want, placed)
	want, placed = treeReference(children, 0, free, size)
	allocationtest.Compare(t, "contiguous, "+where, contiguous, free, f, req, want, placed)
	var first []topology.Node
	for n := range free {
		if free[n] && len(first) < size {
			first = append(first, topology.Node(n))
		}
	}
	allocationtest.Compare(t, "sequential", NewSequential(machine), free, f, req, first,
		len(first) == size)
}
