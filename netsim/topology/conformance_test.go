package topology_test

import (
	"slices"
	"testing"

	"contend/netsim/topology"
	"contend/netsim/topology/topologytest"
)

// machines are what the conformance kit is run on.
func machines(t *testing.T) map[string]*topology.Cube {
	t.Helper()
	out := map[string]*topology.Cube{}
	for name, c := range map[string]topology.CubeConfig{
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
	} {
		m, err := topology.NewCube(c)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = m
	}
	h, err := topology.Hypercube(4)
	if err != nil {
		t.Fatal(err)
	}
	out["hypercube"] = h
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
	for name, m := range machines(t) {
		out[name] = m
	}
	for name, m := range trees(t) {
		out["tree "+name] = m
	}
	for name, m := range dragonflies(t) {
		out["dragonfly "+name] = m
	}
	for name, m := range hyperXs(t) {
		out["hyperx "+name] = m
	}
	for name, m := range graphs(t) {
		out["graph "+name] = m
	}
	return out
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
	if want := len(dragonflies(t)) + len(hyperXs(t)) + len(graphs(t)); rows != want {
		t.Errorf("%d machines count rows of hops, want %d", rows, want)
	}
}

// Both ends of a link are of one class, which has a name; every class has a link, but for
// classes of dimensions of one router and of machines without links.
func TestLinkClasses(t *testing.T) {
	for name, m := range measured(t) {
		c, ok := m.(topology.Classed)
		if !ok {
			continue
		}
		for r := range topology.Router(c.Routers()) {
			for p := range topology.Port(c.Ports()) {
				class := c.LinkClass(r, p)
				if class < 0 || class >= len(c.LinkClasses()) {
					t.Fatalf("%s: port %d of router %d is of class %d of %v", name, p, r, class, c.LinkClasses())
				}
				if to, q, ok := c.Peer(r, p); ok && c.LinkClass(to, q) != class {
					t.Fatalf("%s: port %d of router %d is of class %d, its other end of %d", name, p, r, class,
						c.LinkClass(to, q))
				}
			}
		}
	}
}

func TestCubeShapes(t *testing.T) {
	ms := machines(t)
	if m := ms["service rows"]; m.Nodes() != 16 || m.Routers() != 16 {
		t.Errorf("service rows: %d nodes on %d routers, want 16 on 16", m.Nodes(), m.Routers())
	}
	if m := ms["concentration"]; m.Nodes() != 36 || m.RouterOf(35) != 8 {
		t.Errorf("concentration: %d nodes, node 35 on router %d", m.Nodes(), m.RouterOf(35))
	}
	if m := ms["hypercube"]; m.Routers() != 16 || m.Distance(0, 15) != 4 {
		t.Errorf("hypercube: %d routers, 0 to 15 in %d hops", m.Routers(), m.Distance(0, 15))
	}
	for _, bad := range []topology.CubeConfig{{}, {Dims: []int{0}}, {Dims: []int{4, -1}},
		{Dims: []int{4}, Wrap: []bool{true, true}},
		{Dims: []int{4}, Concentration: -1}, {Dims: []int{4, 4}, ServiceRows: []int{4}}, {Dims: []int{4,
			1}, ServiceRows: []int{0}},
		{Dims: []int{1 << 20, 1 << 20}}} {
		if _, err := topology.NewCube(bad); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}
