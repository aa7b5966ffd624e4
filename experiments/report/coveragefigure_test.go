package report

import (
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/experimentstest"
	"contend/experiments/plot"
	"contend/experiments/study"
)

// Each run with jumps over time has a mark: the half width that it prints over its true error.
func TestCoverageMarks(t *testing.T) {
	fast := "[[axes]]\nkey = \"runs.fast_forward\"\nvalues = [0, 0.05]\n"
	text := experimentstest.RecordedStudy + fast +
		"[[figures]]\nname = \"x\"\nkind = \"coverage\"\n"
	r := experimentstest.Recorded(t, text, experiments.Tables{})
	for i := range r.Points {
		for k := range r.Runs[i] {
			of := r.Runs[i][k].Metrics
			for m := range of {
				switch of[m].Name {
				case "service_time":
					of[m].Value = 1000 + 10*float64(i)
				case "rate_error":
					of[m].Value = 2 * float64(k)
				}
			}
		}
	}
	drawing, err := DrawRecorded(r, &r.Study.Figures[0])
	if err != nil {
		t.Fatal(err)
	}
	d := drawing.(plot.Figure)
	runs := d.Series[len(d.Series)-1]
	if runs.Name != "runs" || len(runs.X) != 4 || !strings.Contains(d.Description,
		"2 of 4 runs lie within") {
		t.Errorf("%+v: %s", runs, d.Description)
	}
	r = experimentstest.Recorded(t, experimentstest.RecordedStudy, experiments.Tables{Jobs: true})
	_, err = DrawRecorded(r, &study.Figure{Name: "x", Kind: "coverage"})
	if err == nil || !strings.Contains(err.Error(), "runs.fast_forward") {
		t.Error(err)
	}
}
