package allocation_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/allocation/center"
	"contend/allocation/exact"
	"contend/allocation/manager"
	"contend/allocation/order"
	"contend/allocation/submesh"
	"contend/allocation/tree"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// entries are those of all families.
func entries() []allocation.Entry {
	return slices.Concat(submesh.Allocators(), center.Allocators(), exact.Allocators(),
		order.Allocators(), tree.Allocators(), manager.Allocators())
}

// made makes an allocator of a call, with a stream.
func made(text string, machine topology.Topology) (allocation.Allocator, error) {
	site := allocation.Site{Machine: machine, Stream: rand.New(rand.NewPCG(1, 2))}
	return allocation.Named(entries(), text, site)
}

// someForms lists allocators of all families that work on a square mesh.
func someForms() []string {
	return []string{"random", "mbs", "gabl", "anca", "first-fit", "best-fit:boundary", "frame-sliding:rotate",
		"paging:0,snake", "mc", "mc:greedy", "mc1x1:l1", "mc1x1-tie", "mc1x1-tie:2,13,20,6,twice",
		"gen-alg", "gen-alg:greedy", "mm", "mm:node-order", "mm-inc", "optimal:10", "best-fit-1d:hilbert",
		"free-list", "first-fit-1d:linear", "sum-of-squares:hilbert",
		"sequential", "by-router", "random-routers"}
}

// Check accepts a request exactly if the empty machine can serve it.
func TestCheckIsTheEmptyMachine(t *testing.T) {
	for _, dims := range [][2]int{{4, 4}, {8, 8}, {5, 4}, {7, 3}, {1, 6}, {6, 1}} {
		width, height := dims[0], dims[1]
		f := allocation.NewFreeSet(width * height)
		for _, short := range someForms() {
			a := allocationtest.Make(t, entries(), short, topologytest.Mesh(t, width, height))
			all := append(allocationtest.Requests(width, height), allocation.Request{Size: 4,
				Shape: []int{2, 1, 2}},
				allocation.Request{Size: 1, Shape: []int{1}})
			for _, req := range all {
				_, ok := a.Allocate(nil, f, req)
				if err := a.Check(req); ok != (err == nil) {
					t.Errorf("%s on %dx%d, %v: placed %v, check says %v", short, width, height, req, ok, err)
				}
			}
		}
	}
}

func TestPanicsOnSenselessRequest(t *testing.T) {
	for _, short := range someForms() {
		a := allocationtest.Make(t, entries(), short, topologytest.Mesh(t, 8, 8))
		for _, req := range []allocation.Request{{}, {Size: -1}, {Size: 7, Shape: []int{2, 3}}} {
			if must.Panic(func() { a.Allocate(nil, allocation.NewFreeSet(64), req) }) == "" {
				t.Errorf("%s takes %v", short, req)
			}
		}
	}
}

// Once its buffers have grown no allocator allocates memory.
func TestNoMemoryInSteadyState(t *testing.T) {
	mesh, tree := topologytest.Mesh(t, 16, 16), topologytest.Tree(t, 4, 4, 0)
	f := allocationtest.HalfFull(mesh, allocationtest.Make(t, entries(), "first-fit", mesh))
	for _, short := range append(someForms(), "contiguous", "quasi-contiguous:30") {
		var machine topology.Topology = mesh
		if strings.HasSuffix(strings.TrimSuffix(short, ":30"), "contiguous") {
			machine = tree
		}
		a := allocationtest.Make(t, entries(), short, machine)
		dst := make([]topology.Node, 0, machine.Nodes())
		for _, req := range []allocation.Request{{Size: 64}, {Size: 64, Shape: []int{8, 8}},
			{Size: 24, Shape: []int{8, 3}}, {Size: 110}} {
			if n := testing.AllocsPerRun(5, func() { a.Allocate(dst, f, req) }); n != 0 {
				t.Errorf("%s, %v: %v allocations a decision", short, req, n)
			}
		}
	}
}

// Machines that an allocator does not know are refused with the reason.
func TestPlacementsRefuseMachines(t *testing.T) {
	for _, k := range []struct {
		short   string
		machine topology.Topology
		want    string
	}{
		{"isolated", topologytest.Mesh(t, 4, 4), "needs a tree or a fat-tree; this machine is neither"},
		{"isolated", topologytest.Tree(t, 65, 2, 0),
			"subtrees of at most 64 parts with links of their own; on " +
				"level 0 of this machine they have 65"},
		{"by-group", topologytest.Mesh(t, 4, 4), "needs a machine of two or more groups, such as"},
		{"level-spread", topologytest.Tree(t, 4, 2, 0), "needs a machine of two or more groups"},
		{"random-groups", topologytest.Hyper(t, 1, 4, 4), "needs a machine of two or more groups"},
		{"by-group", topologytest.Sparse(t, 9), "this machine has none"},
		{"rows", topologytest.Mesh(t, 4, 4), "needs a HyperX; this machine is none"},
		{"diagonal", topologytest.Dragonfly(t, 4, 2, 2, 0), "needs a HyperX"},
		{"subcube", topologytest.Mesh(t, 4, 4), "needs a HyperX"},
	} {
		if _, err := made(k.short, k.machine); err == nil ||
			!strings.Contains(err.Error(), "allocator "+k.short+" ") ||
			!strings.Contains(err.Error(), k.want) {
			t.Errorf("%s: %v, want %q", k.short, err, k.want)
		}
	}
	three := topologytest.Tree(t, 3, 2, 7) // 7 nodes: no second row of three
	isolated := allocationtest.Make(t, entries(), "isolated", three)
	if err := isolated.Check(allocation.Request{Size: 7}); err == nil || !strings.Contains(err.Error(), "no isolated part of that size") {
		t.Errorf("7 of 7 nodes in rows of three: %v", err)
	}
}
