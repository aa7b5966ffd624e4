package cli

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"contend/experiments/report/figures"
	"contend/experiments/study"

	"github.com/spf13/pflag"
)

// kindFlags describe a figure that the study does not list.
type kindFlags struct {
	figure study.Figure
	where  []string
}

const kindHelp = `With --kind, one figure of what the runs recorded over time and place is drawn,
whether the study lists it or not: map (who has which node at a time), gantt (jobs over time),
channel-load (the load of channels on the machine), waits (whose packets waited for whose),
series (a column of series.csv over time), ecdf and box (the distribution of a column of
jobs.csv). The runs need the tables that contend run --record writes.`

func (f *kindFlags) define(flags *pflag.FlagSet) {
	d := &f.figure
	flags.StringVar(&d.Kind, "kind", "", "draw one figure of this `KIND`: "+
		strings.Join(study.RecordedKinds, ", "))
	flags.StringArrayVar(&f.where, "where", nil, "with --kind, the points to draw: `KEY=VALUE`; "+
		"repeatable")
	flags.StringVar(&d.Metric, "metric", "", "with --kind, the `COLUMN` to draw")
	flags.StringVar(&d.X, "x", "", "with --kind box, the axis `KEY` of the groups, or size-class for "+
		"jobs by size; with gantt, node for numbers of nodes")
	flags.StringVar(&d.Series, "series", "", "with --kind, the axis `KEY` that tells lines or boxes "+
		"apart (default the axes that differ)")
	flags.Func("time", "with --kind map or channel-load, the `MOMENT`, in the unit of "+
		"jobs.csv or as in 50% of the run (default the first with most nodes in use, or the whole run)",
		f.setTime)
	flags.IntVar(&d.Job, "job", 0, "with --kind map or gantt, the number of a job to mark")
	flags.StringVar(&d.Name, "name", "", "with --kind, the file name without ending (default the "+
		"kind)")
}

// setTime reads the flag --time: a time, or a share of the run in percent.
func (f *kindFlags) setTime(text string) error {
	number, percent := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || percent && (x <= 0 || x >= 100) {
		return errors.New("give a time such as 1500, or a share of the run such as 50%")
	}
	f.figure.Time, f.figure.TimePercent = x, 0
	if percent {
		f.figure.Time, f.figure.TimePercent = 0, x
	}
	return nil
}

// unused returns an error if a flag is given that acts with --kind only.
func (f *kindFlags) unused(flags *pflag.FlagSet) error {
	return refuseIdle(flags, []string{"where", "metric", "x", "series", "time", "job", "name"},
		"it acts with --kind only", "give --kind, or leave it out")
}

// plotKind draws the figure that the flags describe.
func (a *app) plotKind(dir string, f *kindFlags, o figures.FigureOptions) error {
	results, err := a.readFolder(dir)
	if err != nil {
		return err
	}
	if err := results.Study.CheckLabels(o.Look.Labels, "--label", a.names); err != nil {
		return err
	}
	d := f.figure
	if d.Name == "" {
		d.Name = d.Kind
	}
	d.Where = map[string]any{}
	for _, text := range f.where {
		if err := results.Study.WhereFlag(d.Where, text, a.names); err != nil {
			return err
		}
	}
	notes := results.Study.SplitFigure(&d, a.names)
	if err := figures.DrawRecord(results, dir, &d, o, a.names); err != nil {
		return err
	}
	a.notes(notes)
	fmt.Fprintf(a.stdout, "The figure is %s\n", filepath.Join(dir, "figures", d.Name+".*"))
	return nil
}
