package report

import (
	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/input"
	"fmt"
	"math"
	"slices"
	"strings"
)

// rounding is the largest relative error of equal numbers, since files hold nine digits.
const rounding = 1e-9

// deviation is the error of a mean or a job against the reference, with its interval.
type deviation struct {
	Off  float64 // relative to the reference
	Half float64 // half width of the interval, relative to the reference; NaN if not known
}

// isExact reports whether the value was to be exact and is.
func (d *deviation) isExact() bool { return d.Half == 0 && math.Abs(d.Off) <= rounding }

// isWithin reports whether the interval holds the value of the reference.
func (d *deviation) isWithin() bool { return math.Abs(d.Off) <= d.Half+rounding }

// runPair is a run and the run of the reference with the same draws.
type runPair struct {
	Point, Reference, Replication int
	Name                          string
	Run                           bool // both runs were made
}

// runPairs lists the runs at other labels of an axis than the reference, each with its reference.
func runPairs(r *experiments.Results, key, reference string, where map[string]any) (
	pairs []runPair) {
	axis := slices.Index(r.AxisKeys(), key)
	for i := range r.Points {
		if axis < 0 || r.Points[i].Labels[axis] == reference ||
			!study.Matches(&r.Points[i], where) {
			continue
		}
		at, ok := r.Study.Sibling(r.Points, i, key, reference)
		if !ok {
			continue
		}
		for rep := range r.Study.Runs.Replications {
			pairs = append(pairs, runPair{i, at, rep,
				fmt.Sprintf("%s, run %d", strings.Join(r.Points[i].Labels, " "), rep),
				rep < r.Replications(i) && rep < r.Replications(at)})
		}
	}
	return pairs
}

// runValue returns a metric of a run, NaN where it has none.
func runValue(r *experiments.Results, point, replication int, metric string) float64 {
	if x, ok := r.Runs[point][replication].Value(metric); ok {
		return x
	}
	return math.NaN()
}

// relativeError returns the error of a value relative to a reference.
func relativeError(of, reference float64) float64 {
	if of == reference { // also where both are 0
		return 0
	}
	return of/reference - 1
}

// meanDeviation compares the means of two points, with the part of the interval that is of jumps. It
// reports false if they have no common replication. Where the reference is 0 both are relative to
// the mean.
func meanDeviation(r *experiments.Results, p *runPair, metric string) (deviation, bool) {
	a, b := r.Paired(p.Point, p.Reference, metric)
	x, y, half := stats.Mean(a), stats.Mean(b), r.JumpHalf(p.Point, metric)
	switch {
	case y == 0 && x != 0: // nothing is a share of nothing
		return deviation{1, half / math.Abs(x)}, true
	case half != 0:
		half /= math.Abs(y)
	}
	return deviation{relativeError(x, y), half}, len(a) > 0
}

// jobDeviations compares the jobs of two runs that have the same nodes and start in both. It
// returns the number of all jobs that send messages too.
func jobDeviations(r *experiments.Results, p *runPair) (list []deviation, all int, err error) {
	read := func(point int) (*tables.Part, error) {
		key := experiments.RunKey{Hash: r.Points[point].Hash, Replication: p.Replication}
		t, err := tables.ReadPart(r, "jobs", key, "job", "start", "nodes", "messages", "service_time",
			"service_time_error")
		if t == nil && err == nil {
			err = &input.Error{Where: r.Folder.Dir, Problem: "the jobs of " + p.Name + " are not stored",
				Right: "run the study with --jobs-csv"}
		}
		return t, err
	}
	reference, err := read(p.Reference)
	if err != nil {
		return nil, 0, err
	}
	of, err := read(p.Point)
	if err != nil {
		return nil, 0, err
	}
	rows := map[string]int{}
	for i := range reference.Rows {
		rows[reference.Text(i, "job")] = i
	}
	for i := range of.Rows {
		if of.Number(i, "messages") == 0 {
			continue
		}
		all++
		k, ok := rows[of.Text(i, "job")]
		if !ok || of.Text(i, "start") != reference.Text(k, "start") ||
			of.Text(i, "nodes") != reference.Text(k, "nodes") {
			continue
		}
		service := reference.Number(k, "service_time")
		list = append(list, deviation{relativeError(of.Number(i, "service_time"), service),
			of.Number(i, "service_time_error") / service})
	}
	return list, all, nil
}

// intervalKinds are the kinds of figures of intervals and true errors.
var intervalKinds = []kind{{name: "coverage", draw: coverageMarks}}

// minDeviation is the value, in percent, as which smaller errors and intervals are drawn: a
// logarithmic axis has no 0.
const minDeviation = 0.01

// coverageMarks draws half widths of intervals of service times over true errors: a mark for each
// mean, and one for each job that has the same nodes and start in the run of the reference. Marks
// above the line on which both are the same are those of intervals that hold the true value.
func coverageMarks(k *drawing) (plot.Drawable, error) {
	r := k.results
	at := map[int]bool{}
	for _, i := range k.points {
		at[i] = true
	}
	jobs, means := intervals{name: "jobs"}, intervals{name: "means"}
	for _, p := range runPairs(r, string(config.FieldFastForward), "0", nil) {
		if !at[p.Point] || !p.Run {
			continue
		}
		if d, ok := meanDeviation(r, &p, "service_time"); ok && p.Replication == 0 {
			means.add(&d)
		}
		list, _, err := jobDeviations(r, &p)
		if err != nil {
			return nil, err
		}
		for i := range list {
			jobs.add(&list[i])
		}
	}
	d := plot.Figure{Kind: plot.Scatter, Diagonal: onlyLine, Aspect: 1,
		X: plot.Axis{Label: "True error of the service time (%)"},
		Y: plot.Axis{Label: "Half width of its 95% interval (%)"}}
	largest := 1.0
	for _, m := range []*intervals{&jobs, &means} {
		if len(m.X) == 0 {
			continue
		}
		d.Series = append(d.Series, plot.Series{Name: m.name, X: m.X, Y: m.Y})
		d.Description += fmt.Sprintf("%d of %d %s lie within their intervals, above the line. ",
			m.within, len(m.X), m.name)
		for i := range m.X {
			largest = max(largest, m.X[i], m.Y[i])
		}
	}
	if d.Series == nil {
		return nil, k.bad("no run has an interval and a reference", "run the study with the axis "+
			string(config.FieldFastForward)+" and the values 0 and another")
	}
	for _, axis := range []*plot.Axis{&d.X, &d.Y} {
		axis.Log, axis.Min, axis.Max = true, new(minDeviation), &largest
	}
	d.Subject = "Intervals and true errors of service times (" + r.Study.Name + ")"
	d.Description += fmt.Sprintf("Jobs are those with the same nodes and start in both runs. Marks "+
		"of %g%% or less lie on the edge; what was to be exact and is has none.", minDeviation)
	return d, nil
}

// onlyLine is a Diagonal without a band that can be seen.
const onlyLine = 1e-9

// intervals are the marks of means or of jobs.
type intervals struct {
	name   string
	X, Y   []float64
	within int
}

// add adds a mark where an interval is known.
func (m *intervals) add(d *deviation) {
	if d.isExact() || math.IsNaN(d.Half) {
		return
	}
	if d.isWithin() {
		m.within++
	}
	m.X = append(m.X, max(minDeviation, 100*math.Abs(d.Off)))
	m.Y = append(m.Y, max(minDeviation, 100*d.Half))
}
