package cli

import (
	"fmt"
	"strconv"

	"contend/experiments/report"
	"contend/experiments/study"
	"contend/internal/input"

	"github.com/spf13/cobra"
)

// whyLong is the help text of contend why.
const whyLong = `Tell in sentences what a job of stored results waited for: how long it ran, and
would have run alone or beside one other job only; what its critical path was made of; for which
jobs its packets waited, and at which channels; and on the paths of which of its nodes. The figure
why-JOB shows these channels on the machine.

The runs need the tables that contend run --interference writes. The key runs.alone measures how
long jobs take alone, and --slowdowns how long beside one other job only. A study of several points
needs --where. The page is about the first replication.`

// whyCommand returns the command contend why.
func (a *app) whyCommand() *cobra.Command {
	var where []string
	c := &cobra.Command{
		Use: "why DIR JOB", Short: "Tell what a job waited for", Long: whyLong, Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			job, err := strconv.Atoi(args[1])
			if err != nil || job < 1 {
				return input.Bad("", "give a number of the column job of jobs.csv", "the job is %q", args[1])
			}
			return a.why(args[0], job, where)
		},
	}
	c.Flags().StringArrayVar(&where, "where", nil, "the point: `KEY=VALUE`; repeatable")
	forceFlag(c.Flags(), &a.force)
	return c
}

// why prints what a job waited for and draws its figure.
func (a *app) why(dir string, job int, where []string) error {
	results, err := a.readFolder(dir)
	if err != nil {
		return err
	}
	f := study.Figure{Kind: study.WaitChannelsKind, Job: job, Name: fmt.Sprintf("why-%d", job)}
	if f.Where, err = results.Study.WhereFlags(where); err != nil {
		return err
	}
	page := f
	text, waited, err := report.Why(results, &page)
	if err != nil {
		return err
	}
	fmt.Fprint(a.stdout, text)
	if !waited {
		return nil
	}
	options := report.FigureOptions{Formats: drawnFormats()}
	if err := report.DrawRecord(results, results.Folder.Out, &f, options); err != nil {
		return err
	}
	a.namesFigure(dir, f.Name)
	return nil
}
