package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/must"
	"contend/internal/written"
)

// sweptStudy has three points, whose runs a rule of precision decides on.
const sweptStudy = `
name = "swept"
primary = ["wait_time"]
[runs]
replications = 10
max_relative_error = 0.1
max_replications = 30
[[axes]]
key = "allocator"
values = ["mbs", "paging:1", "random"]
`

// drawn is a run that depends on nothing but its arguments.
func drawn(_ context.Context, plan *config.Plan, replication int,
	_ *sim.Extra) (metrics.Result, error) {
	a, b := plan.StreamSeed(replication, "drawn")
	x := rand.New(rand.NewPCG(a, b)).Float64()
	return metrics.Result{Metrics: []metrics.Metric{{Name: "wait_time", Value: 1 + x}}}, nil
}

// fakeCluster makes the runs of each task when it is submitted.
type fakeCluster struct {
	t    *testing.T
	dir  string
	most int
	run  experiments.RunFunc
	// task, if not nil, is called in place of a task.
	task   func(submission, index int, make func()) error
	arrays []int
	queued map[string]int // tasks left in the queue, each for one query
}

// MaxTasks implements Cluster.
func (c *fakeCluster) MaxTasks(context.Context) int { return c.most }

// Queue implements Cluster.
func (c *fakeCluster) Queue(_ context.Context, names []string) (tasks int, err error) {
	for _, name := range names {
		if c.queued[name] > 0 {
			tasks += c.queued[name]
			c.queued[name]--
		}
	}
	return tasks, nil
}

// Submit implements Cluster.
func (c *fakeCluster) Submit(_ context.Context, name, script, _ string, tasks int) (string, error) {
	c.arrays = append(c.arrays, tasks)
	c.queued[name] = 1
	n := len(c.arrays)
	batches := filepath.Join(c.dir, Folder, fmt.Sprintf(batchesName, n))
	if !strings.Contains(script, batches) {
		c.t.Errorf("the script %q does not name %s", script, batches)
	}
	for i := range tasks {
		work := func() { c.make(batches, i) }
		if c.task == nil {
			work()
		} else if err := c.task(n, i, work); err != nil {
			return "", err
		}
	}
	return "1", nil // always the same: nobody may trust it
}

// make makes the runs of a task.
func (c *fakeCluster) make(batches string, i int) {
	task := Task{Dir: c.dir, Batches: batches, Index: i, Program: "test",
		Runner: experiments.Runner{Names: config.Builtin(), Workers: 1,
			Log: slog.New(slog.DiscardHandler)}}
	_, err := task.Make(context.Background(), func(Header) experiments.RunFunc { return c.run })
	if err != nil {
		c.t.Error(err)
	}
}

// swept sweeps the study and returns runs.jsonl.
func swept(t *testing.T, c *fakeCluster, change func(*Sweep)) (string, error) {
	t.Helper()
	c.t, c.queued = t, map[string]int{}
	st := must.Have(study.Parse("swept.toml", sweptStudy, config.Builtin()))
	f := must.Have(experiments.OpenFolder(written.In(c.dir), st, "test", config.Builtin()))
	results := must.Have(f.Results(st, config.Builtin()))
	runner := &experiments.Runner{Names: config.Builtin(), Folder: f,
		Log: slog.New(slog.DiscardHandler)}
	s := Sweep{Slurm: c, Runner: runner,
		Header: Header{Program: "test"}, Program: os.Args[0], TaskSeconds: 1, Retries: 2, Wait: true,
		Poll: time.Millisecond, Say: func(string) {}}
	if change != nil {
		change(&s)
	}
	err := s.Run(context.Background(), results)
	must.Have(0, f.Finish(results))
	return string(must.Have(os.ReadFile(filepath.Join(c.dir, experiments.RunsFile)))), err
}

// local makes all runs here and returns runs.jsonl.
func local(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	st := must.Have(study.Parse("swept.toml", sweptStudy, config.Builtin()))
	f := must.Have(experiments.OpenFolder(written.In(dir), st, "test", config.Builtin()))
	r := experiments.Runner{Names: config.Builtin(), Run: drawn, Workers: 2, Folder: f,
		Log: slog.New(slog.DiscardHandler)}
	must.Have(0, f.Finish(must.Have(r.Study(context.Background(), st))))
	return string(must.Have(os.ReadFile(filepath.Join(dir, experiments.RunsFile))))
}

// A forecast before the sweep may make all runs of a round. The study then has more rounds.
func TestSweepGoesOnAfterARoundOfProbes(t *testing.T) {
	want := local(t)
	c := &fakeCluster{dir: t.TempDir(), most: 7, run: drawn}
	var runs []experiments.Record
	for line := range strings.Lines(want) {
		var r experiments.Record
		must.Have(0, json.Unmarshal([]byte(line), &r))
		runs = append(runs, r)
	}
	more := slices.IndexFunc(runs, func(r experiments.Record) bool { return r.Replication == 10 })
	var stored strings.Builder // all but the last run of a point's first round and what follows
	for i, line := range slices.Collect(strings.Lines(want)) {
		if runs[i].Hash != runs[more].Hash || runs[i].Replication < 9 {
			stored.WriteString(line)
		}
	}
	path := filepath.Join(c.dir, experiments.RunsFile)
	must.Have(0, os.WriteFile(path, []byte(stored.String()), 0o666))
	got, err := swept(t, c, func(s *Sweep) {
		s.Runner.Run, s.Runner.OnForecast = drawn, func(*experiments.Forecast) {}
	})
	if err != nil || got != want {
		t.Errorf("error %v, got\n%s\nwant\n%s", err, got, want)
	}
}

// Tasks that are killed, before they begin or in the middle of a line, are submitted
// again; one that Slurm starts twice does no harm.
func TestSweepSubmitsAgainWhatIsMissing(t *testing.T) {
	c := &fakeCluster{dir: t.TempDir(), most: 7, run: drawn}
	twice := 0
	c.task = func(n, i int, work func()) error {
		switch {
		case n == 1 && i == 0:
			return nil
		case n == 1 && i == 1:
			work()
			path := shardFiles(filepath.Join(c.dir, Folder))[0]
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(path, text[:len(text)-10], 0o644)
		case n == 1 && i == 2:
			work()
			before := len(shardFiles(filepath.Join(c.dir, Folder)))
			c.run = func(context.Context, *config.Plan, int, *sim.Extra) (metrics.Result, error) {
				twice++
				return metrics.Result{}, errors.New("made twice")
			}
			work()
			c.run = drawn
			if after := len(shardFiles(filepath.Join(c.dir, Folder))); after != before+1 {
				t.Errorf("%d shards became %d", before, after)
			}
			return nil
		}
		work()
		return nil
	}
	got := must.Have(swept(t, c, nil))
	if got != local(t) {
		t.Error("the results differ from a local run's")
	}
	if twice > 0 {
		t.Errorf("%d runs were made twice", twice)
	}
}

func TestSweepReportsAFailedRunAndMakesTheOthers(t *testing.T) {
	c := &fakeCluster{dir: t.TempDir(), most: 7}
	attempts := 0
	c.run = func(ctx context.Context, s *config.Plan, rep int, x *sim.Extra) (metrics.Result, error) {
		if s.Allocator.Call == "random" && rep == 3 {
			attempts++
			return metrics.Result{}, errors.New("no more memory")
		}
		return drawn(ctx, s, rep, x)
	}
	got, err := swept(t, c, nil)
	var failed *experiments.RunError
	if !errors.As(err, &failed) || failed.Replication != 3 ||
		failed.Point.Labels[0] != "random" || !strings.Contains(err.Error(), "no more memory") {
		t.Errorf("got %v, want the failed run", err)
	}
	if attempts != 1 {
		t.Errorf("the failed run was submitted %d times", attempts)
	}
	if n := strings.Count(got, "\n"); n < 29 {
		t.Errorf("%d runs are there, want 29 or more", n)
	}
	c.run = drawn // mended
	if got, err = swept(t, c, nil); err != nil || got != local(t) {
		t.Errorf("the sweep does not go on after a failure: %v", err)
	}
}

// Where every run fails in the same way, nothing more is submitted.
func TestSweepEndsAtBadInput(t *testing.T) {
	c := &fakeCluster{dir: t.TempDir(), most: 7}
	c.run = func(context.Context, *config.Plan, int, *sim.Extra) (metrics.Result, error) {
		return metrics.Result{}, &input.Error{Problem: "job 7 asks for 101 processors"}
	}
	_, err := swept(t, c, nil)
	if experiments.InputCause(err) == nil || len(c.arrays) != 1 {
		t.Errorf("got %v after %d arrays", err, len(c.arrays))
	}
}

func TestSweepGivesUpOnTasksThatDie(t *testing.T) {
	c := &fakeCluster{dir: t.TempDir(), most: 7, run: drawn}
	c.task = func(int, int, func()) error { return nil }
	_, err := swept(t, c, nil)
	if err == nil || !strings.Contains(err.Error(), "not made in 3 attempts: 30 runs") {
		t.Errorf("got %v", err)
	}
	if len(c.arrays) != 3 {
		t.Errorf("%d arrays, want 3", len(c.arrays))
	}
}

func TestTaskRefusesAnotherProgram(t *testing.T) {
	c := &fakeCluster{dir: t.TempDir(), most: 7, run: drawn}
	c.task = func(_, i int, _ func()) error {
		task := Task{Dir: c.dir, Batches: filepath.Join(c.dir, Folder, "batches-0001.json"),
			Index: i, Program: "other"}
		_, err := task.Make(context.Background(), func(Header) experiments.RunFunc { return drawn })
		return err
	}
	_, err := swept(t, c, nil)
	const want = "was submitted by another program (test), this one is other"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}

func TestSplit(t *testing.T) {
	runs := func(seconds ...float64) (list []experiments.PlannedRun) {
		for i, s := range seconds {
			key := experiments.RunKey{Hash: "h", Replication: i}
			list = append(list, experiments.PlannedRun{RunKey: key, Seconds: s})
		}
		return list
	}
	for _, k := range []struct {
		runs    []experiments.PlannedRun
		seconds float64
		most    int
		want    string
	}{
		{runs(1, 1, 1, 1), 2, 10, "01 23"},
		{runs(1, 1, 1, 1), 100, 10, "0123"},
		{runs(1, 1, 1, 1), 0.1, 3, "12 0 3"},
		{runs(1, 1, 1, 9), 3, 10, "3 012"},
		{runs(0, 0, 0), 60, 10, "0 1 2"},
		{runs(0, 0, 0), 60, 2, "12 0"},
		{runs(0, 0), 0, 10, "0 1"},
		{nil, 60, 10, ""},
	} {
		var got []string
		for _, b := range Split(k.runs, k.seconds, k.most) {
			text := ""
			for _, key := range b {
				text += fmt.Sprint(key.Replication)
			}
			got = append(got, text)
		}
		if got := strings.Join(got, " "); got != k.want {
			t.Errorf("%v in tasks of %g s, at most %d: %q, want %q", k.runs, k.seconds, k.most, got,
				k.want)
		}
	}
}
