package report

import (
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/input"
	"fmt"
)

// overLoad reports whether a figure has curves over the load that is offered to a bare network.
func overLoad(f *study.Figure, d *plot.Figure) bool {
	return d.Kind == plot.Lines && d.Categories == nil && f.X == "workload.traffic_load"
}

// endAtSaturation ends a series at its first load xs that saturates the network, as contend net
// ends curves.
func (k *drawing) endAtSaturation(points []int, xs []string, name string, s *plot.Series) {
	saturated := make([]bool, len(xs))
	for n, x := range xs {
		for _, i := range k.pointsAt(points, x, name) {
			e, ok := k.results.Estimate(i, "saturated")
			saturated[n] = saturated[n] || ok && sim.MostSaturated(e.Mean)
		}
	}
	s.EndAtSaturation(saturated, sim.GrowsWithWindow(k.figure.Metric))
}

// saturationText counts the points of a figure at which the network was saturated, and states what
// follows; "" if there are none.
func (k *drawing) saturationText(d *plot.Figure) string {
	n := tables.SaturatedPoints(k.results, k.points)
	if n == 0 {
		return ""
	}
	text := "latencies there depend on the length of the measurement."
	switch {
	case overLoad(k.figure, d) && sim.GrowsWithWindow(k.figure.Metric):
		text = "curves end at the first such load (crosses), since latencies there depend on the " +
			"length of the measurement."
	case overLoad(k.figure, d):
		text = "crosses mark the first such load."
	}
	return fmt.Sprintf("At %d of %s the network was saturated: %s", n,
		input.Plural(len(k.points), "point"), text)
}
