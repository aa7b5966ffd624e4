package report

import (
	"fmt"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/study"
)

// A caption says that a logarithmic axis leaves out values, and only then.
func TestCaptionSaysWhatIsLeftOut(t *testing.T) {
	r := experimentstest.Recorded(t, clockStudy, experiments.Tables{Jobs: true, Series: true})
	caption := func(f study.Figure) string {
		d, ok := figureOf(r, &f)
		if !ok {
			t.Fatalf("%s: nothing to draw", f.Kind)
		}
		c := captionOf(r, &f, &d)
		return c.title() + " " + c.body()
	}
	bars := r.Study.Figures[0]
	bars.LogY = true
	if text := caption(bars); strings.Contains(text, leftOut) {
		t.Error(text)
	}
	scatter := study.Figure{Name: "s", Kind: "scatter", X: "wait_time", Series: "job.run",
		Metric: "service_time", Processors: int(number(t, rowsOf(t, r, "jobs", 1)[0]["processors"]))}
	if text := caption(scatter); strings.Contains(text, leftOut) ||
		!strings.Contains(text, fmt.Sprintf("each job of %d processors of the first replication",
			scatter.Processors)) {
		t.Error(text)
	}
	scatter.LogY, scatter.Processors = true, 0
	if text := caption(scatter); !strings.Contains(text, leftOut) {
		t.Error(text)
	}
	r.Runs[0] = []metrics.Result{{Metrics: []metrics.Metric{{Name: "finish_time", Value: 0}}}}
	if text := caption(bars); !strings.Contains(text, leftOut) {
		t.Error(text)
	}
	lines := draw(t, r, study.Figure{Kind: "series", Metric: "queue_jobs", LogY: true,
		Where: map[string]any{"job.run": "messages"}})
	if text := lines.(plot.Figure).Description; !strings.Contains(text, leftOut) {
		t.Error(text)
	}
}
