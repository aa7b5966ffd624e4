package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/spec/input"
	"contend/experiments/study"
	"contend/experiments/tune"

	"github.com/spf13/cobra"
)

// tuneFlags are the flags of contend tune.
type tuneFlags struct {
	box, trace, policy, metric, out string
	sets, traces                    []string
	jobs, rounds, beam, top         int
	workers                         int
	seed                            int64
	quick, quiet, fresh             bool
	changed                         func(flag string) bool
}

func (a *app) tuneCommand() *cobra.Command {
	f := tuneFlags{box: boxText(tune.DefaultBox())}
	c := &cobra.Command{
		Use: "tune --trace FILE", Short: "Search the tie-breaking parameters of MC1x1 that suit a log",
		Long: "Search the parameters (SR, AF, WF, BF) of mc1x1-tie that make the jobs of a log most\n" +
			"compact. The search tries all vectors of a box first, equivalent vectors once, and then\n" +
			"vectors near the best until none is left. Jobs run for their time in the log on a mesh of\n" +
			"its processors, as nearly square as possible; --set changes that.\n\n" +
			"The output folder has every vector tried (tune.csv), the files of contend run, and in the\n" +
			"folder best what the best vectors gain by size of the jobs. A folder that has results\n" +
			"already is resumed.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			f.changed = c.Flags().Changed
			return a.tune(c.Context(), f)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.trace, "trace", "", "the log `FILE`")
	tracesFlag(flags, &f.traces)
	flags.StringVar(&f.box, "box", f.box, "`RANGES` of the vectors to try; a parameter that is not "+
		"given keeps its default")
	flags.IntVar(&f.rounds, "rounds", 20, "rounds of local search at most; 0: only the box")
	flags.IntVar(&f.beam, "beam", 8, "best vectors, with different results, to search around in a "+
		"round")
	flags.IntVar(&f.top, "top", 10, "best vectors, and clusters, to print")
	flags.StringVar(&f.policy, "policy", "fcfs", "the scheduler (scheduler.policy)")
	flags.StringVar(&f.metric, "metric", "sum_pairwise_distance", "metric to minimize")
	flags.IntVar(&f.jobs, "jobs", 0, "use only the first jobs of the log; 0: all")
	setFlag(flags, &f.sets, "set a key of the runs")
	flags.BoolVar(&f.quick, "quick", false, "a small search: 1000 jobs, sr=1:3, factors up to 2, "+
		"three rounds")
	flags.StringVarP(&f.out, "out", "o", "", "output folder (default out/tune-NAME)")
	flags.Int64Var(&f.seed, "seed", 1, "seed of the local search and of the runs (runs.seed)")
	defineWorkers(flags, &f.workers, "runs at the same time")
	quietFlag(flags, &f.quiet)
	freshFlag(flags, &f.fresh)
	return c
}

// boxText writes a box as --box reads it.
func boxText(b tune.Box) string {
	var parts []string
	for i, name := range []string{"sr", "af", "wf", "bf"} {
		parts = append(parts, fmt.Sprintf("%s=%d:%d", name, b.Low[i], b.High[i]))
	}
	return strings.Join(parts, ",")
}

// small applies --quick to the values that the user did not give.
func (f *tuneFlags) small() {
	if !f.changed("box") {
		f.box = "sr=1:3,af=0:2,wf=0:2,bf=0:2"
	}
	if !f.changed("rounds") {
		f.rounds = 3
	}
	if !f.changed("jobs") {
		f.jobs = 1000
	}
}

func (f *tuneFlags) check() error {
	switch {
	case f.rounds < 0 || f.beam < 1 || f.top < 1:
		return &input.Error{Problem: "there is nothing to search",
			Right: "give --rounds of at least 0, --beam and --top of at least 1"}
	case f.jobs < 0:
		return &input.Error{Where: fmt.Sprint("--jobs ", f.jobs), Problem: "not a number of jobs",
			Right: "give 0 for all, or how many"}
	}
	return nil
}

func (a *app) tune(ctx context.Context, f tuneFlags) error {
	if f.quick {
		f.small()
	}
	if err := f.check(); err != nil {
		return err
	}
	box, err := tune.ParseBox(f.box, tune.DefaultBox())
	if err != nil {
		return err
	}
	traces := traceFolders(f.traces)
	simulator := &cosim.Simulator{TraceDirs: traces}
	st, err := a.tuneStudy(f)
	if err != nil {
		return err
	}
	if err := a.pin(st, traces); err != nil {
		return err
	}
	if err := a.checkPoints(simulator, st); err != nil {
		return err
	}
	dir := f.out
	if dir == "" {
		dir = filepath.Join("out", st.Name)
	}
	folder, err := a.openFolder(dir, st, f.fresh)
	if err != nil {
		return err
	}
	progress, stop := a.runProgress(!f.quiet)
	runner := &experiments.Runner{Names: a.names, Run: simulator.Run, Workers: f.workers,
		Folder: folder, Traces: traces, Progress: progress, Log: a.log}
	tuner := tune.Tuner{Runner: runner, Study: st, Box: box, Rounds: f.rounds, Beam: f.beam}
	began := time.Now()
	found, err := tuner.Run(ctx)
	stop()
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(a.stderr, "contend: finished runs are kept in %s; the same command resumes\n", dir)
	}
	if err != nil {
		return err
	}
	a.log.Info("searched", "vectors", len(found.Trials), "seconds", time.Since(began).Seconds())
	results, err := tuner.Finish(found, a.names)
	if err != nil {
		return err
	}
	if err := a.writeFiles(folder, results, experiments.Tables{}); err != nil {
		return err
	}
	best := filepath.Join(dir, "best")
	if err := a.tuneBest(ctx, tuner.BestStudy(found, 3), runner, best, f.fresh); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%d vectors tried, %d of them in %d rounds of local search.\n"+
		"%s\nResults are in %s\n",
		len(found.Trials), len(found.Trials)-len(box.Vectors()), found.Rounds, found.Best(f.top), dir)
	return nil
}

// tuneStudy makes the study of a search.
func (a *app) tuneStudy(f tuneFlags) (*study.Study, error) {
	st := tune.TuneStudy(f.trace, f.policy, f.metric)
	sets := []string{"scheduler.policy=" + f.policy, fmt.Sprint("workload.jobs=", f.jobs)}
	if err := a.setAll(st, append(sets, f.sets...), func(key, value string) error {
		if strings.HasPrefix(key, "allocator") && key != "allocator.last_shell" {
			return &input.Error{Where: "--set " + key + "=" + value,
				Problem: "the search varies " + key,
				Right:   "give ranges with --box; allocator.last_shell may be set"}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	st.Base.Seed = f.seed
	return st, st.Check(a.names)
}

// tuneBest runs and draws the study of the best vectors.
func (a *app) tuneBest(ctx context.Context, st *study.Study, like *experiments.Runner,
	dir string, fresh bool) error {
	folder, err := a.openFolder(dir, st, fresh)
	if err != nil {
		return err
	}
	runner := *like
	runner.Folder, runner.Progress = folder, nil
	results, err := runner.Study(ctx, st)
	if err != nil {
		return err
	}
	if err := folder.Finish(results); err != nil {
		return err
	}
	return a.writeFiles(folder, results, experiments.Tables{})
}
