package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/metrics"
	"contend/internal/must"
)

// cancelling is a context that is cancelled when it has been asked a few times whether it is.
type cancelling struct {
	context.Context
	cancel func()
	left   int
}

func (c *cancelling) Err() error {
	if c.left--; c.left == 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// Ctrl-C while the load of a study is measured ends the measurement and the command, also a dry
// run, and nothing is written.
func TestInterruptWhileALoadIsMeasured(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "s.toml"), filepath.Join(dir, "out")
	must.Do(os.WriteFile(file, []byte("name = \"x\"\nmachine.dims = [8, 8]\nworkload.jobs = 9\n"+
		"workload.system_load = 0.5\njob.pattern = \"all-to-all\"\n"), 0o644))
	for _, args := range [][]string{{}, {"--dry-run"}} {
		var stdout, stderr bytes.Buffer
		a := newApp(&output{to: &stdout}, &stderr, metrics.Builtin())
		root := a.root()
		root.SetArgs(append([]string{"run", file, "-o", out}, args...))
		ctx, cancel := context.WithCancel(t.Context())
		err := a.execute(&cancelling{ctx, cancel, 5}, root)
		if measured := strings.Contains(stderr.String(), "alone takes"); measured ||
			!errors.Is(err, context.Canceled) || a.status(err) != exitInterrupted {
			t.Errorf("run %v ended with %v: %s", args, err, stderr.String())
		}
		if _, err := os.Stat(out); stdout.Len() > 0 || err == nil {
			t.Errorf("run %v wrote %s and the folder: %v", args, stdout.String(), err)
		}
		a.unlock()
	}
}
