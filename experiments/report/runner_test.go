package report

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/internal/must"
	"contend/internal/written"
	"contend/scheduler"
)

const runnerStudy = `
name = "runner"
primary = ["wait_time"]
[job]
run = "fixed"
[runs]
replications = 3
max_relative_error = 0.05
max_replications = 12
[[axes]]
key = "workload.system_load"
values = [1, 2.5]
[[axes]]
key = "allocator"
values = ["mbs", "paging:1", "random"]
[[figures]]
name = "wait"
kind = "lines"
x = "workload.system_load"
series = "allocator"
metric = "wait_time"
[published]
csv = """
workload.system_load,allocator,wait_time
1,mbs,2
"""
`

// queue is a small real simulation: the wait of a single server's jobs
// (Lindley's recursion), with more work where the allocator is slower. Its
// result depends on nothing but its arguments.
func queue(
	_ context.Context, plan *config.Plan, replication int, x *sim.Extra,
) (metrics.Result, error) {
	a, b := plan.StreamSeed(replication, "queue")
	rng := rand.New(rand.NewPCG(a, b))
	wait, sum := 0.0, 0.0
	const jobs = 200
	for i := range jobs {
		service := rng.ExpFloat64() * (0.5 + float64(len(plan.Allocator.Call))/20)
		sum += wait
		wait = max(0, wait+service-rng.ExpFloat64()*plan.Workload.Synthetic.Interarrival.Mean*2)
		if x.Jobs {
			row := metrics.JobRow{Reserved: i}
			row.ID, row.End, row.Nodes = scheduler.JobID(i), scheduler.Cycle(i), fmt.Sprint(i)
			x.JobRows = append(x.JobRows, row)
		}
	}
	return metrics.Result{Metrics: []metrics.Metric{{Name: "wait_time", Value: sum / jobs}}}, nil
}

// runStudy runs the study as the command does and returns its files.
func runStudy(t *testing.T, dir, text string, workers int, run experiments.RunFunc,
) (map[string]string, error) {
	t.Helper()
	st := experimentstest.MustParse(t, text)
	folder, err := experiments.OpenFolder(written.In(dir), st, "test", config.Builtin())
	if err != nil {
		return nil, err
	}
	all := experiments.Tables{Jobs: true}
	r := experiments.Runner{Names: config.Builtin(), Run: run, Workers: workers, Folder: folder,
		Tables: all, Log: slog.New(slog.DiscardHandler)}
	results, err := r.Study(t.Context(), st)
	must.Have(0, folder.Finish(results))
	must.Have(WriteFiles(folder, results, all))
	return configtest.ReadTree(t, dir), err
}

func TestResumeMakesOnlyWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	whole := must.Have(runStudy(t, dir, runnerStudy, 2, queue))
	runs := filepath.Join(dir, experiments.RunsFile)
	lines := strings.SplitAfter(whole["/runs.jsonl"], "\n")
	for _, left := range []string{
		// killed in the middle of a line
		strings.Join(lines[:5], "") + lines[5][:20],
		// another order, and rubbish behind the last line
		strings.Join(lines[3:7], "") + lines[0] + "{}\x00",
		// torn without a newline
		strings.Join(lines, "") + `{"hash":"ffff","replication":0,"version":"test","metrics":{}}`,
	} {
		must.Have(0, os.WriteFile(runs, []byte(left), 0o644))
		var mu sync.Mutex
		made := 0
		files, err := runStudy(t, dir, runnerStudy, 3,
			func(ctx context.Context, plan *config.Plan, rep int, x *sim.Extra) (metrics.Result, error) {
				mu.Lock()
				made++
				mu.Unlock()
				return queue(ctx, plan, rep, x)
			})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole, files); diff != "" {
			t.Error(diff)
		}
		kept := strings.Count(left, `"version":"test"`) - strings.Count(left, `"ffff"`)
		if strings.HasPrefix(left, strings.Join(lines[:5], "")+lines[5][:20]) &&
			len(left) < len(strings.Join(lines, "")) {
			kept = 5
		}
		if want := len(lines) - 1 - kept; made != want {
			t.Errorf("%d runs were made, want %d", made, want)
		}
	}
}

func TestFailuresDoNotLoseTheOthers(t *testing.T) {
	defer goleak.VerifyNone(t)
	for name, fail := range map[string]func() error{
		"an error": func() error { return errors.New("no more memory") },
		"a panic":  func() error { panic("router: a flit too many") },
	} {
		files, err := runStudy(t, t.TempDir(), runnerStudy, 3,
			func(ctx context.Context, plan *config.Plan, rep int, x *sim.Extra) (metrics.Result, error) {
				if strings.HasPrefix(plan.Allocator.Call, "paging") && rep == 1 {
					return metrics.Result{}, fail()
				}
				return queue(ctx, plan, rep, x)
			})
		var failed *experiments.RunError
		if !errors.As(err, &failed) {
			t.Fatalf("%s: got %v, want a RunError", name, err)
		}
		if diff := cmp.Diff([]string{"1", "paging:1"}, failed.Point.Labels); diff != "" ||
			failed.Replication != 1 || (failed.Stack != "") != (name == "a panic") {
			t.Errorf("%s: the wrong run is blamed: %+v", name, failed)
		}
		for _, a := range []string{"1,mbs,0,", "2.5,random,2,", "1,paging:1,0,"} {
			if !strings.Contains(files["/runs.csv"], a) {
				t.Errorf("%s: the run %s is lost", name, a)
			}
		}
	}
}
