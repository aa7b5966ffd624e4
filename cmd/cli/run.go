package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/report"
	"contend/experiments/report/tables"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/input"
)

// runFlags are the flags of contend run.
type runFlags struct {
	out, trace         string
	sets, axes, traces []string
	quick, json, quiet bool
	dry, fresh         bool
	tables             tableFlags
	seed               int64
	workers            int
	taskSeconds        float64 // of a sweep; 0 for contend run
	maxTasks           int
	seedGiven, several bool
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run STUDY...",
		Short: "Run studies, by name or by the path of a TOML file",
		Long: "Run studies: built-in ones by name, others by the path of a TOML file.\n\n" +
			"Results go to the output folder, a table to standard output. A folder that has results\n" +
			"already is resumed: runs that this program has finished are not repeated, and more\n" +
			"replications and values of an axis are added. A folder of another study, of this one with\n" +
			"other keys, or of another build of the program, identified by its commit or by the hash of its\n" +
			"bytes, is refused; --fresh starts it anew.\n" +
			"The same study gives the same bytes at any number of workers.\n\n" +
			"--dry-run prints the number of points and runs, how many runs the folder has, and an\n" +
			"estimate of the time for the others from short probes of some points. It writes nothing.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, studies []string) error {
			f.seedGiven, f.several = c.Flags().Changed("seed"), len(studies) > 1
			var first error
			for _, name := range studies {
				err := a.runStudy(c.Context(), name, f)
				var missing *input.MissingError
				if err != nil && !errors.As(err, &missing) {
					return err
				}
				if first == nil { // a missing log does not keep the other studies from running
					first = err
				}
			}
			return first
		},
	}
	f.define(c)
	return c
}

func (f *runFlags) define(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVarP(&f.out, "out", "o", "", "output folder, or with several studies the folder "+
		"above theirs (default out/NAME)")
	flags.BoolVar(&f.quick, "quick", false, "run the small version of the study: seconds, not minutes")
	setFlag(flags, &f.sets, "set a key at all points")
	flags.StringArrayVar(&f.axes, "axis", nil, "replace or add an axis; may be repeated: `KEY=V1,V2`")
	flags.StringVar(&f.trace, "trace", "", "use the log `FILE` in place of the log of the study")
	tracesFlag(flags, &f.traces)
	flags.Int64Var(&f.seed, "seed", 1, "seed of all random streams (runs.seed)")
	defineWorkers(flags, &f.workers, "runs at the same time")
	f.tables.define(flags)
	quietFlag(flags, &f.quiet)
	jsonFlag(flags, &f.json)
	flags.BoolVar(&f.dry, "dry-run", false, "print points, runs and an estimate of the time; write "+
		"nothing")
	freshFlag(flags, &f.fresh)
}

// loadStudy reads a study and applies the flags: first the small version, then the keys
// that the user sets.
func (a *app) loadStudy(name string, f runFlags) (*study.Study, error) {
	st, err := study.Load(name, a.names)
	if err != nil {
		return nil, err
	}
	if f.quick {
		if err := st.UseQuick(); err != nil {
			return nil, err
		}
	}
	return st, a.change(st, f)
}

// change applies the flags that set keys of a study.
func (a *app) change(st *study.Study, f runFlags) error {
	if f.trace != "" {
		if err := st.UseTrace(f.trace); err != nil {
			return err
		}
	}
	if err := a.setAll(st, f.sets, nil); err != nil {
		return err
	}
	if f.seedGiven {
		seed := fmt.Sprint(f.seed)
		if err := st.SetBy("--seed "+seed, "runs.seed", seed); err != nil {
			return err
		}
	}
	if err := a.setAxes(st, f.axes); err != nil {
		return err
	}
	return a.fitFigures(st)
}

// setAxes gives a study the axes of --axis.
func (a *app) setAxes(st *study.Study, axes []string) error {
	for _, s := range axes {
		if err := assignment("--axis", s, func(key, values string) error {
			return st.SetAxis(key, values)
		}); err != nil {
			return err
		}
	}
	return nil
}

// fitFigures gives figures panels for the axes that a study was given, and tests the study.
func (a *app) fitFigures(st *study.Study) error {
	a.notes(st.SplitFigures())
	return st.Check()
}

func (a *app) runStudy(ctx context.Context, name string, f runFlags) error {
	idle := make([]byte, seldomCollected)
	defer runtime.KeepAlive(idle)
	st, err := a.loadStudy(name, f)
	if err != nil {
		return err
	}
	dir := filepath.Join("out", st.Name)
	if f.out != "" {
		dir = f.out
		if f.several {
			dir = filepath.Join(f.out, st.Name)
		}
	}
	return a.runLoaded(ctx, st, dir, f)
}

// runLoaded makes the runs of a study into a folder and prints its table.
func (a *app) runLoaded(ctx context.Context, st *study.Study, dir string, f runFlags) error {
	runner, err := a.prepare(ctx, st, dir, f)
	if runner == nil {
		return err
	}
	progress, stop := a.runProgress(!f.quiet)
	runner.Progress = progress
	if !st.Ends() { // or nobody knows how many runs there will be
		runner.Foretold = a.foretold
	}
	results, err := runner.Study(ctx, st)
	stop()
	if results == nil {
		return err
	}
	a.warnUnshown(results)
	return a.finish(runner.Folder, results, f.tables.wanted(), f.json, err)
}

// prepare checks a study and opens its folder. It returns no runner if that fails, or if the
// user asked for a dry run, which it makes.
func (a *app) prepare(ctx context.Context, st *study.Study, dir string, f runFlags,
) (*experiments.Runner, error) {
	traces := traceFolders(f.traces)
	if err := a.pin(st, traces); err != nil {
		return nil, err
	}
	simulator := &sim.Simulator{TraceDirs: traces, AtOnce: f.workers}
	notes, err := a.checkPoints(simulator, st, f.tables.wanted().Records(st))
	if err != nil {
		return nil, err
	}
	runner := &experiments.Runner{Names: a.names, Run: simulator.Run, Workers: f.workers,
		Traces: traces, Tables: f.tables.wanted(), Log: a.log}
	if f.dry {
		return nil, a.dryRun(ctx, st, dir, runner, f)
	}
	folder, err := a.openFolder(dir, st, f.fresh)
	if err != nil {
		return nil, err
	}
	runner.Folder = folder
	return runner, folder.WriteNotes(notes)
}

// seldomCollected bytes of address space are set aside while a command runs and never touched, so
// they take no memory. The collector takes them for live and begins when as much garbage has
// come together. Short runs make garbage quickly, and each collection marks all points and
// results of the study: a tenth of the time of a sweep without these bytes.
const seldomCollected = 64 << 20

// finish writes what is made of the results and prints the table. err is what
// ended the runs.
func (a *app) finish(folder *experiments.Folder, results *experiments.Results,
	rows experiments.Tables, json bool, err error) error {
	if e := folder.Finish(results); err == nil {
		err = e
	}
	if errors.Is(err, context.Canceled) {
		if !json && !results.Empty() {
			fmt.Fprintln(a.stdout, tables.Markdown(results))
		}
		done, all := results.Wanted()
		fmt.Fprintf(a.stderr, "contend: %d of %d runs are done and kept in %s; "+
			"the same command resumes\n", done, all, folder.Dir)
		return err
	}
	if err != nil && results.Empty() {
		fmt.Fprintf(a.stderr, "contend: no run of %s has finished: there is no table\n",
			results.Study.Name)
		return err
	}
	if e := a.writeFiles(folder, results, rows); err == nil {
		err = e
	}
	if json {
		if e := tables.WriteJSON(results, a.stdout); err == nil {
			err = e
		}
		return err
	}
	fmt.Fprintf(a.stdout, "%s\nResults are in %s\ncontend report %[2]s makes a page of them\n",
		tables.Markdown(results), folder.Dir)
	return err
}

// writeFiles writes the files of a folder, and says which of them were of other runs.
func (a *app) writeFiles(folder *experiments.Folder, results *experiments.Results,
	rows experiments.Tables) error {
	removed, err := report.WriteFiles(folder, results, rows)
	for _, name := range removed {
		fmt.Fprintf(a.stderr, "contend: %s was of other runs and is removed; contend run with %s "+
			"writes it for these\n", filepath.Join(folder.Dir, name), report.FlagOf(name))
	}
	return err
}

// checkPoints checks every point of a study and what its runs record before it runs or writes
// anything, and says how a log became messages and cycles, in notes that it also returns. It
// leaves a missing log to the runner, which runs the other points.
func (a *app) checkPoints(s *sim.Simulator, st *study.Study, records metrics.Records,
) (all []string, err error) {
	points, err := st.Points()
	if err != nil {
		return nil, st.Place(err, nil)
	}
	if err := roomForRuns(s, points, st.Runs.Replications); err != nil {
		return nil, err
	}
	all = st.PointNotes(points)
	a.notes(all)
	for i := range points {
		p := &points[i]
		plan, err := checkedPlan(s, &p.Spec)
		if err == nil {
			err = s.CheckWindows(plan, max(st.Runs.Replications, st.Runs.MaxReplications))
		}
		if err == nil {
			err = sim.CheckJumps(plan, &records)
		}
		var missing *input.MissingError
		if errors.As(err, &missing) {
			continue
		}
		var notes []string
		if err == nil {
			notes, err = s.Notes(plan)
		}
		if err != nil {
			var labels []string
			if len(points) > 1 {
				labels = p.Labels
			}
			return nil, st.Place(err, labels)
		}
		notes = slices.DeleteFunc(slices.Clone(notes), func(n string) bool {
			return slices.Contains(all, n)
		})
		a.notes(notes)
		all = append(all, notes...)
	}
	return all, nil
}

// roomForRuns returns an error if the results of all runs need more memory than is available.
func roomForRuns(s *sim.Simulator, points []study.Point, replications int) error {
	runs := 0.0
	for i := range points {
		if points[i].Once {
			runs++
		} else {
			runs += float64(replications)
		}
	}
	return s.Room(fmt.Sprintf("%.0f runs need", runs), runs*experiments.BytesRun,
		fmt.Sprintf("give a smaller %s, or fewer points", config.FieldReplications))
}

// checkedPlan decodes a spec and checks its runs, beginning with their memory.
func checkedPlan(s *sim.Simulator, from *config.Spec) (*config.Plan, error) {
	if err := s.Fits(from.Memory()); err != nil {
		return nil, err
	}
	plan, err := from.Plan()
	if err != nil {
		return nil, err
	}
	return plan, s.Check(plan)
}
