package cosim

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/cosim/metrics"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
	"contend/experiments/spec/spectest"
)

// shareSpec runs a log of a few jobs on a tree of 64 nodes.
func shareSpec(t *testing.T, lines ...string) spec.Spec {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.swf")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := spectest.Tree()
	s.Allocator = spec.DefaultSpec().Allocator
	s.Allocator.Name = "contiguous"
	s.Workload.Source, s.Workload.Trace, s.Workload.Jobs = "swf", path, 0
	s.Job.Order = "rotated"
	s.Job.Quota = spec.QuotaSpec{Distribution: "fixed", PerSecond: input.Automatic}
	return s
}

func mustRun(t *testing.T, s spec.Spec, replication int) *metrics.Result {
	t.Helper()
	return spectest.MustRun(t, new(Simulator).Run, s, replication)
}
