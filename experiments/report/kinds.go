package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/report/floor"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/input"
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
	for _, family := range [][]kind{estimateKinds, tableKinds, jobKinds, mapKinds, channelKinds,
		waitKinds, timeKinds, distributionKinds, intervalKinds} {
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

// DrawRecorded collects the numbers of a figure of records, which Study.CheckFigure or Study.Check
// has tested. A file of records that the runs have not written is bad input.
func DrawRecorded(r *experiments.Results, f *study.Figure) (plot.Drawable, error) {
	k, err := newRecorded(r, f)
	if err != nil {
		return nil, err
	}
	d, err := kindOf(f).draw(k)
	if err != nil {
		return nil, err
	}
	return k.withLook(d), nil
}

// newRecorded selects the points of a figure of records, each run once in its place of the figure.
func newRecorded(r *experiments.Results, f *study.Figure) (*drawing, error) {
	k := newDrawing(r, f)
	seen := map[string]bool{}
	k.points = slices.DeleteFunc(k.points, func(i int) bool {
		place := r.Points[i].Hash
		if !f.OnePoint() {
			place = strings.Join(append(r.Study.PanelOf(f, &r.Points[i]), place, k.label(i, f.Series),
				k.label(i, f.X)), "\x00")
		}
		again := seen[place]
		seen[place] = true
		return again
	})
	if len(k.points) == 0 {
		return nil, k.bad("no point of the study is left", "choose values that the study has")
	}
	return k, nil
}

// withLook returns a figure with the labels and the look that its keys ask for.
func (k *drawing) withLook(d plot.Drawable) plot.Drawable {
	f := k.figure
	put := func(x, y *plot.Axis, subject *string) {
		x.Label, y.Label = cmp.Or(f.XLabel, x.Label), cmp.Or(f.YLabel, y.Label)
		*subject = cmp.Or(tables.OneLine(f.Title), *subject)
	}
	switch d := d.(type) {
	case plot.Figure:
		put(&d.X, &d.Y, &d.Subject)
		if panels := panelText(f); panels != "" {
			d.Description += " A " + panels + "."
		}
		aspect := d.Aspect
		setLook(k.results.Study, f, &d)
		for name, text := range k.joined {
			if f.Labels[name] == nil && k.results.Study.Labels[name] == nil {
				d.Labels[name] = text
			}
		}
		d.Aspect = cmp.Or(d.Aspect, aspect)
		return d
	case plot.Scene:
		put(&d.X, &d.Y, &d.Subject)
		d.WidthMM, d.Aspect = cmp.Or(f.WidthMM, d.WidthMM), cmp.Or(f.Aspect, d.Aspect)
		return d
	}
	return d
}

// bad returns the error of a figure that cannot be drawn, with its remedy.
func (k *drawing) bad(problem, right string) error {
	return &input.Error{Where: "figure " + k.figure.Name, Problem: problem, Right: right}
}

// flagOf is the flag of contend run that writes each table of rows.
var flagOf = map[string]string{"jobs": "--jobs-csv", "links": "--links-csv",
	"series": "--series-csv", "load": "--series-csv", "interference": "--interference",
	"critical-path": "--interference", "slowdowns": "--slowdowns", "lengths": "--lengths-csv",
	"failures": "--failures-csv", "killed-runs": "--failures-csv"}

// FlagOf returns the flag of contend run that writes a table of rows, such as jobs.csv.
func FlagOf(file string) string { return flagOf[strings.TrimSuffix(file, ".csv")] }

// table reads a table of rows of a point's first replication. It refuses one without the columns.
func (k *drawing) table(kind string, point int, columns ...string) (*tables.Part, error) {
	return k.replication(kind, point, 0, columns...)
}

// replication reads a table of rows of a replication of a point. It refuses one without the
// columns.
func (k *drawing) replication(kind string, point, replication int, columns ...string,
) (*tables.Part, error) {
	r := k.results
	key := experiments.RunKey{Hash: r.Points[point].Hash, Replication: replication}
	t, err := tables.ReadPart(r, kind, key, columns...)
	if err != nil || t != nil {
		return t, err
	}
	at, flag := "", flagOf[kind]
	if labels := r.Points[point].Labels; len(labels) > 0 {
		at = " of the point " + strings.Join(labels, ", ")
	}
	if own := k.figure.Tables(); own != nil && !slices.Contains(own, kind) {
		flag = flagOf[own[0]] // it writes this table too
	}
	return nil, &input.Error{Where: r.Folder.Dir,
		Problem: fmt.Sprintf("the runs%s have written no %s.csv, from which a figure of kind %s "+
			"is drawn", at, kind, k.figure.Kind),
		Right: "run the study with " + flag}
}

// jobs returns the jobs of the only point, in order of their starts.
func (k *drawing) jobs() ([]floor.Job, error) {
	t, err := k.table("jobs", k.points[0], "job", "start", "end", "nodes")
	if err != nil {
		return nil, err
	}
	var jobs []floor.Job
	for i := range t.Rows {
		nodes, err := metrics.ParseNodes(t.Text(i, "nodes"))
		if err != nil {
			return nil, t.Damaged(i, err.Error())
		}
		jobs = append(jobs, floor.Job{Number: t.Text(i, "job"), Start: t.Number(i, "start"),
			End: t.Number(i, "end"), Nodes: nodes})
	}
	slices.SortStableFunc(jobs, func(a, b floor.Job) int { return cmp.Compare(a.Start, b.Start) })
	if len(jobs) == 0 {
		return nil, k.bad("its run has no jobs", "choose a point whose jobs end")
	}
	return jobs, nil
}

// jobsOnMachine returns the jobs of the only point and its decoded spec. It refuses jobs on nodes
// that the machine does not have.
func (k *drawing) jobsOnMachine() ([]floor.Job, *config.Plan, error) {
	jobs, err := k.jobs()
	if err != nil {
		return nil, nil, err
	}
	plan, err := k.plan()
	if err != nil {
		return nil, nil, err
	}
	machine := plan.Machine.Nodes()
	for _, j := range jobs {
		if len(j.Nodes) > 0 && slices.Max(j.Nodes) >= machine {
			return nil, nil, k.bad(fmt.Sprintf("job %s has node %d, and the machine %d nodes", j.Number,
				slices.Max(j.Nodes), machine), "make the runs again with --jobs-csv")
		}
	}
	return jobs, plan, nil
}

// plan returns the decoded spec of the only point.
func (k *drawing) plan() (*config.Plan, error) { return k.results.Points[k.points[0]].Spec.Plan() }

// timeLabel returns the label of an axis of time.
func (k *drawing) timeLabel() string {
	return "Time (" + tables.ClockOf(k.results, k.points) + ")"
}

// pointText names the only point by its labels.
func (k *drawing) pointText() string {
	labels := k.results.Points[k.points[0]].Labels
	if len(labels) == 0 {
		return k.results.Study.Name
	}
	var parts []string
	for axis, key := range k.results.AxisKeys() {
		parts = append(parts, tables.PrintedOf(k.results, key, labels[axis], k.figure.Labels))
	}
	return strings.Join(parts, ", ")
}

// metric returns the column that the figure shows.
func (k *drawing) metric() string {
	if k.figure.Metric == "" {
		return k.figure.MetricColumns()[0]
	}
	return k.figure.Metric
}
