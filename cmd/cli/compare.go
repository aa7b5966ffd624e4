package cli

import (
	"fmt"
	"path/filepath"

	"contend/experiments/report"
	"contend/experiments/report/tables"
	"contend/internal/input"

	"github.com/spf13/cobra"
)

// compareLong is the help text of contend compare.
const compareLong = `Compare results with published numbers. The exit status is 1 if a rule of the
study fails.

With --by, compare the values of an axis with each other, pair by pair: differences and ratios over
the replications (or windows of a log) that both have, with confidence intervals and p-values
adjusted by Holm's method over the pairs that are compared, which --against and --where bound. Where all values are above 0, as times are, p-values are those of the
ratios: paired t tests of the logarithms, which windows of different size do not widen. Else they
are those of the differences. The head of the column says which. contend compare --by DIR, without a
key, compares allocators. The command writes comparison-KEY.csv with every metric into the folder,
and comparison-KEY.md and comparison-KEY.tex with the metrics printed.`

// compareCommand returns the command contend compare.
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
				return &input.Error{Where: args[0], Problem: "not comparable: " + why,
					Right: "run the study without flags that change it"}
			}
			verdicts := report.Compare(results)
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
	forceFlag(c.Flags(), &a.force)
	return c
}

// compareBy are the flags of a paired comparison.
type compareBy struct {
	key, against   string
	metrics, where []string
	apart          float64
	command        *cobra.Command
}

// define adds the flags.
func (b *compareBy) define(c *cobra.Command) {
	b.command = c
	flags := c.Flags()
	flags.StringVar(&b.key, "by", "",
		"compare the values of the axis `KEY` with each other; without a key, allocators")
	flags.StringSliceVar(&b.metrics, "metric", nil,
		"with --by: metrics to print, `M1,M2` or all (default those of the study's table)")
	flags.StringArrayVar(&b.where, "where", nil, "with --by: compare where an axis has this value "+
		"alone, before p-values are adjusted; may be repeated: `KEY=VALUE`")
	flags.StringVar(&b.against, "against", "", "with --by: compare each other value of the axis with "+
		"`VALUE` alone, before p-values are adjusted")
	flags.Float64Var(&b.apart, "apart", 0, "with --by: say with how many windows or replications "+
		"the test tells a mean of A that is `SIZE` above that of B from it, from the variance seen")
}

// given reports whether --by is given.
func (b *compareBy) given() bool { return b.command.Flags().Changed("by") }

// args accepts one folder. With --by it also accepts none, because the folder may then
// follow the flag, see resolve.
func (b *compareBy) args(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return input.Bad("", "give one; contend merge joins folders of one study, and --by KEY "+
			"compares the values of its axis KEY", "%d folders", len(args))
	}
	if b.given() {
		return cobra.MaximumNArgs(1)(c, args)
	}
	return cobra.ExactArgs(1)(c, args)
}

// resolve tells key and folder apart: of --by DIR the key is allocator.
func (b *compareBy) resolve(args []string) (key, dir string) {
	if len(args) == 0 {
		return "allocator", b.key
	}
	return b.key, args[0]
}

// compareBy prints the comparison of the values of an axis and writes its files into the folder.
func (a *app) compareBy(b *compareBy, args []string) error {
	key, dir := b.resolve(args)
	results, err := a.readFolder(dir)
	if err != nil {
		return err
	}
	if !(b.apart >= 0) {
		return &input.Error{Where: "--apart", Problem: "a difference has a size",
			Right: "give a number above 0"}
	}
	comparison, err := tables.CompareAgainst(results, key, b.against, b.where...)
	if err != nil {
		return err
	}
	comparison.Apart = b.apart
	metrics, err := comparison.Metrics(b.metrics)
	if err != nil {
		return err
	}
	if err := comparison.WriteFiles(results.Folder.Out, metrics); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s\nThe comparison is in %s.csv, .md, .tex\n",
		comparison.Terminal(metrics), filepath.Join(dir, "comparison-"+key))
	return nil
}

// check refuses flags that act with --by alone.
func (b *compareBy) check() error {
	return refuseIdle(b.command.Flags(), []string{"metric", "where", "against", "apart"},
		"the flag acts only with --by", "add --by KEY, or leave it out")
}
