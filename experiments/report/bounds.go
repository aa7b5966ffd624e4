package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/decimal"
)

// Group is the value that a rule about bounds measures at one point: a mean, its ratio to the mean
// of the reference with the same values on the other axes, or the break-even or the landmark of the
// line that begins there.
type Group struct {
	Point int    // index of the point
	Name  string // the labels of the other axes, of all axes where the rule selects no label
	Run   bool   // the point and its reference have runs
	// Mean is the value, NaN where it is not defined. Low and High are the ends of its interval, NaN
	// where there is none.
	Mean, Low, High float64
	N               int  // the number of runs or pairs
	Within          bool // the value, or its whole interval, lies between the bounds

	landmark bool // Mean is a landmark, which may be a count
}

// groupsOf returns the groups that a rule about bounds judges, run or not, in the order of the
// points.
func groupsOf(r *experiments.Results, t *study.Tolerance) (list []Group) {
	key := t.AmongKey(r.Study)
	axis := slices.Index(r.AxisKeys(), key)
	even, mark := r.Study.BreakEvenNamed(t.Metric), r.Study.LandmarkNamed(t.Metric)
	for i := range r.Points {
		labels := slices.Clone(r.Points[i].Labels)
		switch {
		case even != nil && !r.Study.Begins(even, r.Points, i),
			mark != nil && !r.Study.BeginsLandmark(mark, r.Points, i):
			continue
		case !study.Matches(&r.Points[i], t.Where),
			t.Of != "" && (axis < 0 || labels[axis] != t.Of),
			t.Relative != "" && (axis < 0 || labels[axis] == t.Relative):
			continue
		case t.Of != "":
			labels = slices.Delete(labels, axis, axis+1)
		}
		g := Group{Point: i, Name: strings.Join(labels, " ")}
		if even != nil {
			g.setBreakEven(r, even, i)
		} else if mark != nil {
			g.setLandmark(r, mark, i)
		} else if t.Relative == "" {
			g.setMean(r, i, t)
		} else if base, ok := r.Study.Sibling(r.Points, i, key, t.Relative); ok {
			g.setRatio(r, i, base, t)
		}
		g.Within = g.Run && g.within(t)
		list = append(list, g)
	}
	return list
}

// setBreakEven sets the value to the break-even of the line that begins at a point.
func (g *Group) setBreakEven(r *experiments.Results, b *study.BreakEven, point int) {
	var c tables.Crossing
	if c, g.Run = tables.CrossingAt(r, b, point); g.Run {
		g.Name = strings.Join(c.Labels, " ")
		g.Mean, g.Low, g.High, g.N = c.At, c.Low, c.High, c.Runs
	}
}

// setLandmark sets the value to the landmark of the line that begins at a point.
func (g *Group) setLandmark(r *experiments.Results, l *study.Landmark, point int) {
	g.Name = strings.Join(landmarkLabels(r, l, point), " ")
	g.Mean, g.Run = landmarkAt(r, l, point)
	g.Low, g.High, g.N = math.NaN(), math.NaN(), r.Replications(point)
	g.landmark = true
}

// setMean sets the value to the mean of a point.
func (g *Group) setMean(r *experiments.Results, point int, t *study.Tolerance) {
	e, run := r.Estimate(point, t.Metric)
	g.Run, g.Mean, g.Low, g.High, g.N = run, e.Mean, e.Mean-e.Half, e.Mean+e.Half, e.N
}

// setRatio sets the value to the ratio of a point to its reference, by the replications that both
// have.
func (g *Group) setRatio(r *experiments.Results, point, base int, t *study.Tolerance) {
	pairs, _ := r.Paired(point, base, t.Metric)
	ratio, positive := r.PairedRatio(point, base, t.Metric)
	g.Run, g.Mean, g.Low, g.High, g.N = len(pairs) > 0, ratio.Mean, ratio.Low, ratio.High, ratio.N
	if !positive {
		g.Mean = math.NaN()
	}
}

// Ends returns the numbers that must lie between the bounds of a rule: those of the interval if the
// rule asks for it and there is one, else the value twice.
func (g *Group) Ends(t *study.Tolerance) (low, high float64) {
	if t.Interval && !math.IsNaN(g.Low) {
		return g.Low, g.High
	}
	return g.Mean, g.Mean
}

// within reports whether a group that was run lies between the bounds of a rule.
func (g *Group) within(t *study.Tolerance) bool {
	low, high := g.Ends(t)
	least, most := t.Bounds()
	return !math.IsNaN(g.Mean) && low >= least && high <= most
}

// String returns the name and the value of a group, and whether it lies outside of the bounds.
func (g *Group) String() string {
	text := g.ValueText()
	if g.Run && !g.Within {
		text += ", outside"
	}
	return strings.TrimPrefix(g.Name+": "+text, ": ")
}

// ValueText returns the value with its interval, or why there is none.
func (g *Group) ValueText() string {
	switch {
	case !g.Run:
		return "not run"
	case math.IsNaN(g.Mean):
		if g.landmark {
			return "no such place on the line"
		}
		return "no ratio, since a value is not above 0"
	case g.landmark && !math.IsInf(g.Mean, 0):
		return decimal.Significant(g.Mean, 5)
	case math.IsNaN(g.Low):
		return boundText(g.Mean)
	}
	return fmt.Sprintf("%s (%s to %s)", boundText(g.Mean), boundText(g.Low), boundText(g.High))
}

// boundText returns a value with four digits; "never" is the break-even of a line that does not
// cross.
func boundText(x float64) string {
	if math.IsInf(x, 1) {
		return "never"
	}
	return tables.Significant(x, 4)
}

// judgeBounds judges whether the value of every group lies between two bounds. A group that was not
// run counts as outside.
func judgeBounds(v *Verdict, r *experiments.Results, t *study.Tolerance) {
	v.Groups = groupsOf(r, t)
	within := 0
	for i := range v.Groups {
		if v.Groups[i].Within {
			within++
		}
		v.Details = append(v.Details, v.Groups[i].String())
	}
	wanted := v.decide(t, within, len(v.Groups))
	v.Summary = fmt.Sprintf("%d of %d groups within, at least %d wanted", within, len(v.Groups),
		wanted)
}

// describeBounds states what a rule about bounds requires.
func describeBounds(t *study.Tolerance) string {
	what := t.Metric
	if t.Of != "" {
		what += " of " + t.Of
	}
	if t.Relative != "" {
		what += " over that of " + t.Relative
	}
	_, number := t.PrintedNumber()
	switch {
	case number && t.Min == nil && t.Max == nil:
		return what + ": as printed, " + t.Printed
	case t.Max == nil:
		what += fmt.Sprintf(": at least %g", *t.Min)
	case t.Min == nil:
		what += fmt.Sprintf(": at most %g", *t.Max)
	default:
		what += fmt.Sprintf(": from %g to %g", *t.Min, *t.Max)
	}
	if t.Interval {
		what += ", with its interval"
	}
	if t.Printed != "" {
		what += fmt.Sprintf(", printed as %q", t.Printed)
	}
	return what
}
