package figures

import (
	"contend/experiments"
	"contend/experiments/figure"
	"contend/experiments/report/tables"
)

// leftOut says what a logarithmic axis does not show.
const leftOut = "Values of 0 or less have no place on a logarithmic axis and are left out."

// leavesOut reports whether a figure has values for which a logarithmic axis has no place.
func leavesOut(r *experiments.Results, f *experiments.Figure, points []int) bool {
	for _, i := range points {
		switch f.Kind {
		case "bars", "lines":
			if c := cellOf(r, i, *f); f.LogY && (c.y <= 0 || f.Published && c.published <= 0) {
				return true
			}
		case experiments.BreakEvenKind:
			b := r.Study.BreakEvenOf(f)
			if c, ok := tables.CrossingAt(r, b, i); f.LogY && ok && c.At <= 0 {
				return true
			}
		case "scatter":
			if f.LogX || f.LogY {
				linear := *f
				linear.LogX, linear.LogY = false, false
				if marksAt(r, f, i) < marksAt(r, &linear, i) {
					return true
				}
			}
		}
	}
	return false
}

// marksAt returns the number of marks of a point in a scatter.
func marksAt(r *experiments.Results, f *experiments.Figure, point int) int {
	d := figure.Figure{X: figure.Axis{Log: f.LogX}, Y: figure.Axis{Log: f.LogY}}
	return len(marks(r, f, &d, []int{point}, tables.LabelAt(r, point, f.Series)).X)
}
