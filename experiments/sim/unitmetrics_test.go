package sim

import (
	"math"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/input"
)

// unitRun runs a spec with keys set, and returns its metrics by name.
func unitRun(t *testing.T, keys map[string]any) map[string]float64 {
	t.Helper()
	s := config.Defaults()
	for _, path := range input.SortedKeys(keys) {
		if err := s.Assign(path, keys[path], config.BuiltinNames()); err != nil {
			t.Fatal(err)
		}
	}
	r, err := configtest.Run(t.Context(), (&Simulator{}).Run, s.Spec, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, m := range r.Metrics {
		values[m.Name] = m.Value
	}
	return values
}

// A run with network.cycle has the metrics of the run without, the same numbers, and each in
// cycles or flits in seconds or bytes too.
func TestMetricsInRealUnits(t *testing.T) {
	jobs := map[string]any{"machine.dims": []any{int64(4), int64(4)}, "workload.jobs": int64(6),
		"workload.side.max": int64(3)}
	units := map[string]any{"machine.dims": []any{int64(4), int64(4)}, "workload.jobs": int64(6),
		"workload.side.max": int64(3), "job.cycles_per_second": 4.0}
	traffic := map[string]any{"workload.source": "traffic", "machine.dims": []any{int64(4), int64(4)},
		"workload.warmup_cycles": int64(100), "workload.window_cycles": int64(400)}
	for _, c := range []struct {
		keys  map[string]any
		clock float64 // cycles in a unit of the clock
		some  []string
	}{
		{jobs, 1, []string{"finish_time_s", "latency_s", "flit_hops_bytes", "wait_time_p90_s"}},
		{units, 4, []string{"finish_time_s", "latency_p99_s"}},
		{traffic, 1, []string{"latency_s", "accepted_load_gb_s"}},
	} {
		plain := unitRun(t, c.keys)
		c.keys["network.cycle"], c.keys["network.flit_bytes"] = "2 ns", "32 B"
		with := unitRun(t, c.keys)
		for name, value := range plain {
			if with[name] != value && !math.IsNaN(value) {
				t.Errorf("%s is %v, and %v with a length of a cycle", name, value, with[name])
			}
			if strings.HasSuffix(name, "_s") || strings.HasSuffix(name, "_bytes") {
				t.Errorf("%s without a length of a cycle", name)
			}
		}
		for _, name := range c.some {
			if _, ok := with[name]; !ok {
				t.Errorf("%s is missing", name)
			}
		}
		factors := map[string]float64{"finish_time_s": 2e-9 * c.clock, "latency_s": 2e-9,
			"latency_p99_s": 2e-9, "wait_time_p90_s": 2e-9 * c.clock, "flit_hops_bytes": 32,
			"accepted_load_gb_s": 16}
		for name, factor := range factors {
			value, ok := with[name]
			of := name[:strings.LastIndexByte(name, '_')]
			if of = strings.TrimSuffix(of, "_gb"); ok && math.Abs(value/(plain[of]*factor)-1) > 1e-12 {
				t.Errorf("%s is %v, and %s %v", name, value, of, plain[of])
			}
		}
		if len(with) < len(plain)+4 {
			t.Errorf("%d metrics, and %d without a length of a cycle", len(with), len(plain))
		}
	}
}

// Where the clock is in seconds, times of jobs are not said twice.
func TestMetricsOnASecondsClock(t *testing.T) {
	with := unitRun(t, map[string]any{"workload.source": "lublin", "workload.jobs": int64(3),
		"workload.size_clamp": int64(8), "network.cycle": "10 s"})
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
		m := unitRun(t, map[string]any{"network.preset": preset, "machine.topology": "tree",
			"machine.arity": int64(2), "machine.levels": int64(1), "workload.source": "together",
			"workload.processes": int64(2), "workload.background": "idle",
			"job.pattern": "one-to-all", "job.flits": "1 MiB"})
		want := bytes/c.rate + 2*c.delay
		if got := m["service_time_s"]; got < want || got > 1.035*want {
			t.Errorf("%s takes %v s for a megabyte, want %v and up to 3.5%% more", preset, got, want)
		}
	}
}
