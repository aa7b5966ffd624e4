package report

import (
	"math"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/study"
	"contend/internal/must"
)

// Each take of a line, by hand.
func TestLandmarksOfALine(t *testing.T) {
	rising := line{[]float64{1, 2, 3, 5}, []float64{0, 0, 4, 6}, math.NaN()}
	falls := line{[]float64{1, 2, 4}, []float64{math.NaN(), 20, -3}, 0}
	for _, c := range []struct {
		of   line
		mark study.Landmark
		want float64
	}{
		{rising, study.Landmark{Take: "max"}, 6},
		{rising, study.Landmark{Take: "peak"}, 5},
		{rising, study.Landmark{Take: "peak", Within: 0.34}, 3},
		{rising, study.Landmark{Take: "up-to"}, 2},
		{rising, study.Landmark{Take: "up-to", Above: 4}, 3},
		{rising, study.Landmark{Take: "up-to", Above: 6}, math.Inf(1)},
		{rising, study.Landmark{Take: "up-to", Above: -1}, math.NaN()},
		{rising, study.Landmark{Take: "first-above"}, 3},
		{rising, study.Landmark{Take: "first-above", Above: 6}, math.Inf(1)},
		{rising, study.Landmark{Take: "count-above", Above: 3.5}, 2},
		{rising, study.Landmark{Take: "at", At: []float64{3}}, 4},
		{rising, study.Landmark{Take: "at", At: []float64{4}}, math.NaN()},
		{rising, study.Landmark{Take: "rank", At: []float64{1}}, 3},
		{rising, study.Landmark{Take: "sum", At: []float64{2, 3, 5}}, 10},
		{rising, study.Landmark{Take: "share", At: []float64{3}}, 40},
		{falls, study.Landmark{Take: "max"}, 20},
		{falls, study.Landmark{Take: "peak"}, 2},
		{falls, study.Landmark{Take: "first-above"}, 2},
		{falls, study.Landmark{Take: "count-above"}, 1},
		{falls, study.Landmark{Take: "sum", At: []float64{2, 3}}, 20},
	} {
		got := c.of.take(&c.mark)
		if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%+v of %v: %v, want %v", c.mark, c.of, got, c.want)
		}
	}
}

// landmarkStudy has a queue that grows from a load of 2 on under one allocator of two.
const landmarkStudy = `
name = "marks"
[job]
run = "fixed"
[[axes]]
key = "workload.system_load"
values = [10, 1, 2]
[[axes]]
key = "allocator"
values = ["mbs", "random"]
[[landmarks]]
name = "stable"
take = "up-to"
metric = "queue_growth"
along = "workload.system_load"
[[tolerances]]
name = "turns"
rule = "bounds"
metric = "stable"
printed = "1.0"
[[tolerances]]
rule = "bounds"
metric = "stable"
printed = "about one"
min = 1
max = 2
where = { allocator = "random" }
`

// stableUpTo returns results of landmarkStudy in which queues grow above the loads.
func stableUpTo(t *testing.T, last map[string]float64) *experiments.Results {
	st := experimentstest.MustParse(t, landmarkStudy)
	return experimentstest.Stored(t, st, config.Builtin(), func(_ int,
		p *study.Point) []metrics.Result {
		if p.Spec.Workload.SystemLoad > last[p.Labels[1]] {
			return experimentstest.OfMetric("queue_growth", 12)
		}
		return experimentstest.OfMetric("utilization", 50)
	})
}

// A run without the metric counts as 0, values may stand in any order, and a printed number is met
// by the values that round to it.
func TestLandmarksAlongAnAxis(t *testing.T) {
	v := Compare(stableUpTo(t, map[string]float64{"mbs": 1, "random": 2}))
	if v[0].Pass || len(v[0].Groups) != 2 || !v[0].Groups[0].Within || v[0].Groups[1].Mean != 2 ||
		v[0].Groups[1].Name != "random" || v[0].Printed != "1.0" {
		t.Errorf("%+v", v[0])
	}
	if !v[1].Pass || len(v[1].Groups) != 1 {
		t.Errorf("%+v", v[1])
	}
	if v := Compare(stableUpTo(t, map[string]float64{"mbs": 1, "random": 1})); !v[0].Pass {
		t.Errorf("%+v", v[0])
	}
	if v := Compare(stableUpTo(t, map[string]float64{"mbs": 1, "random": 10})); v[0].Pass ||
		!strings.Contains(v[0].String(), "random: never, outside") {
		t.Errorf("%v", v[0])
	}
	missing := must.Have(experimentstest.MustParse(t, landmarkStudy).Points())
	r := stableUpTo(t, map[string]float64{})
	r.Runs[len(missing)-1] = nil
	if v := Compare(r); v[0].Pass || v[0].Groups[1].Run {
		t.Errorf("a line with a missing run: %v", v[0])
	}
	r = stableUpTo(t, map[string]float64{"mbs": 1, "random": 1})
	if r.Study.Changed = []string{"--set job.run"}; len(Compare(r)) != 0 {
		t.Error("printed numbers are compared with a changed study")
	}
}
