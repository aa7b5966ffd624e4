package topology_test

import (
	"math/bits"
	"slices"
	"testing"

	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Inventories by hand: of a dragonfly of g groups of a routers with h global links and p nodes,
// g·a(a-1)/2 local and g·a·h/2 global links; of a 2:1 fat tree of 8 leaves with 16 nodes below 8
// spines, 64 links; of a HyperX of 4x4 with two links a pair, 2·4·6 of each dimension.
func TestInventoryByHand(t *testing.T) {
	for text, want := range map[string]topology.Inventory{
		"dragonfly:a8h4p4g33": {Nodes: 1056, Routers: 264, MaxPorts: 15, NodePorts: 1056,
			Links: []int{33 * 28, 33 * 16}},
		"fat-tree:16x8:8": {Nodes: 128, Routers: 16, MaxPorts: 24, NodePorts: 128, Links: []int{64}},
		"hyperx:4x4:p4w2": {Nodes: 64, Routers: 16, MaxPorts: 16, NodePorts: 64, Links: []int{48, 48}},
		"mesh:4x3":        {Nodes: 12, Routers: 12, MaxPorts: 5, NodePorts: 12, Links: []int{9, 8}},
		"fat-tree:4x4:2:b2r2": {Nodes: 16, Routers: 12, MaxPorts: 8, NodePorts: 32,
			Links: []int{2 * 4 * 2 * 2}},
	} {
		got := topology.InventoryOf(topologytest.Machine(t, text))
		if got.Nodes != want.Nodes || got.Routers != want.Routers || got.MaxPorts != want.MaxPorts ||
			got.NodePorts != want.NodePorts || !slices.Equal(got.Links, want.Links) {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// Links of the bisection by hand: the rows or columns of a mesh, twice as many of a torus; of S
// routers in a line of a HyperX S²/4 links; of g groups of a dragonfly with n links a pair g²/4·n,
// and of those whose pairs have unequal numbers the fewest of all halves; of
// a fat tree the links up from half the subtrees, at the level where they are fewest.
func TestBisectionByHand(t *testing.T) {
	for text, want := range map[string]int{
		"mesh:4x8": 4, "mesh:16x4": 4, "mesh:5x4": 5, "mesh:3x5": 3, "torus:4x4": 8, "torus:2x4": 4,
		"hyperx:4x4:p4w2": 4 * 4 * 2, "hyperx:12x11:p8": 11 * 36, "dragonfly:a8h4p4g33": 16 * 17,
		"dragonfly:a4h2p2g2": 8, "dragonfly:a4h2p2g8": 16, "dragonfly:a8h3p6g8": 52, "fat-tree:16x8:8": 32, "fat-tree:33x32:16": 16 * 16,
		"fat-tree:4x4x4:2x4": 2 * 4 * 2, "fat-tree:4x4x4:4x2": 2 * 4 * 2,
		"fat-tree:4x4:2:b2r2": 2 * 2 * 2 * 2, "tree:4x2": 8,
	} {
		if got, ok := topology.Bisection(topologytest.Machine(t, text)); got != want || !ok {
			t.Errorf("%s: %d links, %v, want %d", text, got, ok, want)
		}
	}
}

// No division of the routers in two equal parts has fewer links where dimensions or groups are even:
// all divisions of up to sixteen routers are tried.
func TestBisectionIsTheFewestLinks(t *testing.T) {
	for _, text := range []string{"mesh:4x4", "mesh:8x2", "torus:4x4", "torus:4x3",
		"mesh:2x2x3", "hyperx:4x4:p1", "hyperx:4x3:p1", "dragonfly:a2h1p1g2", "dragonfly:a3h1p1g4"} {
		m := topologytest.Machine(t, text)
		n, fewest := m.Routers(), 1<<30
		for set := range uint32(1) << n {
			if bits.OnesCount32(set) != n/2 {
				continue
			}
			cut := 0
			for r := range topology.Router(n) {
				for p := range topology.Port(m.Ports()) {
					if s, _, ok := m.Peer(r, p); ok && set>>r&1 == 1 && set>>s&1 == 0 {
						cut++
					}
				}
			}
			fewest = min(fewest, cut)
		}
		if got, _ := topology.Bisection(m); got != fewest {
			t.Errorf("%s: %d links, and a division has %d", text, got, fewest)
		}
	}
}
