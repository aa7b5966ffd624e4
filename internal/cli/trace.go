package cli

import (
	"fmt"
	"os"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
	"contend/experiments/study"

	"github.com/spf13/cobra"
)

func (a *app) traceCommand() *cobra.Command {
	c := &cobra.Command{Use: "trace", Short: "Describe and convert logs in the Standard Workload " +
		"Format"}
	c.AddCommand(a.traceStatsCommand(), a.traceConvertCommand())
	return c
}

func (a *app) traceStatsCommand() *cobra.Command {
	processors := 0
	c := &cobra.Command{
		Use: "stats FILE", Short: "Describe a log: jobs, load, sizes, times", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			path, err := a.findTrace(args[0])
			if err != nil {
				return err
			}
			text, err := cosim.DescribeTrace(path, max(0, processors))
			fmt.Fprint(a.stdout, text)
			return err
		},
	}
	c.Flags().IntVar(&processors, "processors", 0, "processors of the machine (default those of "+
		"the log's header)")
	return c
}

func (a *app) traceConvertCommand() *cobra.Command {
	var sets []string
	c := &cobra.Command{
		Use: "convert IN OUT", Short: "Write a log with keys of [workload] applied, compressed if OUT " +
			"ends in .gz", Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			path, err := a.findTrace(args[0])
			if err != nil {
				return err
			}
			st := study.Study{Base: spec.DefaultSpec()}
			st.Base.Workload.Source, st.Base.Workload.Jobs = "swf", 0
			if err := a.setAll(&st, sets, keysOf("workload")); err != nil {
				return err
			}
			if err := st.CheckUse("a converted log", spec.ConvertKeys()); err != nil {
				return err
			}
			plan, err := st.Base.Plan()
			if err != nil {
				return err
			}
			if sameFile(path, args[1]) {
				return &input.Error{Problem: args[1] + " is the log that is read",
					Right: "give another name"}
			}
			n, err := cosim.ConvertTrace(path, args[1], plan)
			if err == nil {
				fmt.Fprintf(a.stdout, "%d lines in %s\n", n, args[1])
			}
			return err
		},
	}
	setFlag(c.Flags(), &sets, "set a key of [workload], such as workload.jobs=1000")
	return c
}

// sameFile reports whether two names are those of one file that exists.
func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(one, other)
}

// findTrace finds a log, and says so if it is another version.
func (a *app) findTrace(name string) (string, error) {
	path, err := input.FindTrace(name, traceFolders(nil))
	if err == nil {
		if instead := input.TakenInstead(name, path); instead != "" {
			fmt.Fprintln(a.stderr, "contend:", instead)
		}
	}
	return path, err
}
