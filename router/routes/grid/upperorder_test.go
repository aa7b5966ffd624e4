package grid

import (
	"testing"

	"contend/netsim/topology"
	"contend/netsim/topology/topologytest"
	"contend/router"
)

// Of every link the upper virtual channels are offered, and the path is that of dimension order.
func TestUpperOrder(t *testing.T) {
	m := topologytest.Machine(t, "mesh:4x3")
	w := router.NewWiring(m, 3, 1)
	x, err := NewUpperOrder(w)
	if err != nil {
		t.Fatal(err)
	}
	order, err := NewDimensionOrder(w, false)
	if err != nil {
		t.Fatal(err)
	}
	for r := range topology.Router(m.Routers()) {
		for to := range topology.Node(m.Nodes()) {
			h := router.Header{Destination: to}
			got, want := x.Route(nil, r, 0, &h, nil), order.Route(nil, r, 0, &h, nil)
			if at, _ := m.Attach(to); at != r {
				want = want[1:]
			}
			if len(got) != len(want) || got[0] != want[0] {
				t.Errorf("from router %d to node %d: %v, want %v", r, to, got, want)
			}
		}
	}
}

func TestUpperOrderRefuses(t *testing.T) {
	for machine, virtual := range map[string]int{"torus:4x4": 3, "tree:2x2": 2, "mesh:4x4": 1} {
		if _, err := NewUpperOrder(router.NewWiring(topologytest.Machine(t, machine), virtual,
			1)); err == nil {
			t.Errorf("%s, %d virtual channels: no error", machine, virtual)
		}
	}
}
