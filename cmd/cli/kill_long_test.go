//go:build long

package cli

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"contend/internal/must"
	"contend/internal/written"
)

// killedStudy takes about a second on 2 workers, its tables and figures included.
const killedStudy = `
name = "killed"
primary = ["finish_time"]
[machine]
dims = [8, 8]
[workload]
jobs = 60
side.max = 4
[job]
pattern = "ring"
[runs]
replications = 10
max_relative_error = 0.05
max_replications = 20
[[axes]]
key = "allocator"
values = ["mbs", "random", "first-fit"]
[[figures]]
name = "finish"
kind = "bars"
x = "allocator"
metric = "finish_time"
`

// A study of two workers that is killed at random moments and resumed ends with the
// bytes of one that nobody disturbed. No kill takes away a run that was finished, or leaves a file
// that the folder does not know, and what was half written is removed. KILLS says how many times to
// kill.
func TestLongKilledStudiesResume(t *testing.T) {
	kills := 8
	if text := os.Getenv("KILLS"); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	spec := filepath.Join(dir, "s.toml")
	whole, out := filepath.Join(dir, "whole"), filepath.Join(dir, "out")
	must.Do(os.WriteFile(spec, []byte(killedStudy), 0o644))
	args := func(out string) []string {
		return []string{"run", spec, "-o", out, "--workers", "2", "--record"}
	}
	began := time.Now()
	if text, err := contend(t, args(whole)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	undisturbed := time.Since(began)
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	killed, finished := 0, 0
	for killed < kills || finished == 0 {
		before := runsIn(t, out)
		c := contend(t, args(out)...)
		must.Do(c.Start())
		moment := time.Duration(rng.Int64N(int64(undisturbed)))
		if killed >= kills {
			moment = time.Hour
		}
		timer := time.AfterFunc(moment, func() { c.Process.Kill() })
		err := c.Wait()
		timer.Stop()
		if after := runsIn(t, out); after < before {
			t.Fatalf("killed after %v: %d of %d runs are left", moment, after, before)
		}
		if err := written.In(out).CheckAll(); err != nil { // what it wrote is known
			t.Fatalf("killed after %v: %v", moment, err)
		}
		if err != nil {
			if c.ProcessState.ExitCode() != -1 {
				t.Fatalf("status %d after %d kills", c.ProcessState.ExitCode(), killed)
			}
			killed++
			continue
		}
		finished++
		for _, name := range filesIn(out) {
			if strings.HasSuffix(name, ".tmp") {
				t.Errorf("%s is left after %d kills", name, killed)
			}
		}
		for _, name := range []string{"spec.toml", "runs.jsonl", "runs.csv", "jobs.csv", "series.csv",
			"load.parquet", "links.csv", "contend.sha256", "summary.csv", "table.md", "figures/finish.svg"} {
			if !bytes.Equal(mustRead(t, filepath.Join(out, name)), mustRead(t, filepath.Join(whole, name))) {
				t.Errorf("%s differs after %d kills", name, killed)
			}
		}
		must.Do(os.RemoveAll(out))
	}
	t.Logf("%d kills, %d studies finished; one takes %v undisturbed", killed, finished, undisturbed)
}

func runsIn(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "runs.jsonl"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return bytes.Count(text, []byte("\n"))
}
