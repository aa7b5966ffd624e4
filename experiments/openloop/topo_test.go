package openloop

import (
	"os"
	"path/filepath"
	"testing"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
	"contend/netsim/topology"
)

// A cycle is the 2.56 ns of a flit of 64 B at 200 Gb/s. Links below leaves take 195 cycles (500
// ns), those of the tier above 313 (800 ns), and those of the last tier 391 (1000 ns) and two
// cycles a flit. Switches take no time. A packet of 8 flits takes its links there and back, and 7
// flits more at the rate of the slowest.
func TestZeroLoadOfAFileOfHtsim(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pods.topo")
	if err := os.WriteFile(path, []byte(`Nodes 8
Tiers 3
Podsize 4
Tier 0
Downlink_speed_Gbps 200
Radix_Down 2
Radix_Up 2
Downlink_Latency_ns 500
Tier 1
Downlink_speed_Gbps 200
Radix_Down 2
Radix_Up 4
Downlink_Latency_ns 800
Tier 2
Downlink_speed_Gbps 100
Radix_Down 4
Downlink_Latency_ns 1000
Bundle 2
`), 0o666); err != nil {
		t.Fatal(err)
	}
	s := spec.Defaults()
	for _, k := range [][2]string{{"machine.topology", "fat-tree"}, {"machine.file", path}} {
		if err := s.Assign(k[0], k[1], spec.Builtin().Names()); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Spec.Resolve(); err != nil {
		t.Fatal(err)
	}
	plan := spectest.Plan(t, s.Spec)
	idle := cosim.NewIdleLatency(plan.Network, 8)
	for to, want := range map[topology.Node]float64{1: 2*195 + 7, 2: 2*195 + 2*313 + 7,
		3: 2*195 + 2*313 + 7, 4: 2*195 + 2*313 + 2*391 + 7*2, 7: 2*195 + 2*313 + 2*391 + 7*2} {
		if got, err := idle.Of(arrival(0, to)); err != nil || got != want {
			t.Errorf("to node %d: %v cycles (%v), want %v", to, got, err, want)
		}
	}
}
