package report

import (
	"fmt"

	"contend/experiments"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/input"
)

// overLoad reports whether a figure has curves over the load that is offered to a bare network.
func overLoad(f *study.Figure, d *plot.Figure) bool {
	return d.Kind == plot.Lines && d.Categories == nil && f.X == "workload.traffic_load"
}

// endAtSaturation ends a series, whose points have the labels xs and name, as contend net ends
// curves.
func endAtSaturation(r *experiments.Results, f *study.Figure, points []int, xs []string,
	name string, s *plot.Series) {
	saturated := make([]bool, len(xs))
	for k, x := range xs {
		for _, i := range pointsAt(r, f, points, x, name) {
			e, ok := r.Estimate(i, "saturated")
			saturated[k] = saturated[k] || ok && sim.MostSaturated(e.Mean)
		}
	}
	s.EndAtSaturation(saturated, sim.GrowsWithWindow(f.Metric))
}

// saturationOf counts the points of a figure at which the network was saturated, and states what
// follows; "" if there are none.
func saturationOf(r *experiments.Results, f *study.Figure, d *plot.Figure, points []int) string {
	n := tables.SaturatedPoints(r, points)
	if n == 0 {
		return ""
	}
	text := "latencies there depend on the length of the measurement."
	switch {
	case overLoad(f, d) && sim.GrowsWithWindow(f.Metric):
		text = "curves end at the first such load (crosses), since latencies there depend on the " +
			"length of the measurement."
	case overLoad(f, d):
		text = "crosses mark the first such load."
	}
	return fmt.Sprintf("At %d of %s the network was saturated: %s", n,
		input.Plural(len(points), "point"), text)
}
