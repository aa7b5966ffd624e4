package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"contend/experiments"
	"contend/experiments/sim"
	"contend/experiments/sweep"
	"contend/internal/input"

	"github.com/spf13/cobra"
)

// sweepFlags are the flags of contend sweep.
type sweepFlags struct {
	run           runFlags
	sweep         sweep.Sweep // with the values of flags
	cluster       sweep.Slurm
	extra         string
	slurm, noWait bool
	taskMinutes   float64
}

// sweepLong is the help text of contend sweep.
const sweepLong = `Run a study as Slurm job arrays, from a machine that submits jobs, in a folder
that all nodes see.

The runs that the output folder lacks are put into batches of about --task-minutes each, by a
forecast from short probes, and submitted as one array. The command waits, joins the runs of the
tasks, submits missing runs again, continues with the further rounds of a study that asks for a
precision, and ends with the files that contend run writes, byte for byte. A run that fails is
reported and not submitted again.

Ctrl-C leaves the jobs in the queue. The same command waits for them again. With --no-wait it
submits one round and returns; called again, it joins the finished runs, and submits the next round
once no job is left.`

// sweepCommand returns the command contend sweep.
func (a *app) sweepCommand() *cobra.Command {
	var f sweepFlags
	c := &cobra.Command{
		Use: "sweep STUDY --slurm", Short: "Run a study on a Slurm cluster, as job arrays",
		Long: sweepLong, Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f.run.seedGiven = c.Flags().Changed("seed")
			if err := f.check(); err != nil {
				return err
			}
			return a.sweepStudy(c.Context(), args[0], f)
		},
	}
	flags := c.Flags()
	f.run.define(c)
	forceFlag(flags, &a.force)
	flags.BoolVar(&f.slurm, "slurm", false,
		"submit to Slurm, by sbatch, squeue and scontrol on the PATH")
	flags.StringVar(&f.cluster.Partition, "partition", "",
		"the partition to submit to, `P` (default: the cluster's)")
	flags.Float64Var(&f.taskMinutes, "task-minutes", 10, "how long a task should take, in minutes")
	flags.IntVar(&f.sweep.MaxTasks, "max-tasks", 0,
		"the largest number of tasks of an array (default: the limit of Slurm)")
	flags.StringVar(&f.extra, "sbatch", "", "more flags for sbatch, `\"--time=60 --mem=4G\"`")
	flags.BoolVar(&f.noWait, "no-wait", false, "submit one round and return")
	flags.IntVar(&f.sweep.Retries, "retries", 3,
		"how often a run that its task did not make is submitted again")
	flags.DurationVar(&f.sweep.Poll, "poll", 5*time.Second, "how often to ask for the queue")
	return c
}

// check refuses values that no sweep can have.
func (f *sweepFlags) check() error {
	wrong := func(flag, problem, right string) error {
		return &input.Error{Where: flag, Problem: problem, Right: right}
	}
	switch {
	case !f.slurm:
		return wrong("sweep", "it does not say where",
			"give --slurm; contend run makes the runs on this machine")
	case !(f.taskMinutes > 0):
		return wrong("--task-minutes", "a task takes some time", "give a number above 0")
	case f.sweep.MaxTasks < 0:
		return wrong("--max-tasks", "an array has tasks", "give 1 or more")
	case f.sweep.Retries < 0:
		return wrong("--retries", "the number is negative", "give 0 or more")
	case f.sweep.Poll <= 0:
		return wrong("--poll", "an interval takes some time", "give one such as 5s")
	}
	return nil
}

// sweepStudy makes the runs of a study on the cluster and writes what contend run
// writes.
func (a *app) sweepStudy(ctx context.Context, name string, f sweepFlags) error {
	st, err := a.loadStudy(name, f.run)
	if err != nil {
		return err
	}
	dir := cmp.Or(f.run.out, filepath.Join("out", st.Name))
	f.sweep.TaskSeconds = 60 * f.taskMinutes
	f.run.taskSeconds, f.run.maxTasks = f.sweep.TaskSeconds, f.sweep.MaxTasks
	runner, err := a.prepare(ctx, st, dir, f.run)
	if runner == nil {
		return err
	}
	results, err := runner.Folder.Results(st, a.names)
	if err != nil {
		return err
	}
	runner.OnForecast = func(*experiments.Forecast) {}
	stop, err := a.completeSweep(&f, runner, st.Runs.Threads)
	if err != nil {
		return err
	}
	err = f.sweep.Run(ctx, results)
	stop()
	return a.endSweep(runner.Folder, results, f, err)
}

// endSweep writes the results, or prints how to end the jobs that are left in the queue.
func (a *app) endSweep(folder *experiments.Folder, results *experiments.Results, f sweepFlags,
	err error) error {
	names := sweep.Submitted(folder.Dir)
	waiting := errors.Is(err, sweep.ErrWaiting)
	if !waiting && !errors.Is(err, context.Canceled) {
		return a.finish(folder, results, f.run.tables.wanted(results.Study), f.run.json, err)
	}
	if names != nil {
		const text = "contend: jobs are left in the queue; the same command goes on with what " +
			"they make; to end them: scancel -n %s\n"
		fmt.Fprintf(a.stderr, text, strings.Join(names, ","))
	}
	results.FinalError(nil)
	if e := folder.Finish(results); e != nil {
		return e
	}
	if !waiting {
		return err
	}
	done, all := results.Wanted()
	fmt.Fprintf(a.stdout, "%d of %d runs are in %s\n", done, all, folder.Dir)
	return nil
}

// completeSweep gives the sweep of some flags all else that it needs, with the threads of a run. It
// returns the function
// that ends the sweep's display.
func (a *app) completeSweep(f *sweepFlags, r *experiments.Runner, threads int) (
	stop func(), err error) {
	s := &f.sweep
	if s.Program, err = os.Executable(); err != nil {
		return nil, err
	}
	s.Header = sweep.Header{Program: fingerprint(), Threads: threads, Tables: r.Tables}
	for _, dir := range r.Traces {
		path, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		s.Header.Traces = append(s.Header.Traces, path)
	}
	f.cluster.Extra = strings.Fields(f.extra)
	s.Slurm, s.Runner, s.Wait = &f.cluster, r, !f.noWait
	s.Say = func(text string) { fmt.Fprintln(a.stderr, "contend:", input.Printable(text)) }
	show, stop := a.showRuns(!f.run.quiet)
	if show != nil {
		s.Show = func(done, planned int) { show(float64(done), planned) }
	}
	return stop, nil
}

// sweepTaskCommand returns the hidden command that each task of a job array runs.
func (a *app) sweepTaskCommand() *cobra.Command {
	var batches string
	c := &cobra.Command{
		Use: "sweep-task DIR --batches FILE", Hidden: true, Args: cobra.ExactArgs(1),
		Short: "Make the runs of a batch, that of $SLURM_ARRAY_TASK_ID",
		RunE: func(c *cobra.Command, args []string) error {
			id := os.Getenv("SLURM_ARRAY_TASK_ID")
			index, err := strconv.Atoi(id)
			if err != nil {
				return &input.Error{
					Where: "$SLURM_ARRAY_TASK_ID", Problem: fmt.Sprintf("is %q", id),
					Right: "contend sweep runs this as a task of a job array"}
			}
			workers, err := strconv.Atoi(os.Getenv("SLURM_CPUS_PER_TASK"))
			if err != nil {
				workers = 1
			}
			t := sweep.Task{Dir: args[0], Batches: batches, Index: index, Program: fingerprint(),
				Runner: experiments.Runner{Names: a.names, Workers: workers, Log: a.log}}
			known, err := experiments.ReadCalibrations(args[0], fingerprint())
			if err != nil {
				return err
			}
			failed, err := t.Make(c.Context(), func(h sweep.Header) experiments.RunFunc {
				s := sim.Simulator{TraceDirs: h.Traces, AtOnce: workers, Threads: h.Threads}
				s.Calibrations.Restore(known)
				return s.Run
			})
			if err == nil && failed > 0 {
				fmt.Fprintf(a.stderr, "contend: %d runs failed\n", failed)
				return errOutside
			}
			return err
		},
	}
	c.Flags().StringVar(&batches, "batches", "", "`FILE` that contend sweep wrote")
	return c
}
