package spec

import (
	"slices"
	"testing"
)

// A torus of the sides it has by default draws which way round packets go.
func TestDrawsOnTheDefaultTorus(t *testing.T) {
	s := DefaultSpec()
	s.Machine.Topology, s.Network.Routing = "torus", "balanced-dateline"
	if !slices.Contains(s.Draws(), "routes") {
		t.Errorf("draws are %v", s.Draws())
	}
	s.Machine.Dims = []int{5, 7}
	if slices.Contains(s.Draws(), "routes") {
		t.Error("no two ways round are equally long with odd sides")
	}
}
