package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/plot"
	"contend/experiments/report"
	"contend/experiments/study"
	"contend/internal/input"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) plotCommand() *cobra.Command {
	var o report.FigureOptions
	var formats string
	var kind kindFlags
	var labels []string
	c := &cobra.Command{
		Use: "plot DIR", Short: "Draw the figures again from stored results", Args: cobra.ExactArgs(1),
		Long: "Draw the figures again from stored results.\n\n" + kindHelp,
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if o.Formats, err = figureFormats(formats, drawnFormats()...); err != nil {
				return err
			}
			if o.Look.Labels, err = printLabels(labels); err != nil {
				return err
			}
			if err := o.Check(); err != nil {
				return err
			}
			if kind.figure.Kind != "" {
				if err := refuseIdle(c.Flags(), []string{"only"}, "it chooses figures that the study lists, "+
					"and --kind draws another", "leave out one of them"); err != nil {
					return err
				}
				return a.plotKind(args[0], &kind, o)
			}
			if err := kind.unused(c.Flags()); err != nil {
				return err
			}
			return a.plotStudy(args[0], o)
		},
	}
	flags, look := c.Flags(), &o.Look
	flags.StringArrayVar(&o.Only, "only", nil, "`NAME` of a figure to draw, repeatable (default all)")
	flags.StringVar(&formats, "format", "svg,png,pdf", "formats out of "+
		strings.Join(drawnFormats(), ", ")+", separated by commas")
	flags.Float64Var(&look.WidthMM, "width-mm", 0, "width in mm: 84 is one column, 174 two "+
		"(default 84)")
	flags.Float64Var(&look.HeightMM, "height-mm", 0, "height in mm (default by --aspect)")
	flags.Float64Var(&look.Aspect, "aspect", 0, "height over width of the region of the data "+
		"(default 0.6)")
	flags.BoolVar(&look.LogX, "log-x", false, "logarithmic x axis")
	flags.BoolVar(&look.LogY, "log-y", false, "logarithmic y axis")
	flags.Float64SliceVar(&look.XLimits, "x-limits", nil, "ends of the x axis, such as 0,2")
	flags.Float64SliceVar(&look.YLimits, "y-limits", nil, "ends of the y axis, such as 0,2")
	flags.Float64SliceVar(&look.Levels, "levels", nil, "ordinates to mark by a thin line")
	flags.StringVar(&look.Legend, "legend", "", "above, beside or none (default above)")
	flags.BoolVar(&look.Bands, "bands", false, "bands in place of whiskers along lines")
	flags.StringArrayVar(&labels, "label", nil, "`VALUE=NAME` to print NAME for the value of an "+
		"axis, repeatable")
	kind.define(flags)
	return c
}

// plotStudy draws the figures that a study lists.
func (a *app) plotStudy(dir string, o report.FigureOptions) error {
	results, err := a.readFolder(dir)
	if err != nil {
		return err
	}
	if err := results.Study.CheckLabels(o.Look.Labels, "--label"); err != nil {
		return err
	}
	if err := report.DrawFigures(results, dir, o); err != nil {
		return err
	}
	if len(results.Study.Figures) == 0 {
		fmt.Fprintf(a.stdout, "The study of %s lists no figures; --kind draws what runs recorded\n", dir)
		return nil
	}
	fmt.Fprintf(a.stdout, "Figures are in %s\n", filepath.Join(dir, "figures"))
	return nil
}

// printLabels reads names to print, each as VALUE=NAME.
func printLabels(given []string) (map[string]any, error) {
	labels := map[string]any{}
	for _, text := range given {
		value, name, ok := strings.Cut(text, "=")
		if !ok || value == "" || name == "" {
			return nil, &input.Error{Where: "--label " + text, Problem: "no value with a name",
				Right: "give VALUE=NAME such as paging:0=Paging(0)"}
		}
		labels[value] = name
	}
	return labels, nil
}

// drawnFormats lists the formats of figures without the one of numbers, which is written
// always.
func drawnFormats() []string {
	return slices.DeleteFunc(plot.Formats(), func(format string) bool { return format == "csv" })
}

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
func (a *app) plotKind(dir string, f *kindFlags, o report.FigureOptions) error {
	results, err := a.readFolder(dir)
	if err != nil {
		return err
	}
	if err := results.Study.CheckLabels(o.Look.Labels, "--label"); err != nil {
		return err
	}
	d := f.figure
	d.Name = cmp.Or(d.Name, d.Kind)
	d.Where = map[string]any{}
	for _, text := range f.where {
		if err := results.Study.WhereFlag(d.Where, text); err != nil {
			return err
		}
	}
	notes := results.Study.SplitFigure(&d)
	if err := report.DrawRecord(results, dir, &d, o); err != nil {
		return err
	}
	a.notes(notes)
	fmt.Fprintf(a.stdout, "The figure is %s\n", filepath.Join(dir, "figures", d.Name+".*"))
	return nil
}
