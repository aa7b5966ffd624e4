package allocation_test

import (
	"slices"
	"strings"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/internal/call"
	"contend/internal/input"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Calls are read, and written with bare values in the order in which parameters are declared.
func TestCallsOfAllocators(t *testing.T) {
	for text, want := range map[string]string{"random": "random", "paging": "paging:0",
		"paging:2,row-major": "paging:2", "paging:03": "paging:3", "paging:snake": "paging:0,snake",
		"paging:order=snake,page=1": "paging:1,snake", "first-fit:rotate": "first-fit:rotate",
		"first-fit:rotate=false": "first-fit", "best-fit:rotate,boundary": "best-fit:rotate,boundary",
		"frame-sliding:free": "frame-sliding:free", "mc:previous": "mc", "mc1x1:greedy": "mc1x1:greedy",
		"mc1x1-tie":                 "mc1x1-tie:2,13,20,6",
		"mc1x1-tie:greedy":          "mc1x1-tie:2,13,20,6,greedy",
		"mc1x1-tie:2,13,20,6,twice": "mc1x1-tie:2,13,20,6,twice",
		"mc1x1-tie:wall=0":          "mc1x1-tie:2,13,0,6", "optimal:1000000": "optimal",
		"optimal:500": "optimal:limit=500", "ptas:m=3": "ptas", "quasi-contiguous": "quasi-contiguous:0",
		"sum-of-squares:linear,hilbert": "sum-of-squares:hilbert,linear",
		"free-list:snake/x-y":           "free-list:snake/x-y", "free-list:row-major": "free-list",
		"slurm-tree:22.05": "slurm-tree:22.05", "slurm-block:16,4": "slurm-block:16,4"} {
		v, err := parsed(text)
		if err != nil || v.String() != want {
			t.Errorf("%q is %q, %v; want %q", text, v, err, want)
		}
		if again, err := parsed(v.String()); err != nil || again.String() != want {
			t.Errorf("%q is read as %q, %v", v, again, err)
		}
	}
}

// parsed reads a call.
func parsed(text string) (call.Values, *input.Error) {
	table := entries()
	i := slices.IndexFunc(table, func(e allocation.Entry) bool { return e.Name == call.Name(text) })
	return call.Parse(text, table[i].Parameters)
}

func TestNewErrors(t *testing.T) {
	concentrated := topologytest.Cube(t, topology.CubeConfig{Dims: []int{4, 4}, Concentration: 2})
	for _, c := range []struct {
		text    string
		machine topology.Topology
		want    string
	}{
		{"pageing", topologytest.Mesh(t, 4, 4), `unknown allocator "pageing"`},
		{"paging:page=3", topologytest.Mesh(t, 12, 4),
			"allocator paging: page 3 has side 2^3, " +
				"which does not divide the sides of the 12x4 mesh; pages 0 to 2 (side 4) do"},
		{"paging:page=2", topologytest.Mesh(t, 12, 10),
			"allocator paging: page 2 has side 2^2, " +
				"which does not divide the sides of the 12x10 mesh; page 0 and page 1 (side 2) do"},
		{"buddy2d", topologytest.Mesh(t, 8, 4),
			"allocator buddy2d needs a square machine whose side " +
				"is a power of two, not a 8x4 mesh; mbs takes any"},
		{"buddy2d", topologytest.Mesh(t, 6, 6),
			"allocator buddy2d needs a square machine whose side " +
				"is a power of two, not a 6x6 mesh; mbs takes any"},
		{"first-fit", topologytest.Mesh(t, 2, 2, 2),
			"allocator first-fit needs a 2D mesh or torus; this machine has 3 dimensions"},
		{"ptas:m=5", topologytest.Mesh(t, 4, 4),
			"allocator ptas with m = 5 goes through all " +
				"divisions of the machine and takes at most 9 nodes; the 4x4 mesh has 16"},
		{"ptas", topologytest.Torus(t, []int{4, 4}, true, false),
			"allocator ptas needs a mesh of one or two dimensions, not a 4x4 torus"},
		{"mc", topologytest.Mesh(t, 2, 2, 2, 2),
			"allocator mc counts along coordinates and needs a " +
				"mesh or torus of up to three dimensions; this machine has 4"},
		{"mc1x1", topologytest.Tree(t, 4, 2, 16),
			"allocator mc1x1 counts along coordinates and " +
				"needs a mesh or torus of up to three dimensions; this machine is neither"},
		{"mc1x1", concentrated,
			"allocator mc1x1 needs one node on every router; this machine has 32 nodes on 16 routers"},
		{"mbs", concentrated,
			"allocator mbs needs one node on every router; this machine has 32 nodes on 16 routers"},
		{"mc:first", topologytest.Mesh(t, 4, 4), `mc has no parameter "first": there are last_shell ` +
			`(previous, l1, greedy, node-order)`},
		{"mm:last_shell=l1", topologytest.Mesh(t, 4, 4),
			`mm:last_shell is "l1": there are previous, greedy, node-order`},
		{"free-list:order=hilber/yx", topologytest.Mesh(t, 4, 4), `free-list:order is "hilber/yx": ` +
			`unknown order "hilber": there are row-major, shuffled-row-major, snake, shuffled-snake, ` +
			`middle-out, hilbert, h-index, optimized`},
	} {
		a, err := made(c.text, c.machine)
		if a != nil || err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v, %v\nwant %s", c.text, a, err, c.want)
		}
	}
}

// Every listed name has a constructor and a description.
func TestNamesCanBeMade(t *testing.T) {
	for _, info := range entries() {
		var machine topology.Topology = topologytest.Mesh(t, 4, 4)
		switch {
		case strings.HasSuffix(info.Name, "contiguous") || info.Name == "isolated":
			machine = topologytest.Tree(t, 4, 2, 16)
		case strings.HasPrefix(info.Doc, "machine of groups"):
			machine = topologytest.Dragonfly(t, 4, 2, 2, 0)
		case strings.HasPrefix(info.Doc, "machine of switches"):
			machine = topologytest.Tree(t, 2, 3, 8)
		case strings.HasPrefix(info.Doc, "HyperX"):
			machine = topologytest.Hyper(t, 1, 4, 4)
		}
		a := allocationtest.Make(t, entries(), info.Name, machine)
		_, ok := a.Allocate(nil, allocation.NewFreeSet(machine.Nodes()), allocation.Request{Size: 1})
		if !ok || !strings.Contains(info.Doc, "19") && !strings.Contains(info.Doc, "20") {
			t.Errorf("%s (%s) places no single processor or cites nothing", info.Name, info.Doc)
		}
	}
}

func TestRandomNeedsItsStream(t *testing.T) {
	site := allocation.Site{Machine: topologytest.Mesh(t, 2, 2)}
	if must.Panic(func() { allocation.Named(entries(), "random", site) }) == "" {
		t.Error("random was made without a stream")
	}
}
