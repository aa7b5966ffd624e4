package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/report"
	"contend/experiments/report/tables"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/written"

	"github.com/spf13/cobra"
)

// runFlags are the flags of contend run.
type runFlags struct {
	out, trace         string
	sets, axes, traces []string
	quick, json, quiet bool
	progressLines      bool
	dry, fresh         bool
	tables             tableFlags
	seed               int64
	workers            int
	taskSeconds        float64 // time of a task of a sweep; 0 for contend run
	maxTasks           int     // maximum number of tasks of a sweep; 0 for any
	seedGiven, several bool    // whether --seed is given, and more than one study
	loadsNotGiven      string  // of contend net: whose loads those are that no flag gives; or ""
}

// runCommand returns the command contend run.
func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run STUDY...",
		Short: "Run studies, by name or by the path of a TOML file",
		Long: "Run studies: built-in ones by name, others by the path of a TOML file.\n\n" +
			"Results go to the output folder, a table to standard output. A folder that has results\n" +
			"already is resumed: runs that this program has finished are not repeated, and more\n" +
			"replications, and more values of an axis beside some that it has, are added. A folder of\n" +
			"another study, of this one with other keys, or of another build of the program, identified\n" +
			"by its commit or by the hash of its bytes, is refused; --fresh starts it anew.\n" +
			"The same study gives the same bytes at any number of workers.\n\n" +
			"--dry-run prints the number of points and runs, how many runs the folder has, and an\n" +
			"estimate of the time for the others from short probes of some points. It writes nothing.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, studies []string) error {
			if f.quiet && f.progressLines {
				return &input.Error{Where: "--progress-lines", Problem: "--no-progress shows none",
					Right: "leave one of them out"}
			}
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
	c.Flags().BoolVar(&f.progressLines, "progress-lines", false, "write progress to standard error "+
		"as lines such as \"progress: 12.50 of 64 runs\", for programs that show it")
	forceFlag(c.Flags(), &a.force)
	return c
}

// define adds the flags.
func (f *runFlags) define(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVarP(&f.out, "out", "o", "", "output folder, or with several studies the folder "+
		"above theirs (default out/NAME)")
	flags.BoolVar(&f.quick, "quick", false, "run the small version of the study: seconds, not minutes")
	setFlag(flags, &f.sets, "set a key at all points")
	flags.StringArrayVar(&f.axes, "axis", nil, "replace or add an axis; may be repeated: `KEY=V1,V2`")
	flags.StringVar(&f.trace, "trace", "", "use the log `FILE` in place of the log of the study")
	flags.StringArrayVar(&f.traces, "traces", nil, "folder to look for logs in, `DIR`; may be "+
		"repeated (default $CONTEND_TRACES, ./traces, ../shared/traces)")
	flags.Int64Var(&f.seed, "seed", 1, "seed of all random streams (runs.seed)")
	workersFlag(flags, &f.workers)
	f.tables.define(flags)
	quietFlag(flags, &f.quiet)
	flags.BoolVar(&f.json, "json", false, "print the summary as JSON instead of the table")
	flags.BoolVar(&f.dry, "dry-run", false, "print points, runs and an estimate of the time; write "+
		"nothing")
	freshFlag(flags, &f.fresh)
}

// loadStudy reads a study and applies the flags: first the small version, then the keys
// that the user sets.
func (a *app) loadStudy(name string, f runFlags) (*study.Study, error) {
	a.reads = append(a.reads, name)
	st, err := study.LoadForFlags(name, a.names)
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
	// The variants that remain say which keys --set may set.
	variants, others := []string{}, []string{}
	for _, s := range f.axes {
		if strings.HasPrefix(s, "variant=") {
			variants = append(variants, s)
		} else {
			others = append(others, s)
		}
	}
	if err := a.setAxes(st, variants); err != nil {
		return err
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
	if err := a.setAxes(st, others); err != nil {
		return err
	}
	return a.fitFigures(st)
}

// setAxes gives a study the axes of --axis.
func (a *app) setAxes(st *study.Study, axes []string) error {
	for _, s := range axes {
		key, values, err := assignment("--axis", s)
		if err == nil {
			err = st.SetAxis(key, values)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fitFigures gives figures panels for the axes that flags added to a study, and checks the study.
func (a *app) fitFigures(st *study.Study) error {
	a.notes(st.SplitFigures())
	return st.Check()
}

// runStudy runs a study, given by name or file, into the folder that the flags choose.
func (a *app) runStudy(ctx context.Context, name string, f runFlags) error {
	reserved := make([]byte, seldomCollected)
	defer runtime.KeepAlive(reserved)
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
	progress, stop := a.runProgress(!f.quiet, f.progressLines)
	runner.Progress = progress
	if !st.Ends() { // else the number of runs is not known
		runner.OnForecast = a.printForecast
	}
	results, err := runner.Study(ctx, st)
	stop()
	if results == nil {
		return err
	}
	a.warnUnshown(results)
	a.notes(saturatedNotes(results, f.loadsNotGiven))
	if late := linkNotes(results); late != nil {
		a.notes(late)
		notes, readErr := runner.Folder.Notes()
		if notes = slices.DeleteFunc(notes, func(n string) bool { return n == late[0] }); readErr == nil {
			readErr = runner.Folder.WriteNotes(append(notes, late...))
		}
		err = cmp.Or(err, readErr)
	}
	err = cmp.Or(err, runner.Folder.WriteCalibrations(runner.Calibrations.List()))
	return a.finish(runner.Folder, results, f.tables.wanted(st), f.json, err)
}

// prepare checks a study, opens its folder and returns the runner of the study. With --dry-run it
// makes the dry run and returns no runner.
func (a *app) prepare(ctx context.Context, st *study.Study, dir string, f runFlags,
) (*experiments.Runner, error) {
	traces := traceFolders(f.traces)
	if err := a.pin(st, traces); err != nil {
		return nil, err
	}
	workers := cmp.Or(f.workers, max(1, runtime.NumCPU()/st.Runs.Threads))
	simulator := &sim.Simulator{TraceDirs: traces, AtOnce: workers, Threads: st.Runs.Threads}
	if !f.fresh {
		known, err := experiments.ReadCalibrations(dir, fingerprint())
		if err != nil {
			return nil, err
		}
		simulator.Calibrations.Restore(known)
	}
	if f.dry {
		simulator.Calibrations.Budget = dryCalibration
	}
	stop := a.showCalibrations(&simulator.Calibrations, !f.quiet)
	notes, err := a.checkPoints(ctx, simulator, st, &f.tables,
		func() error { return a.checkFolder(dir, st, f) })
	stop()
	if err != nil {
		return nil, err
	}
	runner := &experiments.Runner{Names: a.names, Run: simulator.Run, Workers: workers,
		Traces: traces, Tables: f.tables.wanted(st), Log: a.log,
		Calibrations: &simulator.Calibrations}
	if f.dry {
		return nil, a.dryRun(ctx, st, dir, runner, f)
	}
	if a.force {
		a.reads = append(a.reads, st.Files(traces)...)
	}
	folder, err := a.openFolder(dir, st, f.fresh)
	if err != nil {
		return nil, err
	}
	runner.Folder = folder
	if err := folder.WriteCalibrations(simulator.Calibrations.List()); err != nil {
		return nil, err
	}
	if err := folder.WriteNotes(notes); err != nil {
		return nil, err
	}
	return runner, nil
}

// checkFolder returns the error of a folder that cannot hold the runs of a study, as openFolder
// does once jobs have been measured, and writes nothing.
func (a *app) checkFolder(dir string, st *study.Study, f runFlags) error {
	if !f.dry {
		out := written.In(dir)
		out.Force = a.force
		if err := experiments.RefuseForeign(out); err != nil {
			return err
		}
	}
	if f.fresh {
		return nil
	}
	_, err := experiments.PeekFolder(dir, st, fingerprint(), a.names)
	return err
}

// dryCalibration is the processor time after which a dry run ends a calibration and expects the
// rest from what it has.
const dryCalibration = time.Second

// seldomCollected is the number of bytes of address space that a command reserves and never
// touches: they take no memory. The garbage collector counts them as live and so runs less often.
// Short runs make garbage quickly, and each collection marks all points and results of the study,
// which takes a tenth of the time of a sweep without these bytes.
const seldomCollected = 64 << 20

// finish writes the files of a folder and prints the table of the results. It returns err, which
// ended the runs, or else its own first error.
func (a *app) finish(folder *experiments.Folder, results *experiments.Results,
	rows experiments.Tables, json bool, err error) error {
	keep := func(e error) {
		if err == nil {
			err = e
		}
	}
	keep(folder.Finish(results))
	if errors.Is(err, context.Canceled) {
		if !json && !results.Empty() {
			fmt.Fprintln(a.stdout, tables.Terminal(results))
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
	keep(a.writeFiles(folder, results, rows))
	if json {
		keep(tables.WriteJSON(results, a.stdout))
		return err
	}
	fmt.Fprintf(a.stdout, "%s\nResults are in %s\ncontend report %[2]s makes a page of them\n",
		tables.Terminal(results), folder.Dir)
	return err
}

// writeFiles writes the files of a folder, and reports those that it removed because they were of
// other runs.
func (a *app) writeFiles(folder *experiments.Folder, results *experiments.Results,
	rows experiments.Tables) error {
	removed, err := report.WriteFiles(folder, results, rows)
	for _, name := range removed {
		fmt.Fprintf(a.stderr, "contend: %s was of other runs and is removed; contend run with %s "+
			"writes it for these\n", filepath.Join(folder.Dir, name), report.FlagOf(name))
	}
	return err
}

// checkPoints checks every point of a study and what its runs record before anything runs or is
// written. It prints and returns the notes on how a log became messages and cycles. It leaves a
// missing log to the runner, which runs the other points. Before it measures the jobs of any point
// it calls ready, and returns its error.
func (a *app) checkPoints(ctx context.Context, s *sim.Simulator, st *study.Study,
	tables *tableFlags, ready func() error,
) (all []string, err error) {
	points, err := st.Points()
	if err != nil {
		return nil, st.Place(err, nil)
	}
	if err := tables.check(st, points); err != nil {
		return nil, err
	}
	if err := a.programs.allowAll(points); err != nil {
		return nil, err
	}
	records := tables.wanted(st).Records(st)
	if err := roomForRuns(s, points, st.Runs.Replications); err != nil {
		return nil, err
	}
	all = st.PointNotes(points)
	a.notes(all)
	at := func(p *study.Point, err error) error {
		if len(points) == 1 {
			return st.Place(err, nil)
		}
		return st.Place(err, p.Labels)
	}
	replications := max(st.Runs.Replications, st.Runs.MaxReplications)
	for i := range points { // at first: the jobs of a point may be measured for minutes
		if err := checkPoint(ctx, s, &points[i].Spec, &records, replications); err != nil {
			return nil, at(&points[i], err)
		}
	}
	if err := ready(); err != nil {
		return nil, err
	}
	cut, escape := worstNote{have: "cut jobs"}, worstNote{have: "have such pairs"}
	for i := range points {
		p := &points[i]
		notes, err := measureJobs(ctx, s, p, &cut, &escape)
		var missing *input.MissingError
		switch {
		case errors.As(err, &missing):
			continue
		case err != nil:
			return nil, at(p, err)
		}
		notes = slices.DeleteFunc(slices.Clone(notes), func(n string) bool {
			return slices.Contains(all, n)
		})
		a.notes(notes)
		all = append(all, notes...)
	}
	for _, worst := range []*worstNote{&cut, &escape} {
		if text := worst.text(); text != "" {
			a.notes([]string{text})
			all = append(all, text)
		}
	}
	return all, nil
}

// checkPoint decodes the spec of a point and checks its runs, beginning with their memory, as far
// as no job has to be measured. It leaves a missing log to measureJobs.
func checkPoint(ctx context.Context, s *sim.Simulator, spec *config.Spec, records *metrics.Records,
	replications int,
) error {
	if err := s.Fits(spec.Memory()); err != nil {
		return err
	}
	plan, err := spec.Plan()
	var missing *input.MissingError
	switch {
	case errors.As(err, &missing):
		return nil
	case err != nil:
		return err
	}
	if err := s.CheckParts(plan); err != nil {
		return err
	}
	if err := sim.CheckJumps(plan, records); err != nil {
		return err
	}
	err = s.CheckWindows(plan, replications)
	if err == nil {
		err = s.CheckJobs(ctx, plan, replications)
	}
	if errors.As(err, &missing) {
		return nil
	}
	return err
}

// measureJobs measures and checks the jobs of a point that checkPoint has accepted, and returns
// its notes but those on jobs that are cut and on pairs of nodes that take escape paths, which it
// adds to cut and escape.
func measureJobs(ctx context.Context, s *sim.Simulator, p *study.Point, cut, escape *worstNote,
) (notes []string, err error) {
	plan, err := p.Spec.Plan()
	if err != nil {
		return nil, err
	}
	if err := s.Check(ctx, plan); err != nil {
		return nil, err
	}
	jobs, err := s.CutJobs(ctx, plan)
	if err != nil {
		return nil, err
	}
	cut.add(float64(jobs.Cut)/float64(max(1, jobs.Jobs)), jobs.Note(plan), p)
	pairs, err := s.EscapePairs(ctx, plan)
	if err != nil {
		return nil, err
	}
	escape.add(pairs.OnEscapePaths+pairs.Cut, pairs.Note(), p)
	return s.Notes(ctx, plan)
}

// worstNote makes one note of a study out of those of its points: that of the point with the largest
// share.
type worstNote struct {
	have   string // what the points of the note have
	worst  float64
	note   string
	points int // with a note
}

// add adds the note of a point, if it is not "".
func (c *worstNote) add(share float64, note string, p *study.Point) {
	if note == "" {
		return
	}
	c.points++
	if share > c.worst {
		c.worst, c.note = share, note
		if at := strings.Join(p.Labels, ", "); at != "" {
			c.note = "at " + at + ", " + c.note
		}
	}
}

// text returns the note, "" if no point has one.
func (c *worstNote) text() string {
	if c.points < 2 {
		return c.note
	}
	return fmt.Sprintf("%s (%s %s)", c.note, input.Plural(c.points, "point"), c.have)
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

// dryRun prints the expected cost of a study. It writes no file.
func (a *app) dryRun(
	ctx context.Context, st *study.Study, dir string, runner *experiments.Runner, f runFlags,
) (err error) {
	runner.Folder = experiments.NewMemory(fingerprint())
	if !f.fresh {
		runner.Folder, err = experiments.PeekFolder(dir, st, fingerprint(), a.names)
	}
	if err != nil {
		return err
	}
	forecast, err := runner.ForecastStudy(ctx, st)
	var missing *input.MissingError
	if err != nil && !errors.As(err, &missing) {
		return err
	}
	if f.taskSeconds > 0 {
		forecast.Divide(f.taskSeconds, f.maxTasks)
	}
	if !f.json {
		fmt.Fprint(a.stdout, forecast.Text())
		return err
	}
	text, e := json.MarshalIndent(forecast, "", "  ")
	if e != nil {
		return e
	}
	fmt.Fprintf(a.stdout, "%s\n", text)
	return err
}

// printForecast prints to standard error how long a study takes, if that is long or unknown.
func (a *app) printForecast(f *experiments.Forecast) {
	if f.Seconds == 0 || f.Seconds >= experiments.MinShownSeconds {
		fmt.Fprintf(a.stderr, "contend: %s\n", f)
	}
}
