package sim

import (
	"math"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/router"
	"contend/router/topology"
)

// The meter counts everything that arrives in its window, for any batches.
func TestMeterBatches(t *testing.T) {
	s := configtest.Net(8, 4, 4)
	machine, err := config.NewMachine(&s.Machine)
	if err != nil {
		t.Fatal(err)
	}
	for _, window := range []int64{3, 20, 997, 10000} {
		m := newTrafficMeter(17, window, machine, newIdleLatency(configtest.Plan(t, s).Network, 8))
		for at := int64(0); at < 17+window+50; at++ {
			a := router.Arrival{Delivered: at}
			a.Created, a.Length, a.To = at, 1, topology.Node(1)
			m.Packet(&a)
		}
		if p := m.Point(); math.Abs(p.Accepted*float64(window)*16-float64(window)) > 1e-6 &&
			window >= batches {
			t.Errorf("a flit a cycle over %d cycles: accepted %v a node", window, p.Accepted)
		}
		if m.packets != window {
			t.Errorf("%d packets counted, want %d", m.packets, window)
		}
		for b := int64(0); b < batches; b++ {
			if n := m.boundary(b+1) - m.boundary(b); int64(m.arrived[b]) != n {
				t.Errorf("window %d, batch %d of %d cycles: %v flits", window, b, n, m.arrived[b])
			}
		}
	}
}
