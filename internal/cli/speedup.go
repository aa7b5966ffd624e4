package cli

import (
	"path/filepath"

	"contend/experiments/study"

	"github.com/spf13/cobra"
)

const speedupLong = `Measure what placement is worth. Jobs of one size start at once and fill the
machine: each in a subtree or submesh of its own (contiguous), with T processes among the
neighbours' (away:T), one process in each part of the machine (scattered), or anywhere (random).
The table has the time until all jobs end and the mean time of a job, relative to the first
placement, over several seeds. Machines are mesh:16x16, torus:8x8x8, hypercube:6, tree:4x4 (4-ary,
4 levels), tree:4x4:2 (two ports up). The folder also has the study: contend run, plot and show
read it.`

func (a *app) speedupCommand() *cobra.Command {
	var c study.Speedup
	var f runFlags
	cmd := &cobra.Command{
		Use: "speedup PATTERN...", Short: "Measure what placement is worth: contiguous, scattered or " +
			"random jobs",
		Long: speedupLong,
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
	flags.StringArrayVar(&c.Machines, "machine", nil, "a `MACHINE` such as tree:4x4; repeat the "+
		"flag to compare machines (default that of --set machine.KEY)")
	flags.StringSliceVar(&c.Placements, "placements", nil, "placements out of contiguous, away:T, "+
		"dealt, scattered, random; times are relative to the first "+
		"(default contiguous, an eighth and a quarter away, scattered, random)")
	flags.StringVar(&c.Background, "background", "same", "what the other jobs do: same as the "+
		"first; idle, there are none; or a `PATTERN`")
	flags.IntVar(&c.Processes, "processes", 16, "processes of a job")
	flags.IntVar(&c.Jobs, "jobs", 1000, "jobs at most")
	flags.IntVar(&c.Seeds, "seeds", 5, "repetitions with other random draws")
	flags.Int64Var(&c.Seed, "seed", 1, "seed of all random streams")
	flags.StringVarP(&f.out, "out", "o", filepath.Join("out", "speedup"), "output folder")
	setFlag(flags, &f.sets, "set a key")
	defineWorkers(flags, &f.workers, "runs at the same time")
	f.tables.define(flags)
	quietFlag(flags, &f.quiet)
	jsonFlag(flags, &f.json)
	freshFlag(flags, &f.fresh)
	return cmd
}
