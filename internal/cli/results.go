package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"contend/experiments"
	"contend/experiments/report"
	"contend/experiments/spec"

	"github.com/spf13/cobra"
)

func (a *app) plotCommand() *cobra.Command {
	var o report.FigureOptions
	var formats string
	var kind kindFlags
	c := &cobra.Command{
		Use: "plot DIR", Short: "Draw the figures again from stored results", Args: cobra.ExactArgs(1),
		Long: "Draw the figures again from stored results.\n\n" + kindHelp,
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if o.Formats, err = figureFormats(formats, "svg", "png", "pdf", "eps"); err != nil {
				return err
			}
			if err := o.Check(); err != nil {
				return err
			}
			if kind.figure.Kind != "" {
				return a.plotKind(args[0], &kind, o)
			}
			if err := kind.unused(c.Flags()); err != nil {
				return err
			}
			results, err := experiments.ReadFolder(args[0], a.names)
			if err != nil {
				return err
			}
			if err := report.DrawFigures(results, args[0], o, a.names); err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "Figures are in %s\n", filepath.Join(args[0], "figures"))
			return nil
		},
	}
	c.Flags().StringVar(&formats, "format", "svg,png,pdf", "formats out of svg, png, pdf, eps, "+
		"separated by commas")
	c.Flags().Float64Var(&o.WidthMM, "width-mm", 0, "width in mm: 84 is one column, 174 two "+
		"(default 84)")
	c.Flags().BoolVar(&o.LogX, "log-x", false, "logarithmic x axis")
	c.Flags().BoolVar(&o.LogY, "log-y", false, "logarithmic y axis")
	kind.define(c.Flags())
	return c
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
			results, err := experiments.ReadFolder(args[0], a.names)
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
	var readme, figures string
	c := &cobra.Command{
		Use: "validation DIR...", Short: "Write every published number beside the measured one as " +
			"Markdown", Args: cobra.MinimumNArgs(1), Hidden: true,
		Long: "Write every published number beside the measured one as Markdown.\n" +
			"With --readme, copy the sentences about accuracy from such a file into another.",
		RunE: func(_ *cobra.Command, dirs []string) error {
			if readme != "" {
				return copyAccuracy(dirs, readme)
			}
			var all []*experiments.Results
			for _, dir := range dirs {
				r, err := experiments.ReadFolder(dir, a.names)
				if err != nil {
					return err
				}
				all = append(all, r)
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
	traceFlag(c.Flags().StringArrayVar, &traces)
	c.Flags().StringVar(&figures, "figures", "", "`FOLDER` beside the document to write its figures "+
		"into: validation.svg and validation-ratio.svg, with their numbers")
	c.Flags().StringVar(&readme, "readme", "", "`FILE` to copy the sentences about accuracy into")
	return c
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
