package topology_test

import (
	"testing"

	"contend/router/topology/topologytest"
)

// What is no size of a dragonfly, a fat tree or a HyperX is refused.
func TestWrongSizesAreRefused(t *testing.T) {
	for name, sizes := range map[string][]string{
		"dragonfly": {"a4", "h2", "a4h0", "a4h2h2", "a4h2x3", "a4h2:up", "a4h2:", "4a2h",
			"a-4h2", "a4h2g99999999999999999999"},
		"fat-tree": {"4x4:", "4x4:2:", "4x4:b2:r2", "4x4:r2:2", "4x4:q2", "0x4", "4x4:b0",
			"4x4:2:b2:r2", "4x4:b2b2"},
		"hyperx": {"4x4:", "4x4:p0", "4x4:q2", "4x4:p2p2", "x4:p1", "4x4:p", "4x4:2"},
	} {
		for _, size := range append(sizes, "", "x", "4x", "0", "4x-1", "a", "4:4:4") {
			if _, err := topologytest.Parse(name + ":" + size); err == nil {
				t.Errorf("%s:%s was accepted", name, size)
			}
		}
	}
}

func TestSizesMakeWhatTheySay(t *testing.T) {
	for _, c := range []struct {
		name, size            string
		nodes, routers, ports int
	}{
		{"dragonfly", "a4h2p2g9", 72, 36, 7}, {"dragonfly", "h2a4", 36, 36, 6},
		{"dragonfly", "a4h2p3g5:relative", 60, 20, 8}, {"hyperx", "4x3", 12, 12, 6},
		{"fat-tree", "4x3", 12, 3 + 4, 8}, {"fat-tree", "16x8:4", 128, 8 + 4, 20},
		{"fat-tree", "4x4:2:b2r2", 16, 2 * (4 + 2), 8}, {"fat-tree", "4x4:b2", 16, 4 + 4, 12},
		{"hyperx", "4x3:w2p4", 48, 12, 14}, {"hyperx", "8:p3", 24, 8, 10},
	} {
		m := topologytest.Machine(t, c.name+":"+c.size)
		if m.Nodes() != c.nodes || m.Routers() != c.routers || m.Ports() != c.ports {
			t.Errorf("%s:%s has %d nodes, %d routers and %d ports, want %d, %d and %d", c.name, c.size,
				m.Nodes(), m.Routers(), m.Ports(), c.nodes, c.routers, c.ports)
		}
	}
}
