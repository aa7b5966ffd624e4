package topology_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

func graph(t *testing.T, c topology.GraphConfig) *topology.Graph {
	t.Helper()
	return must.Have(topology.NewGraph(c))
}

// link is a link between two routers that says nothing of its length.
func link(from, to topology.Router) topology.GraphLink {
	return topology.GraphLink{From: from, To: to}
}

// graphs are those the conformance kit is run on.
func graphs(t *testing.T) map[string]*topology.Graph {
	t.Helper()
	out := map[string]*topology.Graph{
		"one router": graph(t, topology.GraphConfig{Routers: 1, Nodes: []topology.Router{0, 0}}),
		"star": graph(t, topology.GraphConfig{Routers: 4, Nodes: []topology.Router{1, 2, 3, 1},
			Links: []topology.GraphLink{link(0, 1), link(2, 0), link(0, 3)}}),
		"parallel links": graph(t, topology.GraphConfig{Routers: 3, Nodes: []topology.Router{2, 0, 1},
			Links: []topology.GraphLink{link(0, 1), link(1, 0), link(1, 2), link(0, 1)}}),
	}
	for seed := range uint64(3) {
		out[fmt.Sprintf("drawn %d", seed)] = topologytest.DrawnGraph(t, seed, 24, 40)
		out[fmt.Sprintf("planes %d", seed)] = topologytest.DrawnPlanes(t, seed, 1+int(seed), 9, 12, 0)
	}
	return out
}

// Ports stand in the order of the links; times belong to directions.
func TestGraphPorts(t *testing.T) {
	m := graph(t, topology.GraphConfig{Routers: 3, Nodes: []topology.Router{1, 1, 0, 2},
		Names:  []string{"a", "b", "c"},
		Groups: []int{0, 1, 1},
		Links:  []topology.GraphLink{{From: 0, To: 1, Cycles: 3, Back: 5}, {From: 2, To: 0, Back: 7}}})
	got := ""
	for r := range topology.Router(3) {
		for p := range topology.Port(m.Ports()) {
			if to, q, ok := m.Peer(r, p); ok {
				got += fmt.Sprintf("%s.%d %s.%d %d; ", m.Label(r), p, m.Label(to), q, m.LinkCycles(r, p))
			}
		}
	}
	if want := "a.0 b.0 3; a.1 c.0 7; b.0 a.0 5; c.0 a.1 0; "; got != want {
		t.Errorf("links are %s, want %s", got, want)
	}
	for n, want := range []string{"1.1", "1.2", "0.2", "2.1"} {
		if r, p := m.Attach(topology.Node(n)); fmt.Sprintf("%d.%d", r, p) != want {
			t.Errorf("node %d hangs on %d.%d, want %s", n, r, p, want)
		}
	}
	if m.Groups() != 2 || m.Group(0) != 0 || m.Group(2) != 1 {
		t.Errorf("%d groups, router 0 in %d, router 2 in %d", m.Groups(), m.Group(0), m.Group(2))
	}
}

// Routers have the levels that are given, and links join different ones.
func TestGraphLevels(t *testing.T) {
	c := topology.GraphConfig{Routers: 2, Nodes: []topology.Router{0},
		Links: []topology.GraphLink{link(0, 1)}}
	if _, ok := graph(t, c).Level(1); ok {
		t.Error("a graph without levels has some")
	}
	c.Levels = []int{0, 3}
	if level, ok := graph(t, c).Level(1); level != 3 || !ok {
		t.Errorf("router 1 is on level %d, %v", level, ok)
	}
	for want, levels := range map[string][]int{"has 1 entries": {0}, "on level 1": {1, 1},
		"on level 32": {0, 32}, "on level -1": {-1, 0}} {
		c.Levels = levels
		if _, err := topology.NewGraph(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("levels %v: %v, want %s", levels, err, want)
		}
	}
}

// On a graph of more routers than rows are kept, distances are those of the same ring as a
// torus, whichever were asked before.
func TestDistancesOfLargeGraphs(t *testing.T) {
	const n = 700
	c := topology.GraphConfig{Routers: n}
	for r := range topology.Router(n) {
		c.Nodes = append(c.Nodes, r)
		c.Links = append(c.Links, link(r, (r+1)%n))
	}
	m := graph(t, c)
	ring := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{n}, Wrap: []bool{true}}))
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		a, b := topology.Node(rng.IntN(n)), topology.Node(rng.IntN(n))
		if got, want := m.Distance(a, b), ring.Distance(a, b); got != want {
			t.Fatalf("from %d to %d in %d, want %d", a, b, got, want)
		}
	}
}

// Planes differ if some distance does, whatever the numbers of their routers.
func TestPlanesDiffer(t *testing.T) {
	line := []topology.GraphLink{link(0, 1), link(1, 2)}
	two := append(line, link(5, 4), link(3, 4))
	type routers = []topology.Router
	for _, c := range []struct {
		name  string
		links []topology.GraphLink
		nodes routers
		want  bool
	}{
		{"one rail", line, routers{0, 1, 2}, false},
		{"alike", two, routers{0, 1, 2, 3, 4, 5}, false},
		{"from the far end", two, routers{0, 1, 2, 5, 4, 3}, false},
		{"in another order", two, routers{0, 1, 2, 4, 3, 5}, true},
		{"a star", append(line[:2:2], link(3, 4), link(3, 5)), routers{0, 1, 2, 3, 4, 5}, true},
	} {
		g := graph(t, topology.GraphConfig{Routers: len(c.nodes), Nodes: c.nodes, Links: c.links,
			Rails: len(c.nodes) / 3})
		if got := g.PlanesDiffer(); got != c.want {
			t.Errorf("%s: planes differ: %v, want %v", c.name, got, c.want)
		}
	}
}
