package topology_test

import (
	"fmt"
	"testing"

	"contend/internal/must"
	"contend/netsim/topology"
)

// What is no size of a dragonfly or of a HyperX is refused.
func TestLetteredSizesAreRefused(t *testing.T) {
	for name, sizes := range map[string][]string{
		"dragonfly": {"a4", "h2", "a4h0", "a4h2h2", "a4h2x3", "a4h2:up", "a4h2:", "4a2h", "a4h2g10",
			"a-4h2", "a4h2g99999999999999999999"},
		"fat-tree": {"4x4:", "4x4:2:", "4x4:b2:r2", "4x4:r2:2", "4x4:q2", "4x4:2x2x2", "0x4", "4x4:b0",
			"4x4:2:b2:r2", "4x4:b2b2"},
		"hyperx": {"4x4:", "4x4:p0", "4x4:q2", "4x4:p2p2", "x4:p1", "4x4:p", "4x4:2"},
	} {
		k, _ := topology.KindNamed(topology.Kinds(), name)
		for _, size := range sizes {
			if _, err := k.Parse(size); err == nil {
				t.Errorf("%s:%s was accepted", name, size)
			}
		}
	}
}

// Every kind reads its own example, and refuses what is no size.
func TestKindsReadTheirExamples(t *testing.T) {
	for _, k := range topology.Kinds() {
		size, _ := k.Example()
		m, err := k.Parse(size)
		if err != nil {
			t.Errorf("%s:%s: %v", k.Name(), size, err)
			continue
		}
		if r, ok := m.(topology.Routed); !ok || r.DefaultRouting(0) != k.Routings()[0] {
			t.Errorf("%s: the default routing is not the first of %v", k.Name(), k.Routings())
		}
		for _, bad := range []string{"", "x", "4x", "0", "4x-1", "a", "4x4:", "4:4:4"} {
			if _, err := k.Parse(bad); err == nil {
				t.Errorf("%s:%s was accepted", k.Name(), bad)
			}
		}
	}
}

func TestKindsMakeWhatTheySay(t *testing.T) {
	for _, c := range []struct {
		kind, size            string
		nodes, routers, ports int
	}{
		{"mesh", "4x3", 12, 12, 5}, {"torus", "5x4x3", 60, 60, 7}, {"hypercube", "5", 32, 32, 11},
		{"tree", "4x3", 64, 48, 8}, {"tree", "4x3:2", 64, 16 + 8 + 4, 6},
		{"dragonfly", "a4h2p2g9", 72, 36, 7}, {"dragonfly", "h2a4", 36, 36, 6},
		{"dragonfly", "a4h2p3g5:relative", 60, 20, 8}, {"hyperx", "4x3", 12, 12, 6},
		{"fat-tree", "4x3", 12, 3 + 4, 8}, {"fat-tree", "16x8:4", 128, 8 + 4, 20},
		{"fat-tree", "4x4:2:b2r2", 16, 2 * (4 + 2), 8}, {"fat-tree", "4x4:b2", 16, 4 + 4, 12},
		{"hyperx", "4x3:w2p4", 48, 12, 14}, {"hyperx", "8:p3", 24, 8, 10},
	} {
		k, ok := topology.KindNamed(topology.Kinds(), c.kind)
		if !ok {
			t.Fatalf("there is no kind %s", c.kind)
		}
		m := must.Have(k.Parse(c.size))
		got := fmt.Sprint(m.Nodes(), m.Routers(), m.Ports())
		if want := fmt.Sprint(c.nodes, c.routers, c.ports); got != want {
			t.Errorf("%s:%s has %s nodes, routers and ports, want %s", c.kind, c.size, got, want)
		}
	}
}
