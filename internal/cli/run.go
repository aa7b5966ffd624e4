package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/report"
	"contend/experiments/report/figures"
	"contend/experiments/report/tables"
	"contend/experiments/spec"

	"github.com/spf13/cobra"
)

// runFlags are the flags of contend run.
type runFlags struct {
	out, trace, engine string
	sets, axes, traces []string
	quick, json, quiet bool
	dry, fresh         bool
	tables             tableFlags
	seed               int64
	workers            int
	seedGiven, several bool
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run STUDY...",
		Short: "Run studies, by name or by the path of a TOML file",
		Long: "Run studies: built-in ones by name, others by the path of a TOML file.\n\n" +
			"Results go to the output folder, a table to standard output. A folder that has results\n" +
			"already is resumed: runs that this program has finished are not repeated. A folder of\n" +
			"another study, or of another build of the program, identified by its commit or by the hash of its\n" +
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
				var missing *spec.MissingError
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
	flags.StringArrayVar(&f.sets, "set", nil, "set a key at all points; may be repeated: `KEY=VALUE`")
	flags.StringArrayVar(&f.axes, "axis", nil, "replace or add an axis; may be repeated: `KEY=V1,V2`")
	flags.StringVar(&f.trace, "trace", "", "use the log `FILE` in place of the log of the study")
	traceFlag(flags.StringArrayVar, &f.traces)
	flags.StringVar(&f.engine, "engine", "", "how flits are moved: auto, cycle or worm")
	flags.Int64Var(&f.seed, "seed", 1, "seed of all random streams (runs.seed)")
	defineWorkers(flags, &f.workers, "runs at the same time")
	f.tables.define(flags)
	flags.BoolVar(&f.quiet, "no-progress", false, "show no progress bar, even on a terminal")
	flags.BoolVar(&f.json, "json", false, "print the summary as JSON instead of the table")
	flags.BoolVar(&f.dry, "dry-run", false, "print points, runs and an estimate of the time; write "+
		"nothing")
	freshFlag(flags.BoolVar, &f.fresh)
}

func traceFlag(define func(*[]string, string, []string, string), to *[]string) {
	define(to, "traces", nil, "folder to look for logs in, `DIR`; may be repeated "+
		"(default $CONTEND_TRACES, ./traces, ../shared/traces)")
}

// traceFolders returns the folders to look for logs in.
func traceFolders(given []string) []string {
	if len(given) > 0 {
		return given
	}
	folders := []string{"traces", filepath.Join("..", "shared", "traces")}
	if dir := os.Getenv("CONTEND_TRACES"); dir != "" {
		folders = append([]string{dir}, folders...)
	}
	return folders
}

// loadStudy reads a study and applies the flags: first the small version, then the keys
// that the user sets.
func (a *app) loadStudy(name string, f runFlags) (*experiments.Study, error) {
	st, err := experiments.LoadStudy(name, a.names)
	if err != nil {
		return nil, err
	}
	if f.quick {
		if err := st.UseQuick(a.names); err != nil {
			return nil, err
		}
	}
	return st, a.change(st, f)
}

// change applies the flags that set keys of a study.
func (a *app) change(st *experiments.Study, f runFlags) error {
	if err := f.clash(); err != nil {
		return err
	}
	sets := f.sets
	if f.trace != "" {
		if err := st.UseTrace(f.trace, a.names); err != nil {
			return err
		}
	}
	if f.engine != "" {
		sets = append(sets[:len(sets):len(sets)], "network.engine="+f.engine)
	}
	if f.seedGiven {
		sets = append(sets[:len(sets):len(sets)], fmt.Sprint("runs.seed=", f.seed))
	}
	for _, s := range sets {
		if err := assignment("--set", s, a.setOf(st)); err != nil {
			return err
		}
	}
	for _, s := range f.axes {
		if err := assignment("--axis", s, func(key, values string) error {
			return st.SetAxis(key, values, a.names)
		}); err != nil {
			return err
		}
	}
	return a.fitFigures(st)
}

// fitFigures gives figures panels for the axes that a study was given, and tests the study.
func (a *app) fitFigures(st *experiments.Study) error {
	for _, note := range st.SplitFigures(a.names) {
		fmt.Fprintln(a.stderr, "contend:", note)
	}
	return st.Check(a.names)
}

// setOf returns the function that sets keys of a study.
func (a *app) setOf(st *experiments.Study) func(key, value string) error {
	return func(key, value string) error { return st.Set(key, value, a.names) }
}

// assignment splits KEY=VALUE.
func assignment(flag, text string, use func(key, value string) error) error {
	key, value, ok := strings.Cut(text, "=")
	if !ok {
		return &spec.InputError{Where: flag + " " + text, Problem: "there is no =",
			Right: "give KEY=VALUE"}
	}
	return use(strings.TrimSpace(key), strings.TrimSpace(value))
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
func (a *app) runLoaded(ctx context.Context, st *experiments.Study, dir string, f runFlags) error {
	traces := traceFolders(f.traces)
	if err := a.pin(st, traces); err != nil {
		return err
	}
	simulator := &cosim.Simulator{TraceDirs: traces, AtOnce: f.workers}
	if err := a.checkPoints(simulator, st); err != nil {
		return err
	}
	if f.dry {
		return a.dryRun(ctx, st, dir, simulator, f)
	}
	folder, err := a.openFolder(dir, st, f.fresh)
	if err != nil {
		return err
	}
	progress, stop := a.runProgress(!f.quiet)
	runner := experiments.Runner{
		Names: a.names, Run: simulator.Run, Workers: f.workers, Folder: folder, Traces: traces,
		Tables: f.tables.wanted(), Progress: progress, Log: a.log,
		Simulator: simulator, Foretold: a.foretold,
	}
	results, err := runner.Study(ctx, st)
	stop()
	if results == nil {
		return err
	}
	return a.finish(folder, results, f, err)
}

// seldomCollected bytes of address space are set aside while a command runs and never touched, so
// they take no memory. The collector takes them for live and begins when as much garbage has
// come together. Short runs make garbage quickly, and each collection marks all points and
// results of the study: a tenth of the time of a sweep without these bytes.
const seldomCollected = 64 << 20

// finish writes what is made of the results and prints the table. err is what
// ended the runs.
func (a *app) finish(folder *experiments.Folder, results *experiments.Results, f runFlags,
	err error) error {
	if e := folder.Finish(results); err == nil {
		err = e
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(a.stderr, "contend: finished runs are kept in %s; the same command resumes\n",
			folder.Dir)
		return err
	}
	if err != nil && results.Empty() {
		fmt.Fprintf(a.stderr, "contend: no run of %s has finished: there is no table\n",
			results.Study.Name)
		return err
	}
	if e := a.writeFiles(folder, results, f.tables.wanted()); err == nil {
		err = e
	}
	if f.json {
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
	removed, err := report.WriteFiles(folder, results, a.names, rows)
	for _, name := range removed {
		fmt.Fprintf(a.stderr, "contend: %s was of other runs and is removed; contend run with %s "+
			"writes it for these\n", filepath.Join(folder.Dir, name), figures.FlagOf(name))
	}
	return err
}

// checkPoints checks every point of a study before it runs or writes anything, and says
// how a log became messages and cycles. It leaves a missing log to the runner, which
// runs the other points.
func (a *app) checkPoints(s *cosim.Simulator, st *experiments.Study) error {
	points, err := st.Points(a.names)
	if err != nil {
		return err
	}
	said := map[string]bool{}
	for _, n := range st.PointNotes(points) {
		fmt.Fprintln(a.stderr, "contend:", n)
	}
	notes := make([][]string, len(points))
	err = experiments.EachPoint(points, func(i int, p *experiments.Point) error {
		var missing *spec.MissingError
		plan, err := checkedPlan(s, &p.Spec)
		if err == nil {
			err = s.CheckWindows(plan, max(st.Runs.Replications, st.Runs.MaxReplications))
		}
		if errors.As(err, &missing) {
			return nil
		}
		var input *spec.InputError
		if errors.As(err, &input) && len(points) > 1 && input.Where == "" {
			input.Where = "at " + strings.Join(p.Labels, ", ")
		}
		if err == nil {
			notes[i], err = s.Notes(plan)
		}
		return err
	})
	for _, n := range slices.Concat(notes...) {
		if !said[n] {
			fmt.Fprintln(a.stderr, "contend:", n)
			said[n] = true
		}
	}
	return err
}

// checkedPlan decodes a spec and checks its runs, beginning with their memory.
func checkedPlan(s *cosim.Simulator, from *spec.Spec) (*spec.Plan, error) {
	if err := s.Fits(from.Memory()); err != nil {
		return nil, err
	}
	plan, err := from.Plan()
	if err != nil {
		return nil, err
	}
	return plan, s.Check(plan)
}
