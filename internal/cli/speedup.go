package cli

import (
	"path/filepath"
	"runtime"

	"contend/experiments"

	"github.com/spf13/cobra"
)

func (a *app) speedupCommand() *cobra.Command {
	var c experiments.Speedup
	var f runFlags
	cmd := &cobra.Command{
		Use: "speedup PATTERN...", Short: "What placement is worth: jobs contiguous, partly away, scattered, random",
		Long: "What placement is worth. Jobs of one size start at once and fill the machine, each in a subtree or submesh of its own,\n" +
			"with a few processes away among its neighbours' (away:T), one process to every part of the machine (scattered), or\n" +
			"anywhere (random). The table has the time until all are done and the mean of the jobs, relative to the first\n" +
			"placement, over so many seeds. Machines are mesh:16x16, torus:8x8x8, hypercube:6, tree:4x4 (4-ary, 4 levels),\n" +
			"tree:4x4:2 (two ports up). The folder holds the study too: contend run, plot and show work on it.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, patterns []string) error {
			c.Patterns = patterns
			st, err := c.Study(a.names)
			if err != nil {
				return err
			}
			if err := a.change(st, f); err != nil {
				return err
			}
			return a.runLoaded(cmd.Context(), st, f.out, f)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&c.Machines, "machine", nil, "`MACHINE`, such as tree:4x4; repeat it to hold one against another (default: machine.… of --set)")
	flags.StringSliceVar(&c.Placements, "placements", nil, "placements, the first of which the others are relative to: contiguous, away:T, dealt, scattered, random (default contiguous, an eighth and a quarter away, scattered, random)")
	flags.StringVar(&c.Background, "background", "same", "what else there is: same, all jobs do the same; idle, nothing; or the `PATTERN` of all jobs but one")
	flags.IntVar(&c.Processes, "processes", 16, "processes of a job")
	flags.IntVar(&c.Jobs, "jobs", 1000, "how many jobs at most")
	flags.IntVar(&c.Seeds, "seeds", 5, "how often all is repeated with other draws")
	flags.Int64Var(&c.Seed, "seed", 1, "seed of all random streams")
	flags.StringVarP(&f.out, "out", "o", filepath.Join("out", "speedup"), "output folder")
	flags.StringArrayVar(&f.sets, "set", nil, "set a key, `KEY=VALUE`; may be repeated")
	flags.IntVar(&f.workers, "workers", runtime.NumCPU(), "runs made at the same time")
	flags.BoolVar(&f.jobs, "jobs-csv", false, "write jobs.csv, a row per job")
	flags.BoolVar(&f.links, "links-csv", false, "write links.csv, a row per channel")
	flags.BoolVar(&f.quiet, "no-progress", false, "no progress bar, also on a terminal")
	flags.BoolVar(&f.json, "json", false, "print the summary as JSON instead of the table")
	keepOldFlag(flags.BoolVar, &f.keepOld)
	return cmd
}
