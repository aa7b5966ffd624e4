package report

import (
	"strings"
	"testing"

	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/report/tables"
)

// A check of jumps fails where more rates are beyond their intervals than chance explains, or a job
// of an exact jump did not do what was foreseen.
func TestCheckOfJumps(t *testing.T) {
	for _, c := range []struct {
		beyond, wrong float64
		pass          bool
	}{{0, 0, true}, {2, 0, true}, {6, 0, true}, {8, 0, false}, {40, 0, false}, {0, 1, false}} {
		r := experimentstest.Jumped(c.beyond)
		r.Runs[0][0].Metrics = append(r.Runs[0][0].Metrics, metrics.Metric{Name: "exact_checked", Value: 9},
			metrics.Metric{Name: "exact_wrong", Value: c.wrong})
		if v := Compare(r); len(v) != 1 || v[0].Pass != c.pass {
			t.Errorf("%v beyond, %v wrong: %v", c.beyond, c.wrong, v)
		}
		text := strings.Join(tables.TableNotes(r), " ")
		if strings.Contains(text, "not to be trusted") == c.pass ||
			!strings.Contains(text, "99.5% of the service time") ||
			!strings.Contains(text, "40 rates, off by 0.75% on average") {
			t.Errorf("%v beyond, %v wrong: %s", c.beyond, c.wrong, text)
		}
	}
	r := experimentstest.Jumped(0)
	r.Points[0].Spec.FastForward = 0
	if v := Compare(r); v != nil {
		t.Errorf("without jumps: %v", v)
	}
}
