package report

import (
	"slices"

	"contend/experiments"
	"contend/experiments/plot"
	"contend/experiments/study"
)

// kind has the functions that draw a kind of figure: collect and sentences of one that shows
// estimates, or draw of one that shows records. The row of the same name in study.FigureKinds says
// what a study may give. For example, a Gantt chart has a row here with ganttScene, which reads
// jobs.csv, and a row there with the keys x and job and the table jobs.
type kind struct {
	name string
	// collect returns the numbers of a figure of estimates, none where nothing was run.
	collect func(*drawing) plot.Figure
	// sentences describe these numbers: what the marks show, on which machine, from how many runs.
	sentences func(*drawing, *plot.Figure) []string
	// draw returns a figure of what runs record over time and place. A kind about one run draws the
	// first replication of the only point of the figure.
	draw func(*drawing) (plot.Drawable, error)
}

// kindOf returns the row of a figure's kind.
func kindOf(f *study.Figure) *kind {
	for _, family := range [][]kind{estimateKinds, jobKinds, machineKinds, waitKinds, timeKinds,
		distributionKinds, intervalKinds} {
		if i := slices.IndexFunc(family, func(k kind) bool { return k.name == f.Kind }); i >= 0 {
			return &family[i]
		}
	}
	panic("report: nothing draws figures of kind " + f.Kind)
}

// figureOf collects the numbers and the look of a figure of estimates. It reports false if there is
// no number.
func figureOf(r *experiments.Results, f *study.Figure) (plot.Figure, bool) {
	k := newDrawing(r, f)
	d := kindOf(f).collect(k)
	if !has(&d, ordinates) {
		return d, false
	}
	setLook(r.Study, f, &d)
	return d, true
}
