package allocation

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/netsim/topology"
)

func tree(t testing.TB, arity, levels, nodes int) *topology.Tree {
	t.Helper()
	m, err := topology.NewTree(topology.TreeConfig{Arity: arity, Levels: levels, Nodes: nodes})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// fat returns a fat tree of so many subtrees at each level, from the bottom.
func fat(t testing.TB, c topology.FatTreeConfig) *topology.FatTree {
	t.Helper()
	m, err := topology.NewFatTree(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func quasi(t testing.TB, machine topology.Topology, percent int) *quasiContiguous {
	t.Helper()
	a, err := newQuasiContiguous(machine, percent)
	if err != nil {
		t.Fatal(err)
	}
	return a
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
	f *FreeSet, size, percent int) {
	t.Helper()
	children := childrenOf(machine)
	where := func(name string) string {
		return fmt.Sprintf("%s %d%%, tree of %v, size %d of free %v", name, percent, children, size, free)
	}
	a, err := newQuasiContiguous(machine, percent)
	if err != nil {
		t.Fatal(err)
	}
	b, err := newContiguous(machine)
	if err != nil {
		t.Fatal(err)
	}
	before, prefix := slices.Clone(f.words), []topology.Node{-7, -8}
	for name, k := range map[string]struct {
		a       Allocator
		percent int
	}{"quasi-contiguous": {a, percent}, "contiguous": {b, 0}} {
		want, placed := treeReference(children, k.percent, free, size)
		got, ok := k.a.Allocate(prefix, f, Request{Size: size})
		if !slices.Equal(got[:2], prefix) || !slices.Equal(before, f.words) {
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
	got, ok := newSequential(machine).Allocate(prefix, f, Request{Size: size})
	if enough := len(want) == size; ok != enough || ok && !slices.Equal(got[2:], want) ||
		!ok && len(got) != 2 {
		t.Fatalf("%s: got %v %v, want %v", where("sequential"), got[2:], ok, want)
	}
}

// childrenOf returns the subtrees below a router of each level.
func childrenOf(machine *topology.FatTree) (children []int) {
	for l := range machine.Levels() {
		children = append(children, machine.Children(l))
	}
	return children
}

// drawTreeFree draws free nodes, as subtrees and as single nodes.
func drawTreeFree(rt *rapid.T, m *topology.FatTree) []bool {
	free := make([]bool, m.Nodes())
	start := rapid.Bool().Draw(rt, "start")
	for n := range free {
		free[n] = start
	}
	for range rapid.IntRange(0, 8).Draw(rt, "subtrees") {
		span := m.Span(rapid.IntRange(0, m.Levels()-1).Draw(rt, "level"))
		first := rapid.IntRange(0, (m.Nodes()-1)/span).Draw(rt, "subtree") * span
		set := rapid.Bool().Draw(rt, "set")
		for n := first; n < min(first+span, m.Nodes()); n++ {
			free[n] = set
		}
	}
	for _, n := range rapid.SliceOfN(rapid.IntRange(0, m.Nodes()-1), 0, 12).Draw(rt, "single") {
		free[n] = !free[n]
	}
	return free
}
