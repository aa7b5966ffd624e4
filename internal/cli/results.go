package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments/figure"
	"contend/experiments/report/compare"
	"contend/experiments/report/figures"
	"contend/experiments/spec/input"

	"github.com/spf13/cobra"
)

func (a *app) plotCommand() *cobra.Command {
	var o figures.FigureOptions
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
func (a *app) plotStudy(dir string, o figures.FigureOptions) error {
	results, err := a.readFolder(dir)
	if err != nil {
		return err
	}
	if err := results.Study.CheckLabels(o.Look.Labels, "--label", a.names); err != nil {
		return err
	}
	if err := figures.DrawFigures(results, dir, o, a.names); err != nil {
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
	return slices.DeleteFunc(figure.Formats(), func(format string) bool { return format == "csv" })
}

func (a *app) compareCommand() *cobra.Command {
	var by compareBy
	c := &cobra.Command{
		Use: "compare DIR", Short: "Compare results with published numbers, or with each other (--by)",
		Long: compareLong, Args: by.args,
		RunE: func(_ *cobra.Command, args []string) error {
			if by.given() {
				return a.compareBy(&by, args)
			}
			if err := by.check(); err != nil {
				return err
			}
			results, err := a.readFolder(args[0])
			if err != nil {
				return err
			}
			if why := compare.Incomparable(results); why != "" {
				return &input.Error{Where: args[0], Problem: "not comparable: " + why,
					Right: "run the study without flags that change it"}
			}
			verdicts := compare.Compare(results, a.names)
			if verdicts == nil {
				return &input.Error{Problem: fmt.Sprintf("the study %s has no rules to compare by",
					results.Study.Name), Right: "give some in [[tolerances]]"}
			}
			pass := true
			for _, v := range verdicts {
				fmt.Fprint(a.stdout, v)
				pass = pass && v.Pass
			}
			if !results.Complete() {
				fmt.Fprintln(a.stdout, "The study is not complete: contend run resumes it.")
			}
			if !pass {
				return errOutside
			}
			return nil
		},
	}
	by.define(c)
	return c
}
