package allocation

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/must"
	"contend/router/topology"
)

// FreeSet agrees with a map, operation by operation.
func TestFreeSetIsASet(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		nodes := rapid.IntRange(1, 200).Draw(rt, "nodes")
		f := NewFreeSet(nodes)
		free := map[topology.Node]bool{}
		for n := range topology.Node(nodes) {
			free[n] = true
		}
		node := rapid.Custom(func(rt *rapid.T) topology.Node {
			return topology.Node(rapid.IntRange(0, nodes-1).Draw(rt, "node"))
		})
		rt.Repeat(map[string]func(*rapid.T){
			"take or release": func(rt *rapid.T) {
				some := rapid.SliceOfDistinct(node,
					func(n topology.Node) topology.Node { return n }).Draw(rt, "nodes")
				take := rapid.Bool().Draw(rt, "take")
				some = slices.DeleteFunc(some, func(n topology.Node) bool { return free[n] != take })
				if take {
					f.Take(some)
				} else {
					f.Release(some)
				}
				for _, n := range some {
					free[n] = !take
				}
			},
			"fill": func(*rapid.T) {
				f.Fill()
				for n := range free {
					free[n] = true
				}
			},
			"copy": func(*rapid.T) {
				g := NewFreeSet(nodes)
				g.Copy(f)
				f = g
			},
			"": func(rt *rapid.T) { compareFreeSet(rt, f, free) },
		})
	})
}

func compareFreeSet(rt *rapid.T, f *FreeSet, free map[topology.Node]bool) {
	var want, got []topology.Node
	for n := range topology.Node(f.Nodes()) {
		if f.Free(n) != free[n] {
			rt.Fatalf("node %d: free %v, want %v", n, f.Free(n), free[n])
		}
		if free[n] {
			want = append(want, n)
		}
	}
	for n, ok := f.Next(0); ok; n, ok = f.Next(n + 1) {
		got = append(got, n)
	}
	if !slices.Equal(got, want) || f.Count() != len(want) {
		rt.Fatalf("free nodes %v, count %d; want %v", got, f.Count(), want)
	}
	if got := f.AppendTo(nil); !slices.Equal(got, want) {
		rt.Fatalf("free nodes listed %v, want %v", got, want)
	}
	from := rapid.IntRange(0, f.Nodes()-1).Draw(rt, "from")
	run := rapid.IntRange(1, f.Nodes()-from).Draw(rt, "run")
	all := true
	for n := from; n < from+run; n++ {
		all = all && free[topology.Node(n)]
	}
	if f.All(topology.Node(from), run) != all {
		rt.Fatalf("nodes %d to %d: all free %v, want %v", from, from+run-1, !all, all)
	}
}

func TestFreeSetPanics(t *testing.T) {
	for name, misuse := range map[string]func(f *FreeSet){
		"take twice":      func(f *FreeSet) { f.Take([]topology.Node{3, 3}) },
		"take another's":  func(f *FreeSet) { f.Take([]topology.Node{1}); f.Take([]topology.Node{0, 1}) },
		"release free":    func(f *FreeSet) { f.Release([]topology.Node{2}) },
		"release outside": func(f *FreeSet) { f.Release([]topology.Node{10}) },
		"take outside":    func(f *FreeSet) { f.Take([]topology.Node{10}) },
	} {
		if must.Panic(func() { misuse(NewFreeSet(10)) }) == "" {
			t.Errorf("%s goes through", name)
		}
	}
}

// An answer that breaks the contract of allocators is an error.
func TestAnswersThatBreakTheContract(t *testing.T) {
	free := NewFreeSet(4)
	free.Take([]topology.Node{3})
	for _, k := range []struct {
		nodes []topology.Node
		want  string
	}{
		{[]topology.Node{0, 1}, ""},
		{[]topology.Node{0, 0}, "node 0 was granted twice"},
		{[]topology.Node{0, 3}, "node 3 is not free"},
		{[]topology.Node{0, 4}, "node 4 is not free"},
		{[]topology.Node{1}, "it granted 1 nodes for 2"},
		{[]topology.Node{1, 0, 2}, ""},
	} {
		got := ""
		if err := free.CheckGrant(k.nodes, 2); err != nil {
			got = err.Error()
		}
		if got != k.want {
			t.Errorf("%v: got %q, want %q", k.nodes, got, k.want)
		}
		if free.Count() != 3 || !free.All(0, 3) || free.Free(3) {
			t.Errorf("%v: the check changes the set", k.nodes)
		}
	}
}
