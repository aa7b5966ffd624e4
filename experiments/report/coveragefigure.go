package report

import (
	"fmt"
	"math"

	"contend/experiments/config"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
)

// minDeviation is the value, in percent, as which smaller errors and intervals are drawn: a
// logarithmic axis has no 0.
const minDeviation = 0.01

// coverageMarks draws half widths of intervals of service times over true errors: a mark for each
// run, and one for each job that has the same nodes and start in the run of the reference. Marks
// above the line on which both are the same are those of intervals that hold the true value.
func coverageMarks(k *drawing) (plot.Drawable, error) {
	r := k.results
	at := map[int]bool{}
	for _, i := range k.points {
		at[i] = true
	}
	jobs, runs := intervals{name: "jobs"}, intervals{name: "runs"}
	for _, p := range tables.RunPairs(r, string(config.FieldFastForward), "0", nil) {
		if !at[p.Point] || !p.Run {
			continue
		}
		if d, ok := tables.RunDeviation(r, &p, "service_time"); ok {
			runs.add(&d)
		}
		list, _, err := tables.JobDeviations(r, &p)
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
	for _, m := range []*intervals{&jobs, &runs} {
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

// intervals are the marks of runs or of jobs.
type intervals struct {
	name   string
	X, Y   []float64
	within int
}

// add adds a mark where an interval is known.
func (m *intervals) add(d *tables.Deviation) {
	if d.Exact() || math.IsNaN(d.Half) {
		return
	}
	if d.Within() {
		m.within++
	}
	m.X = append(m.X, max(minDeviation, 100*math.Abs(d.Off)))
	m.Y = append(m.Y, max(minDeviation, 100*d.Half))
}
