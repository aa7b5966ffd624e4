package sim

import (
	"maps"
	"math"
	"strings"
	"testing"
)

// A run with network.cycle has the metrics of the run without, the same numbers, and each in
// cycles or flits in seconds or bytes too.
func TestMetricsInRealUnits(t *testing.T) {
	jobs := map[string]any{"machine.dims": []any{int64(4), int64(4)}, "workload.jobs": int64(6),
		"workload.side.max": int64(3)}
	units := maps.Clone(jobs)
	units["job.cycles_per_second"] = 4.0
	traffic := map[string]any{"workload.source": "traffic", "machine.dims": []any{int64(4), int64(4)},
		"workload.warmup_cycles": int64(100), "workload.window_cycles": int64(400)}
	for _, c := range []struct {
		keys map[string]any
		real map[string]float64 // by metric, a unit of the metric it is made from
	}{
		{jobs, map[string]float64{"finish_time_s": 2e-9, "latency_s": 2e-9, "flit_hops_bytes": 32,
			"wait_time_p90_s": 2e-9}},
		{units, map[string]float64{"finish_time_s": 8e-9, "latency_p99_s": 2e-9}},
		{traffic, map[string]float64{"latency_s": 2e-9, "accepted_load_gb_s": 16}},
	} {
		plain := runOf(t, specWith(t, c.keys))
		c.keys["network.cycle"], c.keys["network.flit_bytes"] = "2 ns", "32 B"
		with := runOf(t, specWith(t, c.keys))
		for name, value := range plain {
			if with[name] != value && !math.IsNaN(value) {
				t.Errorf("%s is %v, and %v with a length of a cycle", name, value, with[name])
			}
			if strings.HasSuffix(name, "_s") || strings.HasSuffix(name, "_bytes") {
				t.Errorf("%s without a length of a cycle", name)
			}
		}
		for name, unit := range c.real {
			of := strings.TrimSuffix(name[:strings.LastIndexByte(name, '_')], "_gb")
			value, ok := with[name]
			if !ok || plain[of] == 0 && value != 0 || math.Abs(value-plain[of]*unit) > 1e-12*value {
				t.Errorf("%s is %v, and %s %v", name, value, of, plain[of])
			}
		}
	}
}

// Where the clock is in seconds, times of jobs are not said twice.
func TestMetricsOnASecondsClock(t *testing.T) {
	with := runOf(t, specWith(t, map[string]any{"workload.source": "lublin", "workload.jobs": int64(3),
		"workload.size_clamp": int64(8), "network.cycle": "10 s"}))
	if _, twice := with["wait_time_s"]; twice || math.IsNaN(with["wait_time"]) {
		t.Errorf("times of jobs: %v", with)
	}
	if v, ok := with["latency_s"]; !ok || math.Abs(v-10*with["latency"]) > 1e-9*v {
		t.Errorf("latency is %v cycles and %v s", with["latency"], v)
	}
}

// A message of a megabyte between neighbours takes its length over the rate of the link, its
// way, and for each of its packets the cycle or two in which routers look at a header.
func TestPresetsFillALink(t *testing.T) {
	for preset, c := range map[string]struct {
		rate, delay float64 // B/s; s of a switch with its cable
	}{
		"ethernet-200": {25e9, 278e-9}, "ethernet-400": {50e9, 277e-9}, "hdr": {25e9, 158e-9},
		"ndr": {50e9, 227e-9}, "slingshot-11": {25e9, 378e-9},
	} {
		const bytes = 1 << 20
		m := runOf(t, specWith(t, map[string]any{"network.preset": preset, "machine.topology": "tree",
			"machine.arity": int64(2), "machine.levels": int64(1), "workload.source": "together",
			"workload.processes": int64(2), "workload.background": "idle",
			"job.pattern": "one-to-all", "job.flits": "1 MiB"}))
		want := bytes/c.rate + 2*c.delay
		if got := m["service_time_s"]; got < want || got > 1.035*want {
			t.Errorf("%s takes %v s for a megabyte, want %v and up to 3.5%% more", preset, got, want)
		}
	}
}
