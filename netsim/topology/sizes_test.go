package topology_test

import (
	"fmt"
	"testing"

	"contend/netsim/topology"
	"contend/netsim/topology/topologytest"
)

// What is no size of a fat tree, of a dragonfly or of a HyperX is refused.
func TestSizesAreRefused(t *testing.T) {
	isDragonfly := func(size string) bool { _, ok := topology.ParseDragonfly(size); return ok }
	isFatTree := func(size string) bool { _, ok := topology.ParseFatTree(size); return ok }
	isHyperX := func(size string) bool { _, ok := topology.ParseHyperX(size); return ok }
	for _, k := range []struct {
		name  string
		is    func(string) bool
		sizes []string
	}{
		{"dragonfly", isDragonfly, []string{"a4", "h2", "a4h0", "a4h2h2", "a4h2x3", "a4h2:up", "a4h2:",
			"4a2h", "a-4h2", "a4h2g99999999999999999999", "", "x", "0"}},
		{"fat-tree", isFatTree, []string{"4x4:", "4x4:2:", "4x4:b2:r2", "4x4:r2:2", "4x4:q2", "0x4",
			"4x4:b0", "4x4:2:b2:r2", "4x4:b2b2", "", "x", "4x", "4x-1", "4:4:4", "a"}},
		{"hyperx", isHyperX, []string{"4x4:", "4x4:p0", "4x4:q2", "4x4:p2p2", "x4:p1", "4x4:p", "4x4:2",
			"", "x", "4x", "0", "4x-1", "a", "4:4:4"}},
	} {
		for _, size := range k.sizes {
			if k.is(size) {
				t.Errorf("%s:%s was accepted", k.name, size)
			}
		}
	}
}

func TestSizesMakeWhatTheySay(t *testing.T) {
	for _, c := range []struct {
		short                 string
		nodes, routers, ports int
	}{
		{"mesh:4x3", 12, 12, 5}, {"torus:5x4x3", 60, 60, 7}, {"hypercube:5", 32, 32, 11},
		{"tree:4x3", 64, 48, 8}, {"tree:4x3:2", 64, 16 + 8 + 4, 6},
		{"dragonfly:a4h2p2g9", 72, 36, 7}, {"dragonfly:h2a4", 36, 36, 6},
		{"dragonfly:a4h2p3g5:relative", 60, 20, 8}, {"hyperx:4x3", 12, 12, 6},
		{"fat-tree:4x3", 12, 3 + 4, 8}, {"fat-tree:16x8:4", 128, 8 + 4, 20},
		{"fat-tree:4x4:2:b2r2", 16, 2 * (4 + 2), 8}, {"fat-tree:4x4:b2", 16, 4 + 4, 12},
		{"hyperx:4x3:w2p4", 48, 12, 14}, {"hyperx:8:p3", 24, 8, 10},
	} {
		m := topologytest.Machine(t, c.short)
		got := fmt.Sprint(m.Nodes(), m.Routers(), m.Ports())
		if want := fmt.Sprint(c.nodes, c.routers, c.ports); got != want {
			t.Errorf("%s has %s nodes, routers and ports, want %s", c.short, got, want)
		}
	}
}
