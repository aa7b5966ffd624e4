// Package configtest has small specs and studies, and checks of errors and files for
// the tests of several packages. Of this module it imports config and internal packages alone, so
// that tests inside any package above config can use it.
package configtest

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/internal/input"
	"contend/internal/must"
	"contend/internal/table"
)

// Tree returns the spec of jobs on a tree of 64 nodes: 4-ary, of 3 levels.
func Tree() config.Spec {
	s := config.DefaultSpec()
	s.Machine.Topology, s.Machine.Arity, s.Machine.Levels = "tree", 4, 3
	s.Allocator = "random"
	return s
}

// Net returns the spec of a mesh under messages of a length in flits.
func Net(flits int, dims ...int) config.Spec {
	s := config.DefaultSpec()
	s.Machine.Dims, s.Job.Flits = dims, flits
	return s
}

// Traffic returns the spec of a 4x4 mesh under traffic of a tenth of its capacity.
func Traffic() config.Spec {
	s := config.DefaultSpec()
	s.Machine.Dims, s.Workload.Source, s.Workload.TrafficLoad = []int{4, 4}, "traffic", 0.1
	return s
}

// Crowded returns the spec of 400 jobs of 1 to 64 processors that wait for one another
// on 8x8.
func Crowded(t testing.TB, allocator string) config.Spec {
	t.Helper()
	s := config.DefaultSpec()
	s.Machine.Dims = []int{8, 8}
	s.Workload.Jobs, s.Workload.Interarrival.Mean = 400, 0.3
	s.Job.Run = "fixed"
	a, err := config.Builtin().CanonicalAllocator(allocator)
	if err != nil {
		t.Fatal(err)
	}
	s.Allocator = a
	return s
}

// Machine builds a machine from its text.
func Machine(t testing.TB, text string) config.Machine {
	t.Helper()
	keys, problem := config.Builtin().MachineKeys(text)
	if problem != nil {
		t.Fatal(problem)
	}
	s := config.Defaults()
	for _, path := range input.SortedKeys(keys) {
		if err := s.Assign(path, keys[path]); err != nil {
			t.Fatal(err)
		}
	}
	m, err := config.NewMachine(&s.Spec.Machine)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Plan decodes a spec that has to be right.
func Plan(t testing.TB, s config.Spec) *config.Plan {
	t.Helper()
	p, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Run decodes a spec and runs a replication of it with run, which is a simulator's method
// Run.
func Run[Result, Extra any](ctx context.Context,
	run func(context.Context, *config.Plan, int, *Extra) (Result, error),
	s config.Spec, replication int, extra *Extra) (r Result, err error) {
	plan, err := s.Plan()
	if err != nil {
		return r, err
	}
	return run(ctx, plan, replication, extra)
}

// MustRun decodes a spec and runs a replication of it with run, neither of which may fail.
func MustRun[Result, Extra any](t testing.TB,
	run func(context.Context, *config.Plan, int, *Extra) (Result, error),
	s config.Spec, replication int) *Result {
	t.Helper()
	r, err := Run(context.Background(), run, s, replication, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

// A Simulator checks whether it can run a plan.
type Simulator interface {
	Fits(bytes int64) error
	Check(context.Context, *config.Plan) error
}

// Check checks a spec as the points of a study are checked.
func Check(sim Simulator, s config.Spec) error {
	if err := sim.Fits(s.Memory()); err != nil {
		return err
	}
	plan, err := s.Plan()
	if err != nil {
		return err
	}
	return sim.Check(context.Background(), plan)
}

// MustBeInput fails a test unless an error is bad input, in one line of printable text.
func MustBeInput(t testing.TB, err error) {
	t.Helper()
	var bad *input.Error
	if !errors.As(err, &bad) || err.Error() == "" || strings.ContainsAny(err.Error(),
		"\n\r\x1b\x00") {
		t.Fatalf("%T: %q", err, err)
	}
}

// Value returns a metric of a result, which has to have it.
func Value(t testing.TB, result interface {
	Value(metric string) (float64, bool)
}, metric string) float64 {
	t.Helper()
	v, ok := result.Value(metric)
	if !ok {
		t.Fatalf("there is no %s in %v", metric, result)
	}
	return v
}

// Texts returns rows as CSV has them.
func Texts(rows table.Rows) (list [][]string) {
	rows(func(cells ...table.Value) error {
		row := make([]string, len(cells))
		for i, c := range cells {
			row[i] = c.String()
		}
		list = append(list, row)
		return nil
	})
	return list
}

// Rows returns rows as numbers by column. A cell that is no number is 0.
func Rows(columns []table.Column, rows table.Rows) (numbers []map[string]float64) {
	rows(func(cells ...table.Value) error {
		fields := map[string]float64{}
		for i, c := range columns {
			if x := cells[i].Float(); !math.IsNaN(x) {
				fields[c.Name] = x
			}
		}
		numbers = append(numbers, fields)
		return nil
	})
	return numbers
}

// SWFLine returns a line of a log for a job with these fields: its number, the second of
// its submission, its run time in seconds and its processors.
func SWFLine(id, submit, run, size string) string {
	return strings.Join([]string{id, submit, "0", run, size, "-1", "-1", size, run, "-1",
		"1 1 1 1 1 1 -1 -1"}, " ")
}

// ReadTree returns the files below a folder by their paths, which begin with a slash.
func ReadTree(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[filepath.ToSlash(strings.TrimPrefix(path, dir))] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Mix returns a mix of patterns, and panics if the text is none.
func Mix(text string) config.Mix { return must.Have(config.ParseMix(text)) }

// Placement returns where jobs that run together lie, and panics if the text says nothing.
func Placement(text string) config.Placement { return must.Have(config.ParsePlacement(text)) }

// Rules returns rules that give jobs of a log patterns, and panics if a text is none.
func Rules(texts ...string) (rules []config.Rule) {
	for _, text := range texts {
		rules = append(rules, must.Have(config.ParseRule(text)))
	}
	return rules
}
