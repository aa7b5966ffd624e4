package topology_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/internal/story"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// made makes a topology of each configuration.
func made[C, M any](of func(C) (M, error), configs map[string]C) map[string]M {
	out := map[string]M{}
	for name, c := range configs {
		out[name] = must.Have(of(c))
	}
	return out
}

// machines are what the conformance kit is run on.
func machines(*testing.T) map[string]*topology.Cube {
	out := made(topology.NewCube, map[string]topology.CubeConfig{
		"line":          {Dims: []int{7}},
		"one":           {Dims: []int{1}},
		"mesh":          {Dims: []int{4, 3}},
		"mesh 3D":       {Dims: []int{3, 4, 2}},
		"torus":         {Dims: []int{4, 5}, Wrap: []bool{true, true}},
		"narrow torus":  {Dims: []int{2, 1, 3}, Wrap: []bool{true, true, true}},
		"cylinder":      {Dims: []int{5, 3}, Wrap: []bool{true, false}},
		"concentration": {Dims: []int{3, 3}, Concentration: 4},
		"service rows": {Dims: []int{4, 4}, Concentration: 2, ServiceRows: []int{0, 3},
			Wrap: []bool{true, true}},
	})
	out["hypercube"] = must.Have(topology.Hypercube(4))
	return out
}

func TestTopologiesConform(t *testing.T) {
	for name, m := range measured(t) {
		t.Run(name, func(t *testing.T) {
			if err := topologytest.Check(m); err != nil {
				t.Error(err)
			}
		})
	}
}

// measuring is a topology that counts hops.
type measuring interface {
	topology.Topology
	topology.Metric
}

// measured are all machines the kit is run on.
func measured(t *testing.T) map[string]measuring {
	t.Helper()
	out := map[string]measuring{}
	addTo(out, "", machines(t))
	addTo(out, "tree ", trees(t))
	addTo(out, "fat tree ", fatTrees(t))
	addTo(out, "dragonfly ", dragonflies(t))
	addTo(out, "hyperx ", hyperXs(t))
	addTo(out, "graph ", graphs(t))
	return out
}

func addTo[M measuring](out map[string]measuring, kind string, machines map[string]M) {
	for name, m := range machines {
		out[kind+name] = m
	}
}

// The hops to all routers at once are those to each of their nodes.
func TestHopsFromIsDistance(t *testing.T) {
	rows := 0
	for name, m := range measured(t) {
		row, ok := m.(topology.RowMetric)
		if !ok {
			continue
		}
		rows++
		hops := slices.Repeat([]uint16{9999}, m.Routers())
		for a := range topology.Node(m.Nodes()) {
			from, _ := m.Attach(a)
			row.HopsFrom(from, hops)
			for b := range topology.Node(m.Nodes()) {
				if to, _ := m.Attach(b); int(hops[to]) != m.Distance(a, b) {
					t.Fatalf("%s: %d hops from router %d to router %d, nodes are %d apart", name, hops[to],
						from, to, m.Distance(a, b))
				}
			}
		}
	}
	want := len(machines(t)) + len(dragonflies(t)) + len(hyperXs(t)) + len(graphs(t))
	if rows != want {
		t.Errorf("%d machines count rows of hops, want %d", rows, want)
	}
}

// linkless are the classes without a link.
var linkless = []string{"dragonfly a4h2p2g1 absolute global", "dragonfly a4h2p2g1 circulant global",
	"dragonfly a4h2p2g1 relative global", "dragonfly one router a group local",
	"fat tree one router level0",
	"hyperx flat dimension0", "hyperx flat dimension2", "hyperx one router dimension0",
	"narrow torus dimension1", "one dimension0", "tree one router level0",
	"tree one router, slimmed level0"}

// Both ends of a link are of one class, which has a name. Every class has a link, but for those
// of dimensions of one router, of trees of one level, and of dragonflies of one group or of
// groups of one router.
func TestLinkClasses(t *testing.T) {
	var none []string
	for name, m := range measured(t) {
		c, ok := m.(topology.Classed)
		if !ok {
			continue
		}
		links := make([]int, len(c.LinkClasses()))
		for r := range topology.Router(c.Routers()) {
			for p := range topology.Port(c.Ports()) {
				class := c.LinkClass(r, p)
				if class < 0 || class >= len(c.LinkClasses()) {
					t.Fatalf("%s: port %d of router %d is of class %d of %v", name, p, r, class, c.LinkClasses())
				}
				to, q, ok := c.Peer(r, p)
				if !ok {
					continue
				}
				if links[class]++; c.LinkClass(to, q) != class {
					t.Fatalf("%s: port %d of router %d is of class %d, its other end of %d", name, p, r, class,
						c.LinkClass(to, q))
				}
			}
		}
		for class, n := range links {
			if n == 0 {
				none = append(none, name+" "+c.LinkClasses()[class])
			}
		}
	}
	slices.Sort(none)
	if !slices.Equal(none, linkless) {
		t.Errorf("no link is of the classes %q", none)
	}
}

// A cube says what it is: only one with joined ends is a torus.
func TestFamilies(t *testing.T) {
	for want, c := range map[string]topology.CubeConfig{
		"a mesh":      {Dims: []int{4, 2}, Wrap: []bool{false, true}}, // too short to wrap
		"a torus":     {Dims: []int{4, 2}, Wrap: []bool{true, false}},
		"a hypercube": {Dims: []int{2, 2, 2}},
	} {
		m, err := topology.NewCube(c)
		if err != nil || m.Family() != want {
			t.Errorf("%+v is %s: %v, want %s", c, m.Family(), err, want)
		}
	}
}

// Stories of configurations: a kind and its configuration as JSON, or a short form, and the machine
// or the reason for which it is refused.
func TestConfigStories(t *testing.T) {
	story.Run(t, "testdata/*.txt", func(t *testing.T, given []string) string {
		var told strings.Builder
		for _, line := range given {
			kind, config, _ := strings.Cut(line, " ")
			m, err := configured(t, kind, config)
			if wrong := (*topology.ConfigError)(nil); errors.As(err, &wrong) || config == "" && err != nil {
				fmt.Fprintln(&told, err)
			} else {
				fmt.Fprintf(&told, "%d nodes, %d routers of %d ports\n", m.Nodes(), m.Routers(), m.Ports())
			}
		}
		return told.String()
	})
}

// configured makes a machine by its short form, or of a kind from a configuration in JSON.
func configured(t *testing.T, kind, config string) (topology.Topology, error) {
	switch kind {
	case "cube":
		return decoded(config, topology.NewCube)
	case "tree":
		return decoded(config, topology.NewTree)
	case "fat-tree":
		return decoded(config, topology.NewFatTree)
	case "dragonfly":
		return decoded(config, topology.NewDragonfly)
	case "hyperx":
		return decoded(config, topology.NewHyperX)
	case "graph":
		return decoded(config, topology.NewGraph)
	}
	return topologytest.Parse(kind)
}

// decoded makes a machine of a configuration.
func decoded[C any, M topology.Topology](text string, of func(C) (M, error)) (topology.Topology,
	error) {
	var c C
	must.Have(0, json.Unmarshal([]byte(text), &c))
	return of(c)
}
