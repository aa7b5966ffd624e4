package cosim

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/spec"
)

func mustBeInput(t *testing.T, err error) {
	t.Helper()
	var input *spec.InputError
	if !errors.As(err, &input) || err.Error() == "" || strings.ContainsAny(err.Error(),
		"\n\r\x1b\x00") {
		t.Fatalf("%T: %q", err, err)
	}
}

// netSpec is a mesh under messages of so many flits.
func netSpec(flits int, dims ...int) spec.Spec {
	s := spec.DefaultSpec()
	s.Machine.Dims, s.Job.Flits = dims, flits
	return s
}

// shareSpec runs a log of a few jobs on a tree of 64 nodes.
func shareSpec(t *testing.T, lines ...string) spec.Spec {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.swf")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := treeSpec()
	s.Allocator = spec.DefaultSpec().Allocator
	s.Allocator.Name = "contiguous"
	s.Workload.Source, s.Workload.Trace, s.Workload.Jobs = "swf", path, 0
	s.Job.Order = "rotated"
	s.Job.Quota = spec.QuotaSpec{Distribution: "fixed", PerSecond: spec.Automatic}
	return s
}

// swfLine returns a line of a log for a job with these fields.
func swfLine(id, submit, run, size string) string {
	return strings.Join([]string{id, submit, "0", run, size, "-1", "-1", size, run, "-1",
		"1 1 1 1 1 1 -1 -1"}, " ")
}

// metricsOf returns the metrics of a run as text.
func metricsOf(sim *Simulator, s spec.Spec, replication int) (string, error) {
	r, err := runSpec(sim.Run, context.Background(), s, replication, nil)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(r.Metrics), nil
}

// runSpec runs a replication of a spec.
func runSpec(run func(context.Context, *spec.Plan, int, *Extra) (Result, error),
	ctx context.Context, s spec.Spec, replication int, extra *Extra) (r Result, err error) {
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

// checkSpec checks a spec like the points of a study.
func checkSpec(sim *Simulator, s spec.Spec) error {
	if err := sim.Fits(s.Memory()); err != nil {
		return err
	}
	plan, err := s.Plan()
	if err != nil {
		return err
	}
	return sim.Check(plan)
}
