package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/figure"
	"contend/experiments/report"
	"contend/experiments/spec"

	"github.com/spf13/cobra"
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
	if err := results.Study.CheckLabels(o.Look.Labels, "--label", a.names); err != nil {
		return err
	}
	if err := report.DrawFigures(results, dir, o, a.names); err != nil {
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
			return nil, &spec.InputError{Where: "--label " + text, Problem: "no value with a name",
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
			if why := report.Incomparable(results); why != "" {
				return &spec.InputError{Where: args[0], Problem: "not comparable: " + why,
					Right: "run the study without flags that change it"}
			}
			verdicts := report.Compare(results, a.names)
			if verdicts == nil {
				return &spec.InputError{Problem: fmt.Sprintf("the study %s has no rules to compare by",
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

func (a *app) validationCommand() *cobra.Command {
	var traces []string
	var readme, figures, update string
	c := &cobra.Command{
		Use: "validation DIR...", Short: "Write every published number beside the measured one as " +
			"Markdown", Args: cobra.MinimumNArgs(1), Hidden: true,
		Long: "Write every published number beside the measured one as Markdown.\n" +
			"With --readme, copy the sentences about accuracy from such a file into another. With " +
			"--update, replace the\n" +
			"sections of these folders in such a file, and leave the others.",
		RunE: func(_ *cobra.Command, dirs []string) error {
			if readme != "" {
				return copyAccuracy(dirs, readme)
			}
			var all []*experiments.Results
			for _, dir := range dirs {
				r, err := a.readFolder(dir)
				if err != nil {
					return err
				}
				all = append(all, r)
			}
			if update != "" {
				return updateValidation(update, all, a.names, traceFolders(traces))
			}
			link := ""
			if figures != "" {
				drawn, err := report.SaveValidation(all, a.names, figures)
				if err != nil {
					return err
				}
				if drawn {
					link = filepath.Base(figures)
				}
			}
			fmt.Fprint(a.stdout, report.Validation(all, a.names, traceFolders(traces), link))
			return nil
		},
	}
	tracesFlag(c.Flags(), &traces)
	c.Flags().StringVar(&figures, "figures", "", "`FOLDER` beside the document to write its figures "+
		"into: validation.svg and validation-ratio.svg, with their numbers")
	c.Flags().StringVar(&update, "update", "", "`FILE` to replace the sections of these folders in")
	c.Flags().StringVar(&readme, "readme", "", "`FILE` to copy the sentences about accuracy into")
	return c
}

// updateValidation replaces the sections of some studies in VALIDATION.
func updateValidation(path string, all []*experiments.Results, names spec.Names,
	traces []string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return &spec.InputError{Problem: err.Error()}
	}
	text, err := report.UpdateValidation(string(old), all, names, traces)
	if err != nil {
		return &spec.InputError{Where: "--update " + path, Problem: err.Error(),
			Right: "give the folders of all studies, without --update"}
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// copyAccuracy copies the sentences about accuracy from VALIDATION into README.
func copyAccuracy(from []string, to string) error {
	if len(from) != 1 {
		problem := fmt.Sprint(len(from), " files to copy from")
		return &spec.InputError{Where: "--readme " + to, Problem: problem, Right: "give one"}
	}
	var texts [2]string
	for i, path := range []string{from[0], to} {
		text, err := os.ReadFile(path)
		if err != nil {
			return &spec.InputError{Problem: err.Error()}
		}
		texts[i] = string(text)
	}
	text, err := report.CopyAccuracy(texts[0], texts[1])
	if err != nil {
		return err
	}
	return os.WriteFile(to, []byte(text), 0o644)
}
