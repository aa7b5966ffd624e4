package sim

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/must"
)

// watching is a context that reads a gauge at each call of Err. A run calls Err when it updates
// the gauge. The context ends after a number of calls.
type watching struct {
	context.Context
	gauge *Gauge
	seen  []float64
	calls int // after which the context ends; 0 for none
}

func (w *watching) Err() error {
	w.seen = append(w.seen, w.gauge.Fraction())
	if w.calls > 0 && len(w.seen) > w.calls {
		return context.Canceled
	}
	return nil
}

// gaugedSpecs has specs of several sources of jobs, with and without a network.
func gaugedSpecs(t *testing.T) map[string]config.Spec {
	specs := map[string]config.Spec{}
	add := func(name string, set func(*config.Spec)) {
		s := config.DefaultSpec()
		s.Machine.Dims = []int{8, 8}
		s.Workload.Jobs, s.Workload.Side.Max = 60, 4
		s.Job.Pattern = configtest.Mix("all-to-all")
		set(&s)
		specs[name] = s
	}
	add("synthetic, fixed", func(s *config.Spec) { s.Job.Run = "fixed" })
	add("synthetic, messages", func(*config.Spec) {})
	add("synthetic, alone", func(s *config.Spec) { s.Alone = true })
	add("lublin, messages", func(s *config.Spec) {
		s.Workload.Source, s.Job.Quota.Messages = "lublin", 200
	})
	jobs := make([][3]float64, 40)
	for i := range jobs {
		jobs[i] = [3]float64{float64(500 * i), float64(1000 + 100*(i%7)), float64(2 + i%9)}
	}
	path := writeLog(t, jobs)
	specs["log, messages"] = logSpec(path, "ring")
	jumps := logSpec(path, "ring")
	jumps.FastForward, jumps.Job.CyclesPerSecond = 0.1, 1000
	specs["log, jumps"] = jumps
	for name, background := range map[string]string{"same": "same", "idle": "idle",
		"others": "all-to-all"} {
		s := togetherSpec("npb-mg", "random")
		s.Workload.Background, s.Job.Quota.Iterations = configtest.Mix(background), 5
		if background == "idle" {
			s.Job.Quota.Iterations = 40
		}
		specs["together, "+name] = s
	}
	add("traffic", func(s *config.Spec) {
		s.Workload.Source, s.Workload.TrafficLoad = "traffic", 0.1
		s.Workload.WindowCycles = 200000
	})
	return specs
}

func TestGaugeMovesFromZeroToOne(t *testing.T) {
	for name, s := range gaugedSpecs(t) {
		s.Normalize()
		g := NewGauge()
		w := &watching{Context: t.Context(), gauge: g}
		var sim Simulator
		with, err := configtest.Run(w, sim.Run, s, 0, &Extra{Gauge: g})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		different := slices.Compact(slices.Clone(w.seen))
		if !slices.IsSorted(w.seen) || w.seen[0] != 0 || len(different) < 10 {
			t.Errorf("%s: %d values, first %v", name, len(different), different[:min(5, len(different))])
		}
		if last := w.seen[len(w.seen)-1]; last < 0.8 || g.Fraction() != 1 {
			t.Errorf("%s: the last is %v, the end %v", name, last, g.Fraction())
		}
		without, err := configtest.Run(t.Context(), new(Simulator).Run, s, 0, nil)
		if diff := cmp.Diff(with, without); diff != "" || err != nil {
			t.Errorf("%s: the gauge changes the run: %v %s", name, err, diff)
		}
	}
}

// With jumps each job counts as much as any other, be it ever so long: it costs no more.
func TestGaugeCountsJobsWithJumps(t *testing.T) {
	jobs := [][3]float64{{0, 1e6, 4}, {0, 100, 4}, {0, 100, 4}, {0, 100, 4}}
	s := logSpec(writeLog(t, jobs), "ring")
	s.FastForward, s.Audits, s.Job.CyclesPerSecond = 0.1, 1, 1000
	s.Normalize()
	g := NewGauge()
	w := &watching{Context: t.Context(), gauge: g}
	if _, err := configtest.Run(w, new(Simulator).Run, s, 0, &Extra{Gauge: g}); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(w.seen, 0.75) {
		t.Errorf("the fractions are %v, and never 3 of 4", slices.Compact(w.seen))
	}
}

// lonely is a job of some iterations that has the machine to itself.
func lonely(iterations float64) config.Spec {
	s := configtest.Net(8, 8, 8)
	s.Workload.Jobs, s.Workload.Processors, s.Job.Pattern = 1, 16, configtest.Mix("all-to-all")
	s.Job.Quota.Iterations = iterations
	return s
}

// fractions returns the different fractions that a gauge shows during a run with a simulator.
func fractions(t *testing.T, sim *Simulator, s config.Spec, slowdown bool) []float64 {
	s.Normalize()
	g := NewGauge()
	w := &watching{Context: t.Context(), gauge: g}
	must.Have(configtest.Run(w, sim.Run, s, 0, &Extra{Gauge: g, Slowdown: slowdown}))
	return slices.Compact(w.seen)
}

// A job of 3 iterations that also runs alone, on its nodes, in their order and on a contiguous
// place, and of which an iteration is measured, has done 3 of 13 parts of its work when it has
// ended among others.
func TestGaugeCountsJobsAlone(t *testing.T) {
	s := lonely(3)
	s.Alone = true
	seen := fractions(t, new(Simulator), s, false)
	after := seen[slices.IndexFunc(seen, func(x float64) bool { return x > 3./13 }):]
	if want := []float64{6. / 13, 9. / 13, 12. / 13}; len(after) < 8 || after[len(after)-1] != 1 ||
		!slices.Equal(after[:3], want) {
		t.Errorf("the fractions are %v, want %v at first and then up to 1", after, want)
	}
}

// Messages under way count by their packets that have arrived: where all arrive at about the same
// time the gauge moves before.
func TestGaugeCountsPartsOfMessages(t *testing.T) {
	s := lonely(1)
	s.Job.Pattern, s.Network.PacketFlits, s.Job.Flits = configtest.Mix("ring"), 8, 8000
	if seen := fractions(t, new(Simulator), s, false); len(seen) < 20 || seen[2] > 0.2 {
		t.Errorf("%d fractions, first %v", len(seen), seen[:min(5, len(seen))])
	}
}

// A measured iteration of a job is as much of the gauge as the job's own, once for all runs of a
// simulator.
func TestGaugeCountsMeasuredIterations(t *testing.T) {
	sim := new(Simulator)
	without := fractions(t, sim, lonely(1), false)
	first, again := fractions(t, sim, lonely(1), true), fractions(t, sim, lonely(1), true)
	var half []float64 // of the job, which ends at 0.5
	for _, x := range without {
		half = append(half, x/2)
	}
	n := len(without)
	if len(first) < 2*n-1 || !slices.Equal(first[:n], half) || first[n] != 0.5 ||
		first[len(first)-1] != 1 {
		t.Errorf("the fractions are %v, want %v, 0.5, and others up to 1", first, half)
	}
	if !slices.Equal(again, without) {
		t.Errorf("the fractions of the second run are %v, want %v", again, without)
	}
	s := lonely(1)
	sim = new(Simulator)
	s.Normalize()
	w := &watching{Context: t.Context(), gauge: NewGauge(), calls: 3}
	if _, err := configtest.Run(w, sim.Run, s, 0, &Extra{Gauge: w.gauge, Slowdown: true}); err == nil {
		t.Error("the first run was not stopped")
	}
	if beside := fractions(t, sim, lonely(1), true); !slices.Equal(beside, without) {
		t.Errorf("the fractions of a run beside one that counts the iteration are %v, want %v", beside,
			without)
	}
}

// Jobs that end together can be stopped before their end.
func TestRunStopsBetweenEndsOfJobs(t *testing.T) {
	s := togetherSpec("npb-mg", "random")
	s.Job.Quota.Iterations = 1e9 // for hours
	w := &watching{Context: t.Context(), gauge: NewGauge(), calls: 20}
	_, err := configtest.Run(w, new(Simulator).Run, s, 0, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestGaugeLeavesOutWhatIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGauge()
		time.Sleep(time.Second)
		if setup, simulated := g.Spent(); setup != time.Second || simulated != 0 {
			t.Errorf("before the beginning: %v, %v", setup, simulated)
		}
		g.Begin()
		done := g.pause()
		time.Sleep(50 * time.Second)
		done()
		time.Sleep(20 * time.Second)
		if setup, simulated := g.Spent(); setup != time.Second || simulated != 20*time.Second {
			t.Errorf("after that: %v, %v", setup, simulated)
		}
	})
}

// The time before the first progress counts once, and not at the pace of the rest: a run that had
// 2% after 10 s and has 12% after 11 s takes 10 s and 98% at 10% a second.
func TestGaugeLeavesOutTheWarmUp(t *testing.T) {
	g := &Gauge{start: time.Now().Add(-10 * time.Second)}
	g.setup.Store(1)
	g.Show(0, 100)
	g.Show(2, 100)
	if got := g.Whole().Seconds(); math.Abs(got/500-1) > 0.1 {
		t.Errorf("after the first progress %v s", got)
	}
	g.start = g.start.Add(-time.Second)
	g.Show(12, 100)
	if got := g.Whole().Seconds(); math.Abs(got-19.8) > 1 {
		t.Errorf("later %v s", got)
	}
}
