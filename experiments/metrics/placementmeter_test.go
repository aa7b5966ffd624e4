package metrics

import (
	"testing"

	"contend/experiments/config/configtest"
	"contend/router/topology"
)

// Distances are between the nodes in use. Boxes and spans include the nodes that are only
// withheld from other jobs. The job has three processors of a buddy block of 2x2.
func TestPlacementMeterTellsUsedFromHeld(t *testing.T) {
	machine := configtest.Machine(t, "mesh:4x4")
	order := make([]topology.Node, 16)
	for i := range order {
		order[i] = topology.Node(i)
	}
	m := NewPlacementMeter(machine, order)
	q := m.Measure([]topology.Node{0, 1, 4, 5}, 3)
	if q.Used.PairwiseSum != 4 || q.Held.Box != 4 || q.Held.LinearSpan != 6 || q.Held.Dispersal != 0 {
		t.Errorf("used %+v, held %+v", q.Used, q.Held)
	}
	if q := m.Measure([]topology.Node{0, 1, 4}, 3); q.Held != q.Used || q.Held.LinearSpan != 5 {
		t.Errorf("all in use: %+v and %+v", q.Used, q.Held)
	}
	if m.defined(treesOnly) || !m.defined(withBoxes) {
		t.Error("a mesh has boxes and no levels")
	}
	tree := NewPlacementMeter(configtest.Machine(t, "tree:4x2"), nil)
	if q := tree.Measure([]topology.Node{0, 1, 4, 8}, 3); q.Tree.Level != 2 || q.Groups != 2 ||
		tree.defined(withBoxes) {
		t.Errorf("on a tree %+v", q.Tree)
	}
	fly := NewPlacementMeter(configtest.Machine(t, "dragonfly:a2h1p2"), nil)
	if q := fly.Measure([]topology.Node{0, 3, 4, 8}, 3); q.Groups != 2 || !fly.defined(withGroups) ||
		m.defined(withGroups) {
		t.Errorf("two groups in use of three on a dragonfly: %d", q.Groups)
	}
}
