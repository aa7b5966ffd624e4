package topology

import (
	"testing"
)

// machines are what the conformance kit is run on.
func machines(t *testing.T) map[string]*Cube {
	t.Helper()
	out := map[string]*Cube{}
	for name, c := range map[string]CubeConfig{
		"line":          {Dims: []int{7}},
		"one":           {Dims: []int{1}},
		"mesh":          {Dims: []int{4, 3}},
		"mesh 3D":       {Dims: []int{3, 4, 2}},
		"torus":         {Dims: []int{4, 5}, Wrap: []bool{true, true}},
		"narrow torus":  {Dims: []int{2, 1, 3}, Wrap: []bool{true, true, true}},
		"cylinder":      {Dims: []int{5, 3}, Wrap: []bool{true, false}},
		"concentration": {Dims: []int{3, 3}, Concentration: 4},
		"service rows":  {Dims: []int{4, 4}, Concentration: 2, ServiceRows: []int{0, 3}, Wrap: []bool{true, true}},
	} {
		m, err := NewCube(c)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = m
	}
	h, err := Hypercube(4)
	if err != nil {
		t.Fatal(err)
	}
	out["hypercube"] = h
	return out
}

// conforms checks what every Topology promises.
func conforms(t *testing.T, m Topology) {
	t.Helper()
	taken := map[[2]int]bool{}
	for n := range Node(m.Nodes()) {
		r, p := m.Attach(n)
		if r < 0 || int(r) >= m.Routers() || p < 0 || int(p) >= m.Ports() {
			t.Fatalf("node %d hangs on port %d of router %d", n, p, r)
		}
		if taken[[2]int{int(r), int(p)}] {
			t.Fatalf("two nodes on port %d of router %d", p, r)
		}
		taken[[2]int{int(r), int(p)}] = true
	}
	for r := range Router(m.Routers()) {
		for p := range Port(m.Ports()) {
			r2, p2, ok := m.Peer(r, p)
			if !ok {
				continue
			}
			if taken[[2]int{int(r), int(p)}] {
				t.Fatalf("port %d of router %d carries a node and leads to router %d", p, r, r2)
			}
			if r3, p3, ok := m.Peer(r2, p2); !ok || r3 != r || p3 != p {
				t.Fatalf("Peer(%d, %d) is (%d, %d), whose peer is (%d, %d)", r, p, r2, p2, r3, p3)
			}
		}
	}
}

func TestTopologiesConform(t *testing.T) {
	for name, m := range measured(t) {
		t.Run(name, func(t *testing.T) { conforms(t, m) })
	}
}

// measuring is a topology that counts hops.
type measuring interface {
	Topology
	Metric
}

// measured are all machines the kit is run on.
func measured(t *testing.T) map[string]measuring {
	t.Helper()
	out := map[string]measuring{}
	for name, m := range machines(t) {
		out[name] = m
	}
	for name, m := range trees(t) {
		out[name] = m
	}
	return out
}

// The distance is that of breadth-first search over Peer.
func TestDistanceIsShortest(t *testing.T) {
	for name, m := range measured(t) {
		t.Run(name, func(t *testing.T) {
			var from Router = -1
			var hops []int
			for a := range Node(m.Nodes()) {
				if r, _ := m.Attach(a); r != from {
					from, hops = r, hopsFrom(m, r)
				}
				for b := range Node(m.Nodes()) {
					to, _ := m.Attach(b)
					if got, want := m.Distance(a, b), hops[to]; got != want {
						t.Fatalf("from %d to %d: %d, breadth-first search says %d", a, b, got, want)
					}
				}
			}
		})
	}
}

// hopsFrom counts the channels from one router to all others.
func hopsFrom(m Topology, from Router) []int {
	hops := make([]int, m.Routers())
	for i := range hops {
		hops[i] = -1
	}
	hops[from] = 0
	queue := []Router{from}
	for len(queue) > 0 {
		r := queue[0]
		queue = queue[1:]
		for p := range Port(m.Ports()) {
			if to, _, ok := m.Peer(r, p); ok && hops[to] < 0 {
				hops[to] = hops[r] + 1
				queue = append(queue, to)
			}
		}
	}
	return hops
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
	for _, bad := range []CubeConfig{{}, {Dims: []int{0}}, {Dims: []int{4, -1}}, {Dims: []int{4}, Wrap: []bool{true, true}},
		{Dims: []int{4}, Concentration: -1}, {Dims: []int{4, 4}, ServiceRows: []int{4}}, {Dims: []int{4, 1}, ServiceRows: []int{0}},
		{Dims: []int{1 << 20, 1 << 20}}} {
		if _, err := NewCube(bad); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}
