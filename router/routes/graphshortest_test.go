package routes

import (
	"testing"

	"contend/internal/must"
	"contend/router"
)

// Packets arrive on shortest paths, with a virtual channel for each hop and with more, and cannot
// wait for each other for ever.
func TestDrawnShortestPaths(t *testing.T) {
	for _, k := range []struct{ routers, across, needed int }{{3, 0, 1}, {8, 0, 4}, {12, 3, 0},
		{20, 20, 0}, {30, 90, 0}} {
		m := randomGraph(t, k.routers, k.across, 7)
		needed := forShortest(m)
		if k.needed > 0 && needed != k.needed {
			t.Errorf("a ring of %d routers needs %d virtual channels, want %d", k.routers, needed, k.needed)
		}
		for _, virtual := range []int{needed, needed + 1, 2*needed + 1} {
			w := router.NewNodeWiring(m, virtual, 1, 1)
			x := must.Have(newShortest(w, false, 5))
			deliversAll(t, w, x)
		}
	}
}
