package routes

import (
	"testing"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Where several links join two groups, minimal packets use all of them.
func TestDragonflySpreadsOverLinks(t *testing.T) {
	m := topologytest.Machine(t, "dragonfly:a8h2p1g3").(*topology.Dragonfly)
	w := router.NewWiring(m, 2, 1)
	x := newDragonflyMinimal(w)
	used := map[router.Link]int{}
	f := deadlock.NewFootprint(w, x)
	for a := range topology.Node(8) {
		for b := topology.Node(8); b < 16; b++ {
			f.Links(a, b, func(l router.Link) {
				if from, to := w.Ends(l); w.Kind(l) == router.Network &&
					m.Group(from.Router) != m.Group(to.Router) {
					used[l]++
				}
			})
		}
	}
	if all := m.LinksBetween(0, 1); len(used) != all {
		t.Errorf("packets use %d of %d links between two groups: %v", len(used), all, used)
	}
}
