package order

import (
	"slices"
	"testing"

	"contend/router/topology"
	"contend/router/topology/topologytest"
)

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
		for i := 1; i < len(order); i++ {
			if box.Distance(order[i-1], order[i]) != 1 {
				t.Errorf("%s jumps", name)
			}
		}
		if slices.Sort(order); !slices.Equal(order, byNumber(box)) {
			t.Errorf("%s: not every node once: %v", name, order)
		}
	}
}
