package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/report/tables"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/decimal"
)

// AgreementCase is a point that an agreement rule compares with its reference.
type AgreementCase struct {
	Point    int            // index of the point
	Run      bool           // the point and its reference have runs
	Measured stats.Estimate // of the point, valid if Run
	Ratio    float64        // to the reference; NaN unless Run, infinite where the reference is 0
}

// Agreements returns the cases of an agreement rule: all points but the references.
func Agreements(r *experiments.Results, t *study.Tolerance) []AgreementCase {
	var list []AgreementCase
	axis := slices.Index(r.AxisKeys(), t.AmongKey(r.Study))
	for i := range r.Points {
		if axis < 0 || r.Points[i].Labels[axis] == t.Relative ||
			!study.Matches(&r.Points[i], t.Where) {
			continue
		}
		a := AgreementCase{Point: i, Ratio: math.NaN()}
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

// judgeAgreement judges whether the mean of every case is near that of its reference. A case that
// was not run counts as outside.
func judgeAgreement(v *Verdict, r *experiments.Results, t *study.Tolerance) {
	list, within, worst := Agreements(r, t), 0, 0.0
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
			v.Details = append(v.Details, fmt.Sprintf("%s: %s%%", name, decimal.Signed(100*(a.Ratio-1))))
		}
		worst = max(worst, math.Abs(a.Ratio-1)) // NaN stays
	}
	wanted := v.decide(t, within, len(list))
	v.Summary = fmt.Sprintf("%d of %d cases within, at least %d wanted", within, len(list), wanted)
	if !math.IsNaN(worst) && !math.IsInf(worst, 0) {
		v.Summary += fmt.Sprintf("; the worst is %s%% off", tables.Significant(100*worst, 2))
	}
}

// describeAgreement states what an agreement rule requires.
func describeAgreement(t *study.Tolerance) string {
	return fmt.Sprintf("%s: within %s of that of %s", t.Metric, percentOf(t.Within), t.Relative)
}

// judgeRanking judges an order that a paper states in words, for example of allocators. In each
// group of points that differ in one axis only, a mean must not be lower than the one before it by
// more than the fraction t.Within. A group with an entry that was not run fails.
func judgeRanking(v *Verdict, r *experiments.Results, t *study.Tolerance) {
	pass, tried, axis := 0, 0, slices.Index(r.AxisKeys(), t.AmongKey(r.Study))
	for i := range r.Points {
		means := rankingFrom(r, i, t)
		if axis < 0 || means == nil {
			continue
		}
		tried++
		if text := rankingFault(means, t); text == "" {
			pass++
		} else {
			group := strings.Join(slices.Delete(slices.Clone(r.Points[i].Labels), axis, axis+1), " ")
			v.Details = append(v.Details, strings.TrimPrefix(group+": "+text, ": "))
		}
	}
	v.decide(t, pass, tried)
	v.Summary = fmt.Sprintf("%d of %d groups", pass, tried)
}

// rankingFrom returns the means of the group of point i in the order of the ranking, NaN for
// missing ones. It returns nil unless i is the first entry that the group has.
func rankingFrom(r *experiments.Results, i int, t *study.Tolerance) (means []float64) {
	first := -1
	for _, label := range t.Ranking {
		mean := math.NaN()
		if at, ok := r.Study.Sibling(r.Points, i, t.AmongKey(r.Study), label); ok &&
			study.Matches(&r.Points[at], t.Where) {
			if e, measured := r.Estimate(at, t.Metric); measured {
				mean = e.Mean
			}
			if first < 0 {
				first = at
			}
		}
		means = append(means, mean)
	}
	if first != i {
		return nil
	}
	return means
}

// rankingFault names the entries of a ranking that have no runs, or describes the first fall along
// the means; "" if the ranking holds.
func rankingFault(means []float64, t *study.Tolerance) string {
	var missing []string
	for i, m := range means {
		if math.IsNaN(m) {
			missing = append(missing, t.Ranking[i])
		}
	}
	if missing != nil {
		return "no runs of " + strings.Join(missing, ", ")
	}
	for i, m := range means[1:] {
		if before := means[i]; m < before-t.Within*math.Abs(before) {
			return fmt.Sprintf("%s has %s, %s has %s", t.Ranking[i], tables.Significant(before, 5),
				t.Ranking[i+1], tables.Significant(m, 5))
		}
	}
	return ""
}

// describeRanking states what a ranking rule requires.
func describeRanking(t *study.Tolerance) string {
	text := fmt.Sprintf("%s: from least to most %s", t.Metric, strings.Join(t.Ranking, ", "))
	if t.Within > 0 {
		text += fmt.Sprintf(", a fall of %s allowed", percentOf(t.Within))
	}
	return text
}

// line is what a landmark is taken of: ordinates over ascending abscissas.
type line struct {
	x, y   []float64
	beside float64 // ordinate at all other abscissas: 0 for numbers of jobs, else NaN
}

// landmarkAt returns the value of a landmark on the line that begins at a point. It reports false
// if runs are missing, and returns NaN if the line has no such place.
func landmarkAt(r *experiments.Results, l *study.Landmark, first int) (float64, bool) {
	var of line
	var ok bool
	if l.BySize() {
		of, ok = sizeLine(r, l, first)
	} else {
		of, ok = axisLine(r, l, first)
	}
	if !ok {
		return math.NaN(), false
	}
	return of.take(l), true
}

// axisLine returns the means of a metric along an axis, 0 where no run has it.
func axisLine(r *experiments.Results, l *study.Landmark, first int) (of line, ok bool) {
	of.beside = math.NaN()
	for _, label := range r.Study.LabelsOf(r.Points, l.Along) {
		x, err := strconv.ParseFloat(label, 64)
		p, known := r.Study.Sibling(r.Points, first, l.Along, label)
		if err != nil || !known || r.Replications(p) == 0 {
			return line{}, false
		}
		at, _ := slices.BinarySearch(of.x, x)
		e, _ := r.Estimate(p, l.Metric)
		of.x, of.y = slices.Insert(of.x, at, x), slices.Insert(of.y, at, e.Mean)
	}
	return of, of.x != nil
}

// sizeLine returns, over the sizes of jobs or their ranks, by how many percent a point is worse
// than its reference, or the number of jobs.
func sizeLine(r *experiments.Results, l *study.Landmark, point int) (of line, ok bool) {
	base := point
	if l.Relative != "" {
		if base, ok = r.Study.Sibling(r.Points, point, l.AmongKey(r.Study), l.Relative); !ok {
			return line{}, false
		}
	}
	sizes := func(i int) []sizeGain {
		return sizeGains(r.Folder.SizesOf(r.Points[point].Hash), r.Folder.SizesOf(r.Points[i].Hash))
	}
	f := study.Figure{X: l.Along, Metric: l.Metric}
	s := sizeSeries("", sizes(base), &f)
	of = line{s.X, s.Y, 0}
	if l.Metric != "jobs" {
		of.beside = math.NaN()
		for i := range of.y {
			of.y[i] = -of.y[i] // a gain is no worsening
		}
	}
	return of, of.x != nil
}

// take returns what a landmark takes of the line: +Inf where no ordinate is above the level, NaN if
// there is nothing to take.
func (of *line) take(l *study.Landmark) float64 {
	above := func(y float64) bool { return y > l.Above }
	switch l.Take {
	case study.TakeMax:
		return of.max()
	case study.TakePeak:
		largest := of.max()
		return of.abscissa(func(y float64) bool { return y >= (1-l.Within)*largest }, 0)
	case study.TakeFirstAbove, study.TakeUpTo:
		if !slices.ContainsFunc(of.y, above) {
			return math.Inf(1)
		}
		if l.Take == study.TakeUpTo {
			return of.abscissa(above, -1)
		}
		return of.abscissa(above, 0)
	case study.TakeCountAbove:
		return float64(of.count(above))
	case study.TakeRank:
		at := of.sum(l.At)
		return float64(1 + of.count(func(y float64) bool { return y > at }))
	case study.TakeShare:
		return 100 * of.sum(l.At) / of.sum(of.x)
	}
	return of.sum(l.At) // of one abscissa for at
}

// max returns the largest ordinate, NaN if there is none.
func (of *line) max() float64 {
	numbers := slices.DeleteFunc(slices.Clone(of.y), math.IsNaN)
	if len(numbers) == 0 {
		return math.NaN()
	}
	return slices.Max(numbers)
}

// abscissa returns the abscissa that lies behind places after the first ordinate that is found, NaN
// if there is none.
func (of *line) abscissa(found func(y float64) bool, behind int) float64 {
	i := slices.IndexFunc(of.y, found)
	if i < 0 || i+behind < 0 {
		return math.NaN()
	}
	return of.x[i+behind]
}

// count returns the number of ordinates that are found.
func (of *line) count(found func(y float64) bool) (n int) {
	for _, y := range of.y {
		if found(y) {
			n++
		}
	}
	return n
}

// sum returns the sum of the ordinates at some abscissas.
func (of *line) sum(at []float64) (sum float64) {
	for _, x := range at {
		if i := slices.Index(of.x, x); i >= 0 {
			sum += of.y[i]
		} else {
			sum += of.beside
		}
	}
	return sum
}

// landmarkLabels returns the labels of the line that begins at a point.
func landmarkLabels(r *experiments.Results, l *study.Landmark, point int) []string {
	if l.BySize() {
		return slices.Clone(r.Points[point].Labels)
	}
	return tables.WithoutAxis(r.Points[point].Labels, slices.Index(r.AxisKeys(), l.Along))
}
