package cli

import (
	"fmt"

	"contend/experiments/sim"
	"contend/internal/input"
	"contend/scheduler"

	"github.com/spf13/cobra"
)

// traceCommand returns the command of logs.
func (a *app) traceCommand() *cobra.Command {
	c := &cobra.Command{Use: "trace", Short: "Describe logs in the Standard Workload Format"}
	c.AddCommand(a.traceStatsCommand())
	return c
}

// traceStatsCommand returns the command contend trace stats.
func (a *app) traceStatsCommand() *cobra.Command {
	processors, format := 0, scheduler.SWFFormat{}
	c := &cobra.Command{
		Use: "stats FILE", Short: "Describe a log: jobs, load, sizes, times", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			path, err := a.findTrace(args[0])
			if err != nil {
				return err
			}
			text, err := sim.DescribeTrace(path, format, max(0, processors))
			fmt.Fprint(a.stdout, text)
			return err
		},
	}
	c.Flags().IntVar(&processors, "processors", 0, "processors of the machine (default those of "+
		"the log's header)")
	c.Flags().IntVar(&format.NodesField, "nodes-field", 0, "field with the number of nodes of "+
		"a job, from 19, in a log with more than 18 fields")
	return c
}

// findTrace returns the path of a log, and prints a note if it found another version of the log than
// the one named.
func (a *app) findTrace(name string) (string, error) {
	path, err := input.FindTrace(name, traceFolders(nil))
	if err == nil {
		if instead := input.TakenInstead(name, path); instead != "" {
			fmt.Fprintln(a.stderr, "contend:", instead)
		}
	}
	return path, err
}
