package experiments

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/cosim"
	"contend/experiments/spec"
)

const compareStudy = `
name = "compare"
[runs]
replications = 2
[[axes]]
key = "job.pattern"
values = ["ring", "fft"]
[[axes]]
key = "allocator"
values = ["mbs", "random", "paging:1"]
[table]
metrics = ["finish_time"]
[published]
csv = """
# a remark
allocator,job.pattern,finish_time,utilization
mbs,ring,100,50
random,ring,200,50
paging:1,ring,300,50
mbs,fft,100,
random,fft,400,
"""
[[tolerances]]
rule = "ratio"
metric = "finish_time"
within = 0.1
at_least = 4
[[tolerances]]
rule = "ratio"
metric = "finish_time"
relative_to = "mbs"
within = 0.1
[[tolerances]]
rule = "difference"
metric = "utilization"
within = 4.0
where = { "job.pattern" = "ring" }
[[tolerances]]
rule = "order"
metric = "finish_time"
tau = 0.7
`

// crowded is a run of 400 jobs of 1 to 64 processors that wait for one another
// on 8x8.
func crowded(allocator string) spec.Spec {
	s := spec.DefaultSpec()
	s.Machine.Dims = []int{8, 8}
	s.Workload.Jobs, s.Workload.Interarrival.Mean = 400, 0.3
	s.Job.Run = "fixed"
	a, err := spec.ParseAllocator(allocator, spec.BuiltinNames())
	if err != nil {
		panic(err)
	}
	s.Allocator = a
	return s
}

// testNames are small name tables, so that these tests do not depend on who
// implements the names.
func testNames() spec.Names {
	table := func(list ...string) []spec.Name {
		var names []spec.Name
		for _, n := range list {
			names = append(names, spec.Name{Name: n, Doc: "the " + n + " one"})
		}
		return names
	}
	return spec.Names{
		"topologies": table("mesh", "torus", "hypercube"),
		"routings":   table("auto", "dimension-order", "dateline"),
		"allocators": table("random", "paging", "buddy2d", "mbs", "first-fit", "best-fit",
			"frame-sliding"),
		"orders":     table("row-major", "shuffled-row-major", "snake", "shuffled-snake"),
		"patterns":   table("all-to-all", "one-to-all", "n-body", "fft", "multigrid", "ring"),
		"schedulers": table("fcfs", "easy"),
	}
}

// machineOf builds a machine from its text.
func machineOf(t testing.TB, text string) spec.Machine {
	t.Helper()
	keys, problem := spec.MachineKeys(text)
	if problem != nil {
		t.Fatal(problem)
	}
	s := spec.Defaults()
	for _, path := range spec.SortedKeys(keys) {
		if err := s.Assign(path, keys[path], spec.BuiltinNames()); err != nil {
			t.Fatal(err)
		}
	}
	m, err := spec.NewMachine(&s.Spec.Machine)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func mustRun(t *testing.T, s spec.Spec, replication int) cosim.Result {
	t.Helper()
	var sim cosim.Simulator
	r, err := runSpec(sim.Run, context.Background(), s, replication, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func value(t *testing.T, r cosim.Result, name string) float64 {
	t.Helper()
	v, ok := r.Value(name)
	if !ok {
		t.Fatalf("there is no %s in %v", name, r.Metrics)
	}
	return v
}

func readTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, dir)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// runSpec runs a replication of a spec.
func runSpec(run func(context.Context, *spec.Plan, int, *cosim.Extra) (cosim.Result, error),
	ctx context.Context, s spec.Spec, replication int, extra *cosim.Extra,
) (r cosim.Result, err error) {
	plan, err := s.Plan()
	if err != nil {
		return r, err
	}
	return run(ctx, plan, replication, extra)
}

func planOf(t testing.TB, s spec.Spec) *spec.Plan {
	t.Helper()
	p, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// checkSpec checks a spec as a study's points are checked.
func checkSpec(sim *cosim.Simulator, s spec.Spec) error {
	if err := sim.Fits(s.Memory()); err != nil {
		return err
	}
	plan, err := s.Plan()
	if err != nil {
		return err
	}
	return sim.Check(plan)
}
