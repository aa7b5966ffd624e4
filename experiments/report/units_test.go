package report

import (
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/experimentstest"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/study"
)

// clockStudy has an axis that changes the clock of runs: jobs of its base send messages.
const clockStudy = `
name = "clocks"
primary = ["finish_time"]
[machine]
dims = [4, 4]
[workload]
jobs = 20
side.max = 2
[job]
quota = { distribution = "fixed", messages = 20 }
[runs]
replications = 1
[[axes]]
key = "job.run"
values = ["fixed", "messages"]
[[figures]]
name = "finish"
kind = "bars"
x = "job.run"
metric = "finish_time"
`

// Labels have the unit of the runs that are shown, and not that of the study's base.
func TestUnitsAreThoseOfTheRuns(t *testing.T) {
	r := experimentstest.Recorded(t, clockStudy, experiments.Tables{Jobs: true})
	for want, where := range map[string]map[string]any{
		"(time units)":           {"job.run": "fixed"},
		"(cycles)":               {"job.run": "messages"},
		"(time units or cycles)": nil,
	} {
		f := r.Study.Figures[0]
		f.Where = where
		d, ok := figureOf(r, &f)
		if !ok || !strings.HasSuffix(d.Y.Label, want) {
			t.Errorf("bars of %v have the label %q", where, d.Y.Label)
		}
		box := draw(t, r, study.Figure{Kind: "box", Metric: "service_time", Where: where})
		if label := box.(plot.Figure).Y.Label; !strings.HasSuffix(label, want) {
			t.Errorf("boxes of %v have the label %q", where, label)
		}
	}
	if text := tables.Markdown(r); !strings.Contains(text, "finish_time (time units or cycles)") {
		t.Error(text)
	}
}
