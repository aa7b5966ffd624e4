package topology_test

import (
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
