package report

import (
	"math"

	"contend/experiments"
	"contend/experiments/spec"
	"contend/experiments/stats"
)

// Judged is a rule with its verdict and, if it is about published cells, these cells.
type Judged struct {
	Verdict
	// Cells are the published cells in the order of their rows. A rule about an order
	// has none.
	Cells []JudgedCell
}

// JudgedCell is a measured value beside a published one.
type JudgedCell struct {
	// Name has the labels of the point, or the values of the published row if no point
	// belongs to it.
	Name string
	// Run tells whether the cell was run. If it was not, Measured is not valid.
	Run bool
	// Measured is the measured value with its interval, in the unit of the metric.
	// A rule with relative_to measures a ratio.
	Measured stats.Estimate
	// Published is what Measured is compared with: the printed value or ratio, with
	// the offset of the rule.
	Published float64
	// Within tells whether the cell is as close as the rule requires.
	Within bool
}

// Ratio returns measured over published, NaN where it is not defined.
func (c *JudgedCell) Ratio() float64 {
	if !c.Run || c.Published == 0 {
		return math.NaN()
	}
	return c.Measured.Mean / c.Published
}

// Judge tests the results as Compare does, and lists the cells of each rule.
func Judge(r *experiments.Results, names spec.Names) []Judged {
	var all []Judged
	rows := r.Study.Published.MustRows()
	for _, t := range r.Study.Tolerances {
		verdict, judges := verdictOf(r, t, names)
		if !judges {
			continue
		}
		j := Judged{Verdict: verdict}
		if t.Rule == "ratio" || t.Rule == "difference" {
			for _, c := range ruleCells(r, &t, names) {
				j.Cells = append(j.Cells, JudgedCell{Name: c.name(rows), Run: c.run,
					Measured: c.measured, Published: c.published, Within: c.within(&t)})
			}
		}
		all = append(all, j)
	}
	return all
}
