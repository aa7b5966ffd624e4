package manager

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// stack returns a machine of switches: the numbers of nodes of the leaves, and how many of those
// are below each switch of the next level, under one switch on top of the highest level.
func stack(t testing.TB, leaves []int, below ...[]int) *topology.Graph {
	t.Helper()
	c := topology.GraphConfig{Routers: len(leaves), Levels: make([]int, len(leaves))}
	for r, n := range leaves {
		for range n {
			c.Nodes = append(c.Nodes, topology.Router(r))
		}
	}
	first := 0
	for level, parts := range below {
		next := c.Routers
		for _, n := range parts {
			for range n {
				c.Links = append(c.Links, topology.GraphLink{From: topology.Router(first),
					To: topology.Router(c.Routers)})
				first++
			}
			c.Routers++
			c.Levels = append(c.Levels, level+1)
		}
		first = next
	}
	return must.Have(topology.NewGraph(c))
}

// slurmCase is a decision: the free nodes, the size of a job, and its nodes, none if it waits.
type slurmCase struct {
	free []int
	size int
	want []topology.Node
}

func checkCases(t *testing.T, name string, a allocation.Allocator, nodes int, cases []slurmCase) {
	t.Helper()
	for _, k := range cases {
		free := make([]bool, nodes)
		for _, n := range k.free {
			free[n] = true
		}
		got, ok := allocationtest.Decide(t, name, a, free, allocationtest.FreeSet(free),
			allocation.Request{Size: k.size})
		if ok != (k.want != nil) || !slices.Equal(got, k.want) && k.want != nil {
			t.Errorf("%s: %d of %v gets %v %v, want %v", name, k.size, k.free, got, ok, k.want)
		}
	}
}

// The best leaf switch is the tightest that suffices; where none does, switches below the tightest
// upper switch that suffices are filled, the fullest first.
func TestSlurmTreeByHand(t *testing.T) {
	// Leaves of 4 nodes: 0-3, 4-7 | 8-11, 12-15.
	m := stack(t, []int{4, 4, 4, 4}, []int{2, 2}, []int{2})
	cases := []slurmCase{
		{[]int{0, 1, 2, 5, 6, 9, 10, 11, 12}, 2, []topology.Node{5, 6}}, // the tightest
		{[]int{0, 1, 4, 5, 9, 10}, 2, []topology.Node{0, 1}},            // the first of equals
		{[]int{0, 1, 2, 3}, 3, []topology.Node{0, 1, 2}},
		// No leaf has five: of the left half with 6 and the right one with 5 the right.
		{[]int{0, 1, 2, 4, 5, 6, 9, 10, 11, 12, 13}, 5, []topology.Node{9, 10, 11, 12, 13}},
		{[]int{0}, 2, nil},
	}
	for _, version := range []string{"", "22.05"} {
		checkCases(t, "slurm-tree:"+version, must.Have(NewSlurmTree(m, version)), 16, cases)
	}
}

// The rule before 24.05.3 went on as if upper switches still had the nodes that a job has taken.
func TestSlurmTreeVersionsDiffer(t *testing.T) {
	m := stack(t, []int{5, 5, 5, 5, 5, 5}, []int{3, 3}, []int{2})
	differ, stream := 0, rand.New(rand.NewPCG(1, 1))
	now, old := must.Have(NewSlurmTree(m, "")), must.Have(NewSlurmTree(m, "22.05"))
	for range 200 {
		free, f := allocationtest.Dense(stream, 30, stream.Float64())
		for size := 1; size <= f.Count(); size++ {
			x, _ := allocationtest.Decide(t, "slurm-tree", now, free, f, allocation.Request{Size: size})
			y, _ := allocationtest.Decide(t, "slurm-tree:22.05", old, free, f,
				allocation.Request{Size: size})
			if !slices.Equal(x, y) {
				differ++
			}
		}
	}
	if differ == 0 {
		t.Error("both versions decide alike in all states")
	}
}

// A job gets the block with the fewest free nodes that suffice, the last of equals, and may not
// lie across more blocks than it needs.
func TestSlurmBlockByHand(t *testing.T) {
	m := stack(t, []int{4, 4, 4, 4}, []int{2, 2}, []int{2}) // pairs and fours of base blocks
	checkCases(t, "slurm-block", must.Have(NewSlurmBlock(m, 0, 0)), 16, []slurmCase{
		{[]int{0, 1, 2, 5, 6, 9, 10}, 2, []topology.Node{9, 10}}, // the last of equals
		{[]int{0, 4, 8, 12}, 2, nil},                             // two nodes need one block
		{[]int{0, 1, 2, 4, 5, 6, 8, 9, 10, 11, 12}, 5, []topology.Node{8, 9, 10, 11, 12}},
		{[]int{0, 1, 2, 4, 8, 9, 10, 12}, 5, nil},
	})
	checkCases(t, "slurm-block:4,2", must.Have(NewSlurmBlock(m, 4, 2)), 16, []slurmCase{
		{[]int{0, 1, 4, 8, 9, 12, 13, 14}, 6, []topology.Node{0, 1, 8, 9, 12, 13}},
		{[]int{0, 4, 8, 12}, 2, nil}, {[]int{0, 1, 2}, 3, []topology.Node{0, 1, 2}},
	})
}

// Jobs wait for a switch of the lowest level that can hold them.
func TestOneSwitchByHand(t *testing.T) {
	m := stack(t, []int{4, 4, 4, 4}, []int{2, 2}, []int{2})
	checkCases(t, "one-switch", must.Have(NewOneSwitch(m)), 16, []slurmCase{
		{[]int{0, 1, 2, 5, 6, 9, 10}, 2, []topology.Node{5, 6}}, // the first of the tightest
		{[]int{0, 4, 8, 12}, 2, nil},
		{[]int{0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13}, 5, []topology.Node{8, 9, 10, 12, 13}},
		{[]int{0, 1, 2, 4, 8, 9, 10, 12}, 5, nil},
		{[]int{0, 1, 2, 4, 8, 9, 10, 12}, 8, nil},
		{[]int{0, 1, 2, 3, 4, 5, 8, 9, 10, 12}, 9, []topology.Node{0, 1, 2, 3, 4, 5, 8, 9, 10}},
	})
}

// A fat tree is the tree of its subtrees.
func TestSlurmTreeOnFatTrees(t *testing.T) {
	fat := topologytest.Fat(t, topology.FatTreeConfig{Children: []int{4, 2, 2}, Parents: []int{2, 2}})
	plain := stack(t, []int{4, 4, 4, 4}, []int{2, 2}, []int{2})
	a, b := must.Have(NewSlurmTree(fat, "")), must.Have(NewSlurmTree(plain, ""))
	for free, f := range allocationtest.EveryFreeSet(16, 11) {
		for size := 1; size <= 16; size++ {
			req := allocation.Request{Size: size}
			want, placed := b.Allocate(nil, f, req)
			allocationtest.Compare(t, "fat tree", a, free, f, req, want, placed)
		}
	}
}

func TestManagersRefuseMachines(t *testing.T) {
	_, err := NewSlurmTree(topologytest.Mesh(t, 4, 4), "")
	if err == nil || !strings.Contains(err.Error(), "slurm-tree needs a tree, a fat-tree or") {
		t.Error(err)
	}
	_, err = NewSlurmBlock(topologytest.Tree(t, 3, 2, 9), 0, 0)
	if err == nil || !strings.Contains(err.Error(), "needs switches above 2^l neighbouring") {
		t.Error(err)
	}
	odd := must.Have(topology.NewGraph(topology.GraphConfig{Routers: 2, Levels: []int{0, 1},
		Nodes: []topology.Router{0, 1}, Links: []topology.GraphLink{{From: 0, To: 1}}}))
	_, err = NewSlurmTree(odd, "")
	if err == nil || !strings.Contains(err.Error(), "node 1 is on one of level 1") {
		t.Error(err)
	}
	a := must.Have(NewSlurmBlock(stack(t, []int{4, 4}, []int{2}), 0, 3))
	if err := a.Check(allocation.Request{Size: 6}); err != nil {
		t.Error(err)
	}
	if err := must.Have(NewSlurmBlock(stack(t, []int{3, 3}, []int{2}), 0, 2)).Check(
		allocation.Request{Size: 6}); err == nil {
		t.Error("three segments of two are placed in two blocks of three")
	}
}

// Once its buffers have grown no allocator allocates memory.
func TestNoMemoryInSteadyState(t *testing.T) {
	m := topologytest.Tree(t, 2, 6, 0)
	for _, a := range []allocation.Allocator{must.Have(NewSlurmTree(m, "")),
		must.Have(NewSlurmBlock(m, 0, 0))} {
		dst, f := make([]topology.Node, 0, 64), allocation.NewFreeSet(64)
		f.Take([]topology.Node{0, 5, 9, 17, 33})
		n := testing.AllocsPerRun(5, func() { a.Allocate(dst, f, allocation.Request{Size: 20}) })
		if n > 0 {
			t.Errorf("%T: %v allocations a decision", a, n)
		}
	}
}
