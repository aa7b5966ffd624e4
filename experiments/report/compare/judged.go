package compare

import (
	"math"
	"slices"
	"strings"

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
			for _, c := range RuleCells(r, &t, names) {
				j.Cells = append(j.Cells, JudgedCell{Name: c.Name(rows), Run: c.Run,
					Measured: c.Measured, Published: c.Published, Within: c.Within(&t)})
			}
		}
		all = append(all, j)
	}
	return all
}

// incomparable returns the reason why a rule cannot judge the results, "" if it
// can. Rankings and agreements compare measured figures alone, so they also
// apply to other logs and machines, but not to the small version.
func incomparable(r *experiments.Results, t *experiments.Tolerance) string {
	changed := r.Study.Changed
	if (t.Rule == "ranking" || t.Rule == "agreement") && !slices.Contains(changed, "--quick") {
		return ""
	}
	if len(changed) == 0 {
		return ""
	}
	return "the runs have " + strings.Join(changed, " ") + ", and the rules are about the whole " +
		"study, unchanged"
}

// Incomparable returns the reason why no rule of the study can judge the results,
// "" if some rule can or the study has none.
func Incomparable(r *experiments.Results) string {
	why := ""
	for i := range r.Study.Tolerances {
		if why = incomparable(r, &r.Study.Tolerances[i]); why == "" {
			return ""
		}
	}
	return why
}
