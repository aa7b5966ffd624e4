package sim

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/internal/input"
)

// shareSpec runs a log of a few jobs on a tree of 64 nodes.
func shareSpec(t *testing.T, lines ...string) config.Spec {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.swf")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := configtest.Tree()
	s.Allocator = config.DefaultSpec().Allocator
	s.Allocator = "contiguous"
	s.Workload.Source, s.Workload.Trace, s.Workload.Jobs = "swf", path, 0
	s.Job.Order = "rotated"
	s.Job.Quota = config.QuotaSpec{Distribution: "fixed", PerSecond: input.Automatic}
	return s
}

func mustRun(t *testing.T, s config.Spec, replication int) *metrics.Result {
	t.Helper()
	return configtest.MustRun(t, new(Simulator).Run, s, replication)
}
