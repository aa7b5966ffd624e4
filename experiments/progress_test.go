package experiments

import (
	"context"
	"log/slog"
	"math"
	"testing"
	"time"

	"contend/experiments/cosim"
	"contend/experiments/spec"
)

// The pace counts the flit-hops of the last 10 to 20 s, and of all the time before that.
func TestHopPace(t *testing.T) {
	var h hopPace
	for _, c := range []struct{ seconds, hops, want float64 }{
		{0, 0, 0}, {2, 200, 100}, {8, 400, 50}, // since the beginning
		{12, 600, 50},   // now there is a mark
		{20, 1000, 50},  // still since the beginning
		{22, 1600, 100}, // since 12 s
		{30, 2400, 100},
		{32, 2400, 80}, // since 22 s
		{52, 2400, 0},  // since 32 s
		{53, 100, 0},   // never below 0
	} {
		if got := h.at(time.Duration(c.seconds*float64(time.Second)), c.hops); got != c.want {
			t.Errorf("after %v s: %v flit-hops a second, want %v", c.seconds, got, c.want)
		}
	}
}

// The flit-hops of runs that have ended count, and a run that is under way tells where it is.
func TestProgressOfMessages(t *testing.T) {
	st := mustParseBuiltin(t, `
name = "messages"
[machine]
dims = [4, 4]
[workload]
jobs = 20
side.max = 3
[runs]
replications = 1
[[axes]]
key = "allocator"
values = ["first-fit", "random"]
`)
	now := time.Unix(1000, 0)
	p := &Progress{clock: func() time.Time { return now }}
	var sim cosim.Simulator
	total, under := 0.0, 0
	run := func(ctx context.Context, plan *spec.Plan, replication int,
		extra *cosim.Extra) (cosim.Result, error) {
		r, err := sim.Run(ctx, plan, replication, extra)
		hops, _ := r.Value("flit_hops")
		total += hops
		now = now.Add(2 * time.Second)
		s := p.Status() // the run has told all, and counts as under way
		if want := total / s.Elapsed.Seconds(); hops == 0 || math.Abs(s.FlitHops-want) > 1e-9*want {
			t.Errorf("%v flit-hops a second after %v, want %v", s.FlitHops, s.Elapsed, want)
		}
		under += len(s.Moments)
		return r, err
	}
	folder, err := OpenFolder(t.TempDir(), st, "test", spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	r := Runner{Names: spec.BuiltinNames(), Run: run, Workers: 1, Folder: folder, Progress: p,
		Log: slog.New(slog.DiscardHandler)}
	if _, err := r.Study(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Second)
	s := p.Status()
	// The run before may not have been taken off the list when the next one asks.
	want := total / 5
	if under < 2 || under > 3 || len(s.Moments) != 0 || math.Abs(s.FlitHops-want) > 1e-9*want {
		t.Errorf("%d moments, at the end %+v, want %v flit-hops a second", under, s, want)
	}
}
