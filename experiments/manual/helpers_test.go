package manual

import (
	"context"
	"testing"

	"contend/experiments/cosim"
	"contend/experiments/spec"
)

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
		"allocators": table("random", "paging", "buddy2d", "mbs", "first-fit", "best-fit", "frame-sliding"),
		"orders":     table("row-major", "shuffled-row-major", "snake", "shuffled-snake"),
		"patterns":   table("all-to-all", "one-to-all", "n-body", "fft", "multigrid", "ring"),
		"schedulers": table("fcfs", "easy"),
	}
}

func mustRun(t *testing.T, s spec.Spec, replication int) cosim.Result {
	t.Helper()
	var sim cosim.Simulator
	r, err := sim.Run(context.Background(), s, replication, nil)
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
