package openloop

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

func mustBeInput(t *testing.T, err error) {
	t.Helper()
	var input *spec.InputError
	if !errors.As(err, &input) || err.Error() == "" || strings.ContainsAny(err.Error(),
		"\n\r\x1b\x00") {
		t.Fatalf("%T: %q", err, err)
	}
}

// trafficSpec is a small network under traffic.
func trafficSpec() spec.Spec {
	s := spec.DefaultSpec()
	s.Machine.Dims, s.Workload.Source, s.Workload.TrafficLoad = []int{4, 4}, "traffic", 0.1
	return s
}

func runTraffic(t *testing.T, s spec.Spec) *cosim.Result {
	t.Helper()
	r, err := (&cosim.Simulator{}).Run(context.Background(), s, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

func treeSpec() spec.Spec {
	s := spec.DefaultSpec()
	s.Machine.Topology, s.Machine.Arity, s.Machine.Levels = "tree", 4, 3
	s.Allocator = spec.AllocatorSpec{Name: "random", Order: "row-major"}
	return s
}

// metricsOf is everything a run says.
func metricsOf(sim *cosim.Simulator, s spec.Spec, replication int) (string, error) {
	r, err := sim.Run(context.Background(), s, replication, nil)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(r.Metrics), nil
}
