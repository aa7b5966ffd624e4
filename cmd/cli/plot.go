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

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// plotFlags are the flags of contend plot.
type plotFlags struct {
	options report.FigureOptions
	formats string
	labels  []string
	kind    study.Figure // the figure of --kind
	where   []string
}

// plotLong returns the help text of contend plot, with a line for each kind of figure.
func plotLong() string {
	var b strings.Builder
	b.WriteString(`Draw the figures again from stored results.

With --kind, one figure of what the runs recorded over time and place is drawn, whether the study
lists it or not. The runs need the tables that contend run --record writes. The kinds are:

`)
	for _, k := range study.FigureKinds {
		if k.Recorded {
			shown, _, _ := strings.Cut(strings.ReplaceAll(k.Doc, "`", ""), ",")
			fmt.Fprintf(&b, "  %-22s %s\n", k.Name, shown)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// kindsWith names the kinds of --kind that take a key.
func kindsWith(key string) string {
	return strings.Join(study.KindsWith(key, true), " or ")
}

// wordsOfX says what --x can be, by kinds.
func wordsOfX() string {
	var texts []string
	for _, k := range study.FigureKinds {
		if k.Recorded && k.XDoc != "" {
			texts = append(texts, "for "+k.Name+" "+k.XDoc)
		}
	}
	return strings.Join(texts, "; ")
}

// plotCommand returns the command contend plot.
func (a *app) plotCommand() *cobra.Command {
	var f plotFlags
	c := &cobra.Command{
		Use: "plot DIR", Short: "Draw the figures again from stored results", Args: cobra.ExactArgs(1),
		Long: plotLong(),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(c.Flags()); err != nil {
				return err
			}
			return a.plot(args[0], &f)
		},
	}
	f.define(c.Flags())
	forceFlag(c.Flags(), &a.force)
	return c
}

// define adds the flags.
func (f *plotFlags) define(flags *pflag.FlagSet) {
	look, d := &f.options.Look, &f.kind
	flags.StringArrayVar(&f.options.Only, "only", nil,
		"`NAME` of a figure to draw, repeatable (default all)")
	flags.StringVar(&f.formats, "format", "svg,png,pdf", "formats out of "+
		strings.Join(drawnFormats(), ", ")+", separated by commas")
	flags.Float64Var(&look.WidthMM, "width-mm", 0, "width in mm: 84 is one column, 174 two "+
		"(default 84)")
	flags.Float64Var(&look.Aspect, "aspect", 0, "height over width of the region of the data "+
		"(default 0.6)")
	flags.BoolVar(&look.LogX, "log-x", false, "logarithmic x axis")
	flags.BoolVar(&look.LogY, "log-y", false, "logarithmic y axis")
	flags.Float64SliceVar(&look.XLimits, "x-limits", nil, "ends of the x axis, such as 0,2")
	flags.Float64SliceVar(&look.YLimits, "y-limits", nil, "ends of the y axis, such as 0,2")
	flags.BoolVar(&look.Bands, "bands", false, "bands in place of whiskers along lines")
	flags.StringArrayVar(&f.labels, "label", nil, "`VALUE=NAME` to print NAME for the value of an "+
		"axis, repeatable")
	flags.StringVar(&d.Kind, "kind", "", "draw one figure of this `KIND`: "+
		strings.Join(study.KindsWith("", true), ", "))
	flags.StringArrayVar(&f.where, "where", nil, "with --kind, the points to draw: `KEY=VALUE`; "+
		"repeatable")
	flags.StringVar(&d.Metric, "metric", "", "with --kind, the `COLUMN` to draw")
	flags.StringVar(&d.X, "x", "", "with --kind, the abscissa `X`: "+wordsOfX())
	flags.StringVar(&d.Series, "series", "", "with --kind "+kindsWith("series")+
		", the axis `KEY` that tells lines or boxes apart (default the axes that differ)")
	flags.Func("time", "with --kind "+kindsWith("time")+", the `MOMENT`, in the unit of "+
		"jobs.csv or as in 50% of the run (default the first with most nodes in use, or the whole run)",
		f.setTime)
	flags.IntVar(&d.Job, "job", 0, "with --kind "+kindsWith("job")+
		", the number of a job to mark")
	flags.StringVar(&d.Name, "name", "", "with --kind, the file name without ending (default the "+
		"kind)")
}

// setTime reads the flag --time: a time, or a share of the run in percent.
func (f *plotFlags) setTime(text string) error {
	number, percent := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || percent && (x <= 0 || x >= 100) {
		return errors.New("give a time such as 1500, or a share of the run such as 50%")
	}
	if percent {
		f.kind.TimePercent = x
	} else {
		f.kind.Time = x
	}
	return nil
}

// check reads formats, and refuses flags that have no effect.
func (f *plotFlags) check(flags *pflag.FlagSet) (err error) {
	if f.options.Formats, err = figureFormats(f.formats, drawnFormats()...); err != nil {
		return err
	}
	if err := f.options.Check(); err != nil {
		return err
	}
	if f.kind.Kind != "" {
		return refuseIdle(flags, []string{"only"}, "it chooses figures that the study lists, "+
			"and --kind draws another", "leave out one of them")
	}
	return refuseIdle(flags, []string{"where", "metric", "x", "series", "time", "job", "name"},
		"it acts with --kind only", "give --kind, or leave it out")
}

// plot draws the figure of --kind, else those that the study lists.
func (a *app) plot(dir string, f *plotFlags) error {
	results, err := a.readFolder(dir)
	if err != nil {
		return err
	}
	st := results.Study
	if f.options.Look.Labels, err = st.PrintLabels("--label", f.labels); err != nil {
		return err
	}
	if f.kind.Kind == "" {
		if err := report.DrawFigures(results, results.Folder.Out, f.options); err != nil {
			return err
		}
		text := "Figures are in " + filepath.Join(dir, "figures")
		if len(st.Figures) == 0 {
			text = "The study of " + dir + " lists no figures; --kind draws what runs recorded"
		}
		fmt.Fprintln(a.stdout, text)
		return nil
	}
	d := f.kind
	d.Name = cmp.Or(d.Name, d.Kind)
	if d.Where, err = st.WhereFlags(f.where); err != nil {
		return err
	}
	notes := st.SplitFigure(&d)
	if err := report.DrawRecord(results, results.Folder.Out, &d, f.options); err != nil {
		return err
	}
	a.notes(notes)
	a.namesFigure(dir, d.Name)
	return nil
}

// namesFigure prints where a figure is.
func (a *app) namesFigure(dir, name string) {
	fmt.Fprintf(a.stdout, "The figure is %s\n", filepath.Join(dir, "figures", name+".*"))
}

// drawnFormats lists the formats of figures without that of numbers, which is always written.
func drawnFormats() []string {
	return slices.DeleteFunc(plot.Formats(), func(format string) bool { return format == "csv" })
}
