package sim

import "testing"

// A message of 8 MiB alone on a switch takes the time without control under all of them, with the
// defaults of networks of today.
func TestFlowsAloneOnNetworksOfToday(t *testing.T) {
	for _, preset := range []string{"ndr", "ethernet-400", "slingshot-11"} {
		var want float64
		for _, control := range []string{"none", "dcqcn", "ib-cca", "throttle"} {
			m := runOf(t, specWith(t, map[string]any{"network.preset": preset,
				"machine.topology": "tree", "machine.arity": int64(8), "machine.levels": int64(1),
				"network.source_queues": "destination", "network.congestion_control": control,
				"workload.source": "together", "workload.processes": int64(2),
				"workload.placement": "contiguous", "job.pattern": "incast", "job.flits": "8 MiB",
				"job.quota.iterations": int64(1), "runs.replications": int64(1)}))
			if control == "none" {
				want = m["service_time"]
			}
			if got := m["service_time"]; got != want {
				t.Errorf("%s: %v cycles under %s, %v without control", preset, got, control, want)
			}
		}
	}
}
