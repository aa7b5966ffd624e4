package experiments

import (
	"testing"

	"contend/netsim/topology"
)

// Distances are among the nodes in use; boxes and spans have those too that are
// only kept from others. Three processors of a buddy block of 2x2.
func TestPlacementMeterTellsUsedFromHeld(t *testing.T) {
	machine := machineOf(t, "mesh:4x4")
	order := make([]topology.Node, 16)
	for i := range order {
		order[i] = topology.Node(i)
	}
	m := newPlacementMeter(machine, order)
	q := m.measure([]topology.Node{0, 1, 4, 5}, 3)
	if q.used.PairwiseSum != 4 || q.held.Box != 4 || q.held.LinearSpan != 6 || q.held.Dispersal != 0 {
		t.Errorf("used %+v, held %+v", q.used, q.held)
	}
	if q := m.measure([]topology.Node{0, 1, 4}, 3); q.held != q.used || q.held.LinearSpan != 5 {
		t.Errorf("all in use: %+v and %+v", q.used, q.held)
	}
	if m.defined(treesOnly) || !m.defined(withBoxes) {
		t.Error("a mesh has boxes and no levels")
	}
	tree := newPlacementMeter(machineOf(t, "tree:4x2"), nil)
	if q := tree.measure([]topology.Node{0, 1, 4, 8}, 3); q.tree.Level != 2 || tree.defined(withBoxes) {
		t.Errorf("on a tree %+v", q.tree)
	}
}
