package sim

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/internal/input"
	"contend/internal/must"
)

// written writes a file into a folder of the test.
func written(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Have(0, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// specWith returns the default spec with keys set.
func specWith(t testing.TB, keys map[string]any) config.Spec {
	t.Helper()
	return specIn(t, config.Builtin(), keys)
}

// specIn returns the default spec with keys set to names of a registry.
func specIn(t testing.TB, r *config.Registry, keys map[string]any) config.Spec {
	t.Helper()
	s := config.Defaults()
	s.Spec.Registry = r
	for _, path := range config.InOrder(keys) {
		if err := s.Assign(path, keys[path]); err != nil {
			t.Fatal(err)
		}
	}
	return s.Spec
}

// allocatorOf returns the call of an allocator with all its parameters.
func allocatorOf(text string) string {
	a, err := config.Builtin().CanonicalAllocator(text)
	if err != nil {
		panic(err)
	}
	return a
}

// treeLog returns the spec of a log of a few jobs on a tree of 64 nodes.
func treeLog(t *testing.T, lines ...string) config.Spec {
	t.Helper()
	s := configtest.Tree()
	s.Allocator = config.DefaultSpec().Allocator
	s.Allocator = "contiguous"
	s.Workload.Source, s.Workload.Jobs = "swf", 0
	s.Workload.Trace = written(t, "log.swf", strings.Join(lines, "\n")+"\n")
	s.Job.Order = "rotated"
	s.Job.Quota = config.QuotaSpec{Distribution: "fixed", PerSecond: input.Automatic}
	return s
}

// mustRun runs a replication of a spec.
func mustRun(t *testing.T, s config.Spec, replication int) *metrics.Result {
	t.Helper()
	return configtest.MustRun(t, new(Simulator).Run, s, replication)
}

// runOf checks a spec, runs it once, and returns its metrics.
func runOf(t testing.TB, s config.Spec) map[string]float64 {
	t.Helper()
	return runWith(t, s, &Extra{})
}

// rowsOf checks a spec, runs it once, and returns its metrics and the requested rows.
func rowsOf(t testing.TB, s config.Spec, request metrics.Records) (map[string]float64, *Extra) {
	t.Helper()
	x := &Extra{Records: request}
	return runWith(t, s, x), x
}

// runWith checks a spec, runs it once with what x requests, and returns its metrics.
func runWith(t testing.TB, s config.Spec, x *Extra) map[string]float64 {
	t.Helper()
	sim := new(Simulator)
	must.Have(0, configtest.Check(sim, s))
	r := must.Have(configtest.Run(context.Background(), sim.Run, s, 0, x))
	m := map[string]float64{}
	for _, v := range r.Metrics {
		m[v.Name] = v.Value
	}
	return m
}

// texts returns the rows of a table as CSV has them.
func texts(x *Extra, of *metrics.RowTable) [][]string {
	return configtest.Texts(of.Rows(&x.Records))
}

// withJobs requests the rows of jobs.
var withJobs = metrics.Records{Jobs: true}

// column returns a column of rows as numbers. An empty cell is NaN.
func column(t *testing.T, columns []string, rows [][]string, name string) (values []float64) {
	t.Helper()
	i := slices.Index(columns, name)
	for _, row := range rows {
		x := math.NaN()
		if row[i] != "" {
			x = must.Have(strconv.ParseFloat(row[i], 64))
		}
		values = append(values, x)
	}
	return values
}

// jobColumn returns a column of the rows of jobs.
func jobColumn(t *testing.T, x *Extra, name string) []float64 {
	t.Helper()
	return column(t, metrics.JobTable.Names(), texts(x, metrics.JobTable), name)
}

// meanOfCounted returns the mean of a column over the rows of jobs that count.
func meanOfCounted(t *testing.T, x *Extra, name string) float64 {
	t.Helper()
	var m metrics.Mean
	counts := cells(t, metrics.JobTable, texts(x, metrics.JobTable), "counts")
	for i, v := range jobColumn(t, x, name) {
		if counts[i] == "true" {
			m.Add(v)
		}
	}
	return m.Value()
}

func contains(err error, want string) bool {
	return err != nil && strings.Contains(err.Error(), want)
}

// mustRefuse fails a test unless the check of a spec refuses it with a text.
func mustRefuse(t *testing.T, s config.Spec, want string) {
	t.Helper()
	if err := configtest.Check(new(Simulator), s); !contains(err, want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// checkNotes looks for texts in the notes of a run.
func checkNotes(t *testing.T, s config.Spec, want ...string) {
	t.Helper()
	notes := must.Have(new(Simulator).Notes(t.Context(), configtest.Plan(t, s)))
	for _, w := range want {
		if all := strings.Join(notes, "\n"); !strings.Contains(all, w) {
			t.Errorf("the notes lack %q:\n%s", w, all)
		}
	}
}
