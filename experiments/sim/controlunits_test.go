package sim

import (
	"maps"
	"strings"
	"testing"

	"contend/experiments/metrics"
)

// A study in cycles and flits, the same with a cycle of 12.8 ns and flits of 64 B, and the same
// with its times, sizes and rates in units are one run.
func TestControlsInUnits(t *testing.T) {
	base := map[string]any{"machine.topology": "tree", "machine.arity": int64(8),
		"machine.levels": int64(1), "network.source_queues": "destination",
		"network.packet_flits": int64(16), "network.virtual_channels": int64(32),
		"network.buffer_flits": int64(16), "network.input_speedup": int64(0),
		"network.link_cycles": int64(39), "network.credit_cycles": int64(39),
		"workload.source": "traffic", "workload.traffic": "incast:senders=7",
		"workload.traffic_load": 0.4, "workload.warmup_cycles": int64(20000),
		"workload.window_cycles": int64(20000), "job.flits": int64(16)}
	units := map[string]any{"network.cycle": "12.8 ns", "network.flit_bytes": int64(64),
		"network.link_cycles": "499.2 ns", "network.packet_flits": "1 KiB"}
	for numbers, quantities := range map[string]string{
		"dcqcn": "dcqcn:kmin=4992 B,kmax=200 kB,cnp_cycles=49.9968 us,alpha_cycles=55.0016us," +
			"timer_cycles=55.0016us,counter_flits=10 MB,additive=40 Mb/s,hyper=400 Mb/s,least=0.04 Gb/s",
		"dcqcn:pmax=0.5,kmin=8,kmax=200,cnp_cycles=625,timer_cycles=1250": "dcqcn:pmax=0.5," +
			"kmin=102.4 ns,kmax=2.56 us,cnp_cycles=8us,timer_cycles=16 us",
		"ib-cca":   "ib-cca:threshold=8 KiB,ccti_timer=153.6 us",
		"throttle": "throttle:outstanding=4 KiB",
	} {
		run := func(control string, more map[string]any) map[string]float64 {
			keys := maps.Clone(base)
			maps.Copy(keys, more)
			keys["network.congestion_control"] = control
			values, _ := rowsOf(t, specWith(t, keys), metrics.Records{})
			maps.DeleteFunc(values, func(name string, _ float64) bool { // those in units
				return strings.HasSuffix(name, "_s") || strings.Contains(name, "bytes")
			})
			return values
		}
		want := run(numbers, nil)
		for _, got := range []map[string]float64{run(numbers, units), run(quantities, units)} {
			if !maps.Equal(got, want) {
				t.Errorf("%s: %v, want %v", numbers, got, want)
			}
		}
		if want["rate_wait"] == 0 {
			t.Errorf("%s: nothing is held back: %v", numbers, want)
		}
	}
}
