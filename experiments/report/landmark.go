package report

import (
	"math"
	"slices"
	"strconv"

	"contend/experiments"
	"contend/experiments/report/tables"
	"contend/experiments/study"
)

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
