package report

import (
	"slices"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/study"
)

// jumped returns results of a run that checked 40 rates of which so many were beyond.
func jumped(beyond float64) *experiments.Results {
	s := spec.DefaultSpec()
	s.FastForward = 0.05
	return &experiments.Results{Study: &study.Study{Name: "x"},
		Points: []study.Point{{Spec: s}},
		Runs: [][]cosim.Result{{{Metrics: []cosim.Metric{{Name: "time_jumped", Value: 99.5},
			{Name: "rate_error", Value: 1.25}, {Name: "jump_error", Value: 0.75},
			{Name: "jumps_beyond", Value: 100 * beyond / 40}, {Name: "rates_checked", Value: 40}}}}}}
}

// A failed check of jumps is said in words, and fails the comparison.
func TestCheckOfJumps(t *testing.T) {
	for _, c := range []struct {
		beyond float64
		pass   bool
	}{{0, true}, {2, true}, {6, true}, {8, false}, {40, false}} {
		verdicts := Compare(jumped(c.beyond), spec.BuiltinNames())
		if len(verdicts) != 1 || verdicts[0].Pass != c.pass {
			t.Errorf("%v beyond: %v", c.beyond, verdicts)
		}
		text := jumpText(jumped(c.beyond))
		if strings.Contains(text, "not to be trusted") == c.pass ||
			!strings.Contains(text, "99.5% of the service time") ||
			!strings.Contains(text, "40 rates, off by 0.75% on average") {
			t.Errorf("%v beyond: %s", c.beyond, text)
		}
	}
	r := jumped(0)
	r.Points[0].Spec.FastForward = 0
	if text := jumpText(r); text != "" || Compare(r, spec.BuiltinNames()) != nil {
		t.Errorf("without jumps: %q", text)
	}
}

// Tables say how well blocking times are known, and what checks of exact jumps found.
func TestTextOfBlocking(t *testing.T) {
	for _, c := range []struct {
		metrics []cosim.Metric
		want    string
		pass    bool
	}{
		{nil, "How well blocking times are known is not known", true},
		{[]cosim.Metric{{Name: "packet_blocking_error", Value: 4}, {Name: "foreign_blocking_error",
			Value: 12}}, "packet_blocking_time of a run uncertain by 4.0% and " +
			"foreign_blocking_time by 12% on average", true},
		{[]cosim.Metric{{Name: "exact_checked", Value: 9}, {Name: "exact_wrong", Value: 0}},
			"Exact jumps: all of 9 jobs did what was foreseen", true},
		{[]cosim.Metric{{Name: "exact_checked", Value: 9}, {Name: "exact_wrong", Value: 1}},
			"Exact jumps: 1 of 9 jobs did not do what was foreseen", false},
	} {
		r := jumped(0)
		r.Runs[0][0].Metrics = append(r.Runs[0][0].Metrics, c.metrics...)
		text := jumpText(r)
		if !strings.Contains(text, c.want) || strings.Contains(text, "not to be trusted") == c.pass {
			t.Errorf("%v: %s", c.metrics, text)
		}
		if v := Compare(r, spec.BuiltinNames()); len(v) != 1 || v[0].Pass != c.pass {
			t.Errorf("%v: %v", c.metrics, v)
		}
	}
	sure := jumped(0)
	sure.Runs[0][0].Metrics = append(sure.Runs[0][0].Metrics,
		cosim.Metric{Name: "exact_jumps", Value: 100})
	if text := jumpText(sure); strings.Contains(text, "locking times") {
		t.Errorf("exact jumps: %s", text)
	}
}

// A section says how much was saved in each point, summed over its runs, and what checks found.
func TestJumpSection(t *testing.T) {
	r := jumped(2)
	more := jumped(1).Runs[0][0]
	for i, simulated := range []float64{3, 1} {
		run := &r.Runs[0]
		if i > 0 {
			*run = append(*run, more)
		}
		k := &(*run)[i]
		k.Metrics = append(k.Metrics, cosim.Metric{Name: "flit_hops", Value: 2e5},
			cosim.Metric{Name: "simulated_flit_hops", Value: simulated})
	}
	text := jumpSection(r)
	const want = "|      99.50% |     4e+05 |            100000 |" +
		"            80 |      3 |      0.75% |\n"
	if !strings.HasSuffix(text, want) {
		t.Errorf("%s\nwant %s", text, want)
	}
	if r.Points[0].Spec.FastForward = 0; jumpSection(r) != "" {
		t.Errorf("without jumps: %s", jumpSection(r))
	}
	idle := jumped(1)
	idle.Runs[0][0].Metrics = slices.DeleteFunc(idle.Runs[0][0].Metrics,
		func(m cosim.Metric) bool { return m.Name == "time_jumped" })
	if text := jumpSection(idle); strings.Contains(text, "NaN") || strings.Contains(text, "none") {
		t.Errorf("without messages: %s", text)
	}
	for _, c := range []struct {
		simulated float64
		want      string
	}{{0, "none"}, {4, "250"}, {100, "10"}, {1, "1000"}, {3, "333"}, {0.07, "14300"}} {
		if got := saving(1000, c.simulated); got != c.want {
			t.Errorf("1000 over %v: %s, want %s", c.simulated, got, c.want)
		}
	}
}
