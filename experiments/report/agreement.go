package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/report/tables"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/input"
)

// agreement is a case of an agreement rule: a point and the reference that it is divided by.
type agreement struct {
	Point    int
	Run      bool // both were
	Measured stats.Estimate
	Ratio    float64 // NaN if one of the two was not run; infinite where the reference is 0
}

// Agreements returns the cases of an agreement rule: all points that have a reference.
func Agreements(r *experiments.Results, t *study.Tolerance, names *config.Registry) []agreement {
	var list []agreement
	axis := slices.Index(r.AxisKeys(), t.AmongKey(r.Study))
	for i := range r.Points {
		if axis < 0 || r.Points[i].Labels[axis] == t.Relative ||
			!study.Matches(&r.Points[i], t.Where) {
			continue
		}
		a := agreement{Point: i, Ratio: math.NaN()}
		if at, ok := r.Study.Sibling(r.Points, i, t.AmongKey(r.Study), t.Relative); ok {
			of, run := r.Estimate(at, t.Metric)
			if e, measured := r.Estimate(i, t.Metric); run && measured {
				a.Run, a.Measured, a.Ratio = true, e, e.Mean/of.Mean
				if e.Mean == of.Mean { // also where both are 0
					a.Ratio = 1
				}
			}
		}
		list = append(list, a)
	}
	return list
}

// compareAgreement tests whether the mean of every case is near that of its reference. A case
// that was not run is not.
func compareAgreement(v *Verdict, r *experiments.Results, t *study.Tolerance,
	names *config.Registry) {
	list, within, worst := Agreements(r, t, names), 0, 0.0
	for i := range list {
		a := &list[i]
		if math.Abs(a.Ratio-1) <= t.Within {
			within++
		} else if name := strings.Join(r.Points[a.Point].Labels, " "); !a.Run {
			v.Details = append(v.Details, name+": not run")
		} else if math.IsInf(a.Ratio, 0) {
			v.Details = append(v.Details, fmt.Sprintf("%s: %s, that of %s is 0", name,
				decimal.Number(a.Measured.Mean), t.Relative))
		} else {
			v.Details = append(v.Details, fmt.Sprintf("%s: %s%%", name, input.Signed(100*(a.Ratio-1))))
		}
		worst = max(worst, math.Abs(a.Ratio-1)) // NaN stays
	}
	wanted := v.decide(t, within, len(list))
	v.Summary = fmt.Sprintf("%d of %d cases within, at least %d wanted", within, len(list), wanted)
	if !math.IsNaN(worst) && !math.IsInf(worst, 0) {
		v.Summary += fmt.Sprintf("; the worst is %s%% off", tables.Significant(100*worst, 2))
	}
}

// describeAgreement returns in words what an agreement rule requires.
func describeAgreement(t *study.Tolerance) string {
	return fmt.Sprintf("%s: within %s of that of %s", t.Metric, percentOf(t.Within), t.Relative)
}
