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
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/input"
)

// recordedKinds draws the figures of what runs record over time and place. A kind that is
// about one run takes the first replication of the only point that the figure leaves.
var recordedKinds = map[string]func(*recorded) (plot.Drawable, error){
	study.MapKind:          mapScene,
	study.GanttKind:        ganttScene,
	study.ChannelLoadKind:  channelScene,
	study.InterferenceKind: interferenceMatrix,
	study.PairsKind:        interferencePairs,
	study.WaitChannelsKind: interferenceChannels,
	study.SeriesKind:       seriesLines,
	study.ECDFKind:         distributionLines,
	study.BoxKind:          distributionBoxes,
	study.CoverageKind:     coverageMarks,
}

// recorded has the results from which a figure of records is drawn.
type recorded struct {
	results *experiments.Results
	figure  *study.Figure
	points  []int // that the figure leaves, each run once
	logX    bool
	logY    bool
}

// DrawRecorded collects the numbers of a figure of records, which Study.CheckFigure or Study.Check
// has tested. A file of records that the runs have not written is bad input.
func DrawRecorded(r *experiments.Results, f *study.Figure, names *config.Registry,
) (plot.Drawable, error) {
	k, err := newRecorded(r, f, names)
	if err != nil {
		return nil, err
	}
	d, err := recordedKinds[f.Kind](k)
	if err != nil {
		return nil, err
	}
	return k.dressed(d), nil
}

// newRecorded selects the points of a figure of records.
func newRecorded(r *experiments.Results, f *study.Figure,
	names *config.Registry) (*recorded, error) {
	k := &recorded{results: r, figure: f, logX: f.LogX, logY: f.LogY}
	seen := map[string]bool{}
	for _, i := range drawn(r, f, names) {
		same := r.Points[i].Hash
		if !f.OnePoint() {
			same = strings.Join(append(r.Study.PanelOf(f, &r.Points[i]), same, r.Study.LabelAt(&r.Points[i],
				f.Series),

				r.Study.LabelAt(&r.Points[i], f.X)), "\x00")
		}
		if !seen[same] {
			k.points = append(k.points, i)
		}
		seen[same] = true
	}
	if len(k.points) == 0 {
		return nil, k.bad("no point of the study is left", "choose values that the study has")
	}
	return k, nil
}

// dressed gives a figure the labels and the look that its keys ask for.
func (k *recorded) dressed(d plot.Drawable) plot.Drawable {
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
		dress(k.results.Study, f, &d)
		d.Aspect = cmp.Or(d.Aspect, aspect)
		return d
	case plot.Scene:
		put(&d.X, &d.Y, &d.Subject)
		d.WidthMM, d.HeightMM = cmp.Or(f.WidthMM, d.WidthMM), f.HeightMM
		d.Aspect = cmp.Or(f.Aspect, d.Aspect)
		return d
	}
	return d
}

// bad returns an error about the figure.
func (k *recorded) bad(problem, right string) error {
	return &input.Error{Where: "figure " + k.figure.Name, Problem: problem, Right: right}
}

// flagOf names the flags that write tables of rows.
var flagOf = map[string]string{"jobs": "--jobs-csv", "links": "--links-csv",
	"series": "--series-csv", "load": "--series-csv", "interference": "--interference",
	"critical-path": "--interference", "lengths": "--lengths-csv"}

// flagOf names the flag that writes the tables a figure needs: figures of interference need
// several that --interference writes.
func (k *recorded) flagOf(kind string) string {
	if k.figure.Kind == study.WaitChannelsKind {
		kind = "interference"
	}
	return flagOf[kind]
}

// FlagOf returns the flag of contend run that writes a table of rows, such as jobs.csv.
func FlagOf(file string) string { return flagOf[strings.TrimSuffix(file, ".csv")] }

// table reads the rows of a point's first replication, which have to have some columns.
func (k *recorded) table(kind string, point int, columns ...string) (*tables.Part, error) {
	return k.replication(kind, point, 0, columns...)
}

// replication reads the rows of a replication.
func (k *recorded) replication(kind string, point, replication int, columns ...string,
) (*tables.Part, error) {
	r := k.results
	key := experiments.RunKey{Hash: r.Points[point].Hash, Replication: replication}
	t, err := tables.ReadPart(r, kind, key, columns...)
	if err != nil || t != nil {
		return t, err
	}
	at := ""
	if labels := r.Points[point].Labels; len(labels) > 0 {
		at = " of the point " + strings.Join(labels, ", ")
	}
	return nil, &input.Error{Where: r.Folder.Dir,
		Problem: fmt.Sprintf("the runs%s have written no %s.csv, from which a figure of kind %s "+
			"is drawn", at, kind, k.figure.Kind),
		Right: fmt.Sprintf("run the study with %s", k.flagOf(kind))}
}

// jobs returns the jobs of the only point, in order of their starts.
func (k *recorded) jobs() ([]plot.FloorJob, error) {
	t, err := k.table("jobs", k.points[0], "job", "start", "end", "nodes")
	if err != nil {
		return nil, err
	}
	var jobs []plot.FloorJob
	for i := range t.Rows {
		nodes, err := metrics.ParseNodes(t.Text(i, "nodes"))
		if err != nil {
			return nil, t.Damaged(i, err.Error())
		}
		jobs = append(jobs, plot.FloorJob{Number: t.Text(i, "job"), Start: t.Number(i, "start"),
			End: t.Number(i, "end"), Nodes: nodes})
	}
	slices.SortStableFunc(jobs, func(a, b plot.FloorJob) int { return cmp.Compare(a.Start, b.Start) })
	if len(jobs) == 0 {
		return nil, k.bad("its run has no jobs", "choose a point whose jobs end")
	}
	return jobs, nil
}

// placed returns the jobs of the only point and its decoded spec. All nodes of the jobs are on
// the machine.
func (k *recorded) placed() ([]plot.FloorJob, *config.Plan, error) {
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
func (k *recorded) plan() (*config.Plan, error) { return k.results.Points[k.points[0]].Spec.Plan() }

// timeLabel returns the label of an axis of time.
func (k *recorded) timeLabel() string {
	return "Time (" + tables.ClockOf(k.results, k.points) + ")"
}

// pointText names the only point.
func (k *recorded) pointText() string {
	labels := k.results.Points[k.points[0]].Labels
	if len(labels) == 0 {
		return k.results.Study.Name
	}
	return strings.Join(labels, ", ")
}

// recordedCaption returns the caption of a figure of records.
func recordedCaption(r *experiments.Results, f *study.Figure, drawing plot.Drawable,
	names *config.Registry) figureCaption {
	points := drawn(r, f, names)
	subject, description := drawing.About()
	text := figureCaption{name: f.Name, subject: subject,
		sentences: []string{description, machinesOf(r, points)}}
	if only := onlyOf(r, f, points); only != "" && !f.OnePoint() { // that has it in its title
		text.sentences = append(text.sentences, only)
	}
	return text
}
