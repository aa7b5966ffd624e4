package report

import (
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/report/tables"
)

// A failed check of jumps is said in words, and fails the comparison.
func TestCheckOfJumps(t *testing.T) {
	for _, c := range []struct {
		beyond float64
		pass   bool
	}{{0, true}, {2, true}, {6, true}, {8, false}, {40, false}} {
		verdicts := Compare(experimentstest.Jumped(c.beyond), config.Builtin())
		if len(verdicts) != 1 || verdicts[0].Pass != c.pass {
			t.Errorf("%v beyond: %v", c.beyond, verdicts)
		}
		text := notesOf(experimentstest.Jumped(c.beyond))
		if strings.Contains(text, "not to be trusted") == c.pass ||
			!strings.Contains(text, "99.5% of the service time") ||
			!strings.Contains(text, "40 rates, off by 0.75% on average") {
			t.Errorf("%v beyond: %s", c.beyond, text)
		}
	}
	r := experimentstest.Jumped(0)
	r.Points[0].Spec.FastForward = 0
	if text := notesOf(r); strings.Contains(text, "jumped over") || Compare(r,
		config.Builtin()) != nil {
		t.Errorf("without jumps: %q", text)
	}
}

// Tables say how well blocking times are known, and what checks of exact jumps found.
func TestTextOfBlocking(t *testing.T) {
	for _, c := range []struct {
		metrics []metrics.Metric
		want    string
		pass    bool
	}{
		{nil, "How well blocking times are known is not known", true},
		{[]metrics.Metric{{Name: "packet_blocking_error", Value: 4}, {Name: "foreign_blocking_error",
			Value: 12}}, "packet_blocking_time of a run uncertain by 4.0% and " +
			"foreign_blocking_time by 12% on average", true},
		{[]metrics.Metric{{Name: "exact_checked", Value: 9}, {Name: "exact_wrong", Value: 0}},
			"Exact jumps: all of 9 jobs did what was foreseen", true},
		{[]metrics.Metric{{Name: "exact_checked", Value: 9}, {Name: "exact_wrong", Value: 1}},
			"Exact jumps: 1 of 9 jobs did not do what was foreseen", false},
	} {
		r := experimentstest.Jumped(0)
		r.Runs[0][0].Metrics = append(r.Runs[0][0].Metrics, c.metrics...)
		text := notesOf(r)
		if !strings.Contains(text, c.want) || strings.Contains(text, "not to be trusted") == c.pass {
			t.Errorf("%v: %s", c.metrics, text)
		}
		if v := Compare(r, config.Builtin()); len(v) != 1 || v[0].Pass != c.pass {
			t.Errorf("%v: %v", c.metrics, v)
		}
	}
	sure := experimentstest.Jumped(0)
	sure.Runs[0][0].Metrics = append(sure.Runs[0][0].Metrics,
		metrics.Metric{Name: "exact_jumps", Value: 100})
	if text := notesOf(sure); strings.Contains(text, "locking times") {
		t.Errorf("exact jumps: %s", text)
	}
}

// notesOf returns the notes under the table of results.
func notesOf(r *experiments.Results) string { return strings.Join(tables.TableNotes(r), " ") }
