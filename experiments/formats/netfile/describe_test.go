package netfile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"contend/experiments/config/configtest"
	"contend/experiments/formats/netfile"
	"contend/router/topology"
)

// neighbours lists the links of a topology, each at both ends: the routers, and the times from the
// first to the second.
func neighbours(t topology.Topology,
	times func(r topology.Router, p topology.Port) netfile.Times) (list []string) {
	for r := range topology.Router(t.Routers()) {
		for p := range topology.Port(t.Ports()) {
			if to, _, ok := t.Peer(r, p); ok {
				list = append(list, fmt.Sprint(r, to, times(r, p)))
			}
		}
	}
	slices.Sort(list)
	return list
}

// Lines describe a network of any kind as the same graph.
func TestDescribedNetworksAreReadAgain(t *testing.T) {
	for _, short := range []string{"mesh:4x3", "torus:2x5", "hypercube:3", "tree:3x3", "tree:2x4",
		"fat-tree:2x3:2:b2", "fat-tree:2x3:2:b2r3", "dragonfly:a4h2p2g7", "dragonfly:a3h3p1",
		"hyperx:3x4:p2w2", "graph:triangle"} {
		var m topology.Topology
		if short == "graph:triangle" {
			m = triangleGraph(t)
		} else {
			m = configtest.Machine(t, short)
		}
		// Every class has its times, which differ in the two directions.
		times := func(r topology.Router, p topology.Port) netfile.Times {
			k := netfile.Times{Cycles: 3, FlitCycles: 1}
			if c, ok := m.(topology.Classed); ok {
				k.Cycles += 5 * c.LinkClass(r, p)
				k.FlitCycles += c.LinkClass(r, p)
			}
			if to, _, _ := m.Peer(r, p); to > r {
				k.Cycles++
				k.FlitCycles++
			}
			return k
		}
		n, err := netfile.Describe(m, times)
		if err != nil {
			t.Fatalf("%s: %v", short, err)
		}
		again, err := netfile.Parse("", n.Lines())
		if err != nil {
			t.Fatalf("%s: %v", short, err)
		}
		if !slices.Equal(again.Lines(), n.Lines()) {
			t.Errorf("%s: %q is read as %q", short, n.Lines(), again.Lines())
		}
		g, err := topology.NewGraph(again.Config())
		if err != nil {
			t.Fatal(err)
		}
		got := neighbours(g, func(r topology.Router, p topology.Port) netfile.Times {
			return netfile.Times{Cycles: g.LinkCycles(r, p), FlitCycles: g.LinkFlitCycles(r, p)}
		})
		if want := neighbours(m, times); !slices.Equal(got, want) {
			t.Errorf("%s has the links %q, want %q", short, got, want)
		}
		sameNodes(t, short, m, g)
	}
}

// triangleGraph returns a graph of three routers whose links differ.
func triangleGraph(t *testing.T) *topology.Graph {
	t.Helper()
	n, err := netfile.Parse("", []string{
		"router 0 name a group 0 node 0 node 1 router 1 x2 router 2",
		"router 1 name b group 1 router 2 3", "router 2 name c group 1 node 2 router 1 5"})
	if err != nil {
		t.Fatal(err)
	}
	g, err := topology.NewGraph(n.Config())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// sameNodes compares where nodes are and which groups routers belong to.
func sameNodes(t *testing.T, name string, m topology.Topology, g *topology.Graph) {
	t.Helper()
	if m.Nodes() != g.Nodes() || m.Routers() != g.Routers() {
		t.Fatalf("%s: %d nodes on %d routers, want %d on %d", name, g.Nodes(), g.Routers(), m.Nodes(),
			m.Routers())
	}
	if g.Rails() != topology.Rails(m) {
		t.Fatalf("%s: %d rails, want %d", name, g.Rails(), topology.Rails(m))
	}
	for rail := range g.Rails() {
		for k := range topology.Node(m.Nodes()) {
			want, _ := topology.AttachRail(m, k, rail)
			if got, _ := g.AttachRail(k, rail); got != want {
				t.Errorf("%s: rail %d of node %d is on router %d, want %d", name, rail, k, got, want)
			}
		}
	}
	grouped, ok := m.(topology.Grouped)
	for r := range topology.Router(m.Routers()) {
		if ok && g.Group(r) != grouped.Group(r) {
			t.Errorf("%s: router %d is in group %d", name, r, g.Group(r))
		}
	}
}

// A router has its name, its group or its rail, its nodes and its links with their times in a line.
func TestLinesOfDescribedNetworks(t *testing.T) {
	for short, want := range map[string]string{
		"fat-tree:2x2:1:r2": "router 3 name 3 rail 1 node 0 node 1 router 5 10 f1",
		"dragonfly:a2h1p3": "router 3 name group-1-router-1 group 1 node 9 node 10 node 11 router 2 10 " +
			"f1 router 5 11 f2",
	} {
		n, err := netfile.Describe(configtest.Machine(t, short),
			func(_ topology.Router, p topology.Port) netfile.Times {
				k := netfile.Times{Cycles: 10, FlitCycles: 1}
				if strings.HasPrefix(short, "dragonfly") {
					k = netfile.Times{Cycles: 10 + int(p), FlitCycles: 1 + int(p)}
				}
				return k
			})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(n.Lines(), want) {
			t.Errorf("%s: no %q in %q", short, want, n.Lines())
		}
	}
}

// Files cannot distinguish parallel links of different length.
func TestParallelLinksThatDiffer(t *testing.T) {
	g, err := topology.NewGraph(topology.GraphConfig{Routers: 2, Nodes: []topology.Router{1, 0},
		Links: []topology.GraphLink{{From: 0, To: 1, Cycles: 3}, {From: 0, To: 1, Cycles: 4}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = netfile.Describe(g, func(r topology.Router, p topology.Port) netfile.Times {
		return netfile.Times{Cycles: 1 + g.LinkCycles(r, p), FlitCycles: 1}
	})
	want := "network: two links join router 0 and router 1 that differ in times: " +
		"make them alike"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
