package order

import (
	"slices"
	"testing"

	"contend/allocation/allocationtest"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// orderMachines are machines of all kinds.
func orderMachines(t testing.TB) map[string]topology.Topology {
	hyper := must.Have(topology.Hypercube(5))
	return map[string]topology.Topology{
		"8x8":    topologytest.Mesh(t, 8, 8),
		"8x8x5":  topologytest.Mesh(t, 8, 8, 5),
		"cplant": topologytest.Cplant(t),
		"other rows": topologytest.Cube(t, topology.CubeConfig{Dims: []int{8, 8},
			Wrap: []bool{true, true}, Concentration: 4, ServiceRows: []int{0, 2, 3, 6}}),
		"line":            topologytest.Mesh(t, 9),
		"one":             topologytest.Mesh(t, 1),
		"two":             topologytest.Mesh(t, 2),
		"ring":            topologytest.Cube(t, topology.CubeConfig{Dims: []int{7}, Wrap: []bool{true}}),
		"concentration":   topologytest.Cube(t, topology.CubeConfig{Dims: []int{3, 5}, Concentration: 3}),
		"four dimensions": topologytest.Mesh(t, 3, 2, 4, 2),
		"hypercube":       hyper,
		"irregular":       topologytest.Irregular(40),
		"one router":      topologytest.Graph{Next: [][]int{nil}, Homes: []int{0, 0, 0}},
	}
}

// checkOrder checks the properties of all orders: each node once, and the nodes of a
// router together.
func checkOrder(t *testing.T, where string, machine topology.Topology, order []topology.Node) {
	t.Helper()
	left := map[topology.Router]bool{}
	for i, n := range order {
		r, _ := machine.Attach(n)
		if left[r] {
			t.Errorf("%s: the nodes of router %d are apart", where, r)
		}
		if i+1 < len(order) {
			if next, _ := machine.Attach(order[i+1]); next != r {
				left[r] = true
			}
		}
	}
	if order = slices.Sorted(slices.Values(order)); !slices.Equal(order, byNumber(machine)) {
		t.Errorf("%s: not every node once: %v", where, order)
	}
}

// An order is its curve over the routers without those that have no nodes.
func TestOrderFollowsTheCurve(t *testing.T) {
	machine := topologytest.Cplant(t)
	var want []topology.Node
	for _, router := range draw(t, Hilbert, 8, 8) {
		first, n := machine.NodesAt(topology.Router(router))
		for i := range n {
			want = append(want, first+topology.Node(i))
		}
	}
	if got := makeOrder(t, Hilbert, machine); !slices.Equal(got, want) || len(got) != 128 {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// A turned curve is a curve: neighbours stay neighbours.
func TestTurnedOrders(t *testing.T) {
	box := topologytest.Mesh(t, 8, 4, 2)
	for _, name := range []string{"hilbert/zyx", "hilbert/-yz-x", "hilbert/x-y-z"} {
		order := makeOrder(t, name, box)
		checkOrder(t, name, box, order)
		for i := 1; i < len(order); i++ {
			if box.Distance(order[i-1], order[i]) != 1 {
				t.Errorf("%s jumps", name)
			}
		}
	}
	if !slices.Equal(makeOrder(t, Morton, box), makeOrder(t, ShuffledRowMajor, box)) {
		t.Error("Morton order is not shuffled row-major")
	}
}

// Decisions by hand, examples of papers, and refusals.
func TestStories(t *testing.T) { allocationtest.Stories(t, Allocators()) }
