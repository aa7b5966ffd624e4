package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"contend/experiments"
	"contend/experiments/report"
	"contend/experiments/spec"

	"github.com/spf13/pflag"
)

// kindFlags describe a figure that the study does not list.
type kindFlags struct {
	figure experiments.Figure
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
		strings.Join(experiments.RecordedKinds, ", "))
	flags.StringArrayVar(&f.where, "where", nil, "with --kind, the points to draw: `KEY=VALUE`; "+
		"repeatable")
	flags.StringVar(&d.Metric, "metric", "", "with --kind, the `COLUMN` to draw")
	flags.StringVar(&d.X, "x", "", "with --kind box, the axis `KEY` of the groups; with gantt, node "+
		"for numbers of nodes")
	flags.StringVar(&d.Series, "series", "", "with --kind, the axis `KEY` that tells lines or boxes "+
		"apart (default the axes that differ)")
	flags.Float64Var(&d.Time, "time", 0, "with --kind map or channel-load, the moment, in the unit "+
		"of jobs.csv (default the first with most nodes in use, or the whole run)")
	flags.IntVar(&d.Job, "job", 0, "with --kind map or gantt, the number of a job to mark")
	flags.StringVar(&d.Name, "name", "", "with --kind, the file name without ending (default the "+
		"kind)")
}

// unused returns an error if a flag is given that acts with --kind only.
func (f *kindFlags) unused(flags *pflag.FlagSet) error {
	for _, name := range []string{"where", "metric", "x", "series", "time", "job", "name"} {
		if flags.Changed(name) {
			return &spec.InputError{Where: "--" + name, Problem: "it acts with --kind only",
				Right: "give --kind, or leave it out"}
		}
	}
	return nil
}

// plotKind draws the figure that the flags describe.
func (a *app) plotKind(dir string, f *kindFlags, o report.FigureOptions) error {
	results, err := experiments.ReadFolder(dir, a.names)
	if err != nil {
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
	if err := report.DrawRecord(results, dir, &d, o, a.names); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "The figure is %s\n", filepath.Join(dir, "figures", d.Name+".*"))
	return nil
}
