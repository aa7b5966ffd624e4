package sim

import (
	"testing"

	"contend/experiments/config/configtest"
	"contend/router/topology"
)

// A cycle is the 2.56 ns of a flit of 64 B at 200 Gb/s. Links below leaves take 195 cycles (500
// ns), those of the tier above 313 (800 ns), and those of the last tier 391 (1000 ns) and two
// cycles a flit. Switches take no time. A packet of 8 flits takes its links there and back, and 7
// flits more at the rate of the slowest.
func TestZeroLoadOfTiersWithTheirRates(t *testing.T) {
	s := specWith(t, map[string]any{"machine.topology": "fat-tree",
		"machine.children": []any{int64(2), int64(2), int64(2)},
		"machine.parents":  []any{int64(2), int64(2)}, "machine.bundle": []any{int64(1), int64(2)},
		"network.flit_bytes": int64(64), "network.cycle": "2.56 ns",
		"network.buffer_flits": int64(783), "network.routing_cycles": "0 ns",
		"network.node_flit_cycles": "200 Gb/s", "network.node_link_cycles": "500 ns",
		"network.class_flit_cycles": []any{"200 Gb/s", "100 Gb/s"},
		"network.class_link_cycles": []any{"800 ns", "1000 ns"}})
	if err := s.Resolve(); err != nil {
		t.Fatal(err)
	}
	idle := newIdleLatency(configtest.Plan(t, s).Network, 8)
	for to, want := range map[topology.Node]float64{1: 2*195 + 7, 2: 2*195 + 2*313 + 7,
		3: 2*195 + 2*313 + 7, 4: 2*195 + 2*313 + 2*391 + 7*2, 7: 2*195 + 2*313 + 2*391 + 7*2} {
		if got, err := idle.of(arrival(0, to)); err != nil || got != want {
			t.Errorf("to node %d: %v cycles (%v), want %v", to, got, err, want)
		}
	}
}
