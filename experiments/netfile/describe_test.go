package netfile_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"contend/experiments/netfile"
	"contend/experiments/spec/spectest"
	"contend/netsim/topology"
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

// What is written of a network of any kind is read as the same graph, and written as the same
// bytes again.
func TestWrittenNetworksAreReadAgain(t *testing.T) {
	for _, short := range []string{"mesh:4x3", "torus:2x5", "hypercube:3", "tree:3x3", "tree:2x4",
		"fat-tree:2x3:2:b2", "fat-tree:2x3:2:b2r3", "dragonfly:a4h2p2g7", "dragonfly:a3h3p1",
		"hyperx:3x4:p2w2", "graph:triangle"} {
		var m topology.Topology
		if short == "graph:triangle" {
			m = triangleGraph(t)
		} else {
			m = spectest.Machine(t, short)
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
		want := neighbours(m, times)
		for _, form := range []string{"csv", "dot"} {
			text := written(t, n, form)
			again, err := read(t, "net."+form, text)
			if err != nil {
				t.Fatalf("%s: %v\n%s", short, err, text)
			}
			if more := written(t, again, form); more != text {
				t.Errorf("%s: %s is written again as\n%s, it was\n%s", short, form, more, text)
			}
			g, err := topology.NewGraph(again.Config())
			if err != nil {
				t.Fatal(err)
			}
			got := neighbours(g, func(r topology.Router, p topology.Port) netfile.Times {
				return netfile.Times{Cycles: g.LinkCycles(r, p), FlitCycles: g.LinkFlitCycles(r, p)}
			})
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s has the links %q, want %q", short, form, got, want)
			}
			sameNodes(t, short+" "+form, m, g)
		}
	}
}

func triangleGraph(t *testing.T) *topology.Graph {
	t.Helper()
	n, err := read(t, "net.toml", triangle["net.toml"])
	if err != nil {
		t.Fatal(err)
	}
	g, err := topology.NewGraph(n.Config())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func written(t *testing.T, n *netfile.Network, form string) string {
	t.Helper()
	var text bytes.Buffer
	write := n.WriteCSV
	if form == "dot" {
		write = n.WriteDOT
	}
	if err := write(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// sameNodes compares where nodes are and which groups routers belong to.
func sameNodes(t *testing.T, name string, m topology.Topology, g *topology.Graph) {
	t.Helper()
	if m.Nodes() != g.Nodes() || m.Routers() != g.Routers() || !netfile.Ordered(m) {
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

// Lines, which stand in a study, hold rails as the files do.
func TestLinesHoldRails(t *testing.T) {
	m := spectest.Machine(t, "fat-tree:2x2:1:r2")
	n, err := netfile.Describe(m, func(topology.Router, topology.Port) netfile.Times {
		return netfile.Times{Cycles: 1, FlitCycles: 1}
	})
	if err != nil {
		t.Fatal(err)
	}
	again, err := netfile.Parse("", n.Lines())
	if err != nil {
		t.Fatal(err)
	}
	if want := "router 3 name 3 rail 1 node 0 node 1 router 5 1 f1"; again.Lines()[3] != want {
		t.Errorf("%q, want %q", again.Lines()[3], want)
	}
	if !slices.Equal(again.Lines(), n.Lines()) {
		t.Errorf("%q, want %q", again.Lines(), n.Lines())
	}
	g, err := topology.NewGraph(again.Config())
	if err != nil {
		t.Fatal(err)
	}
	sameNodes(t, "lines", m, g)
}

// The class and the times of a link stand beside its ends.
func TestFieldsOfWrittenNetworks(t *testing.T) {
	m := spectest.Machine(t, "dragonfly:a2h1p3")
	n, err := netfile.Describe(m, func(_ topology.Router, p topology.Port) netfile.Times {
		return netfile.Times{Cycles: 10 + int(p), FlitCycles: 1 + int(p)}
	})
	if err != nil {
		t.Fatal(err)
	}
	for form, want := range map[string][]string{
		"csv": {"from,to,count,cycles,back,class,flit_cycles,back_flit_cycles,nodes,group",
			"group-1-router-0,,,,,,,,3,1", "group-0-router-0,group-0-router-1,1,10,10,local,1,1,,"},
		"dot": {`"group-1-router-0" [nodes=3, group=1];`, `"group-0-router-1" -- "group-2-router-0" ` +
			`[count=1, cycles=11, back=11, class="global", flit_cycles=2, back_flit_cycles=2];`},
	} {
		text := written(t, n, form)
		for _, line := range want {
			if !strings.Contains(text, line+"\n") {
				t.Errorf("%s has no line %q:\n%s", form, line, text)
			}
		}
	}
}

// Parallel links of different length cannot be told apart by files.
func TestParallelLinksThatDiffer(t *testing.T) {
	g, err := topology.NewGraph(topology.GraphConfig{Routers: 2, Nodes: []topology.Router{1, 0},
		Links: []topology.GraphLink{{From: 0, To: 1, Cycles: 3}, {From: 0, To: 1, Cycles: 4}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = netfile.Describe(g, func(r topology.Router, p topology.Port) netfile.Times {
		return netfile.Times{Cycles: 1 + g.LinkCycles(r, p), FlitCycles: 1}
	})
	want := "network: two links join router 0 and router 1 that differ in class or times: " +
		"make them alike"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if netfile.Ordered(g) {
		t.Error("node 0 is on router 1, and node 1 on router 0")
	}
}
