package grid

import (
	"testing"

	"contend/netsim/topology"
	"contend/router"
	"contend/router/routertest"
)

func machines(t *testing.T) []*topology.Cube {
	t.Helper()
	var out []*topology.Cube
	for _, c := range []topology.CubeConfig{
		{Dims: []int{9}}, {Dims: []int{5, 4}}, {Dims: []int{3, 4, 2}}, {Dims: []int{2, 2, 2, 2}},
		{Dims: []int{8, 8}, Wrap: []bool{true, true}}, {Dims: []int{5, 4}, Wrap: []bool{true, false}},
		{Dims: []int{3, 3, 3}, Wrap: []bool{true, true, true}},
		{Dims: []int{3, 3}, Concentration: 3}, {Dims: []int{4, 4}, Concentration: 2,
			ServiceRows: []int{1, 2}, Wrap: []bool{true, true}},
	} {
		m, err := topology.NewCube(c)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m)
	}
	return out
}

// dimensionOrders returns dimension-order routing of each kind over channels with so
// many virtual ones.
func dimensionOrders(t *testing.T, w *router.Wiring) []router.Routing {
	t.Helper()
	var out []router.Routing
	for _, dateline := range []bool{false, true} {
		if dateline && w.VirtualChannels == 1 {
			continue
		}
		x, err := NewDimensionOrder(w, dateline)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	if w.VirtualChannels > 1 {
		x, err := NewBalanced(w, 3)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	return out
}

// Dimension order of each kind keeps its contract and takes shortest paths.
func TestDimensionOrdersConform(t *testing.T) {
	for _, m := range machines(t) {
		for _, virtual := range []int{1, 2, 3} {
			w := router.NewWiring(m, virtual, 1)
			for i, x := range dimensionOrders(t, w) {
				if i == 0 && topology.Wraps(m) {
					continue // that can deadlock
				}
				if err := routertest.Check(w, x, routertest.Options{Minimal: true, Rounds: 1}); err != nil {
					t.Errorf("%v %v, %T: %v", m.Dims(), m.Wrap(), x, err)
				}
			}
		}
	}
}
