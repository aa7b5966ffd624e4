package fastforward

import (
	"math"
	"testing"

	"contend/experiments/sim/executor"
	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
)

// Only what nothing is left of between two iterations repeats exactly.
func TestRegenerates(t *testing.T) {
	phases, drawn := patterns.Config{Name: "ring"}, patterns.Config{Name: "random"}
	code := patterns.Config{Name: "npb-cg"}
	for _, c := range []struct {
		name    string
		pattern patterns.Config
		pause   int64
		set     func(c *netsim.Config)
		draws   bool
		want    bool
	}{
		{"phases", phases, 0, func(*netsim.Config) {}, false, true},
		{"drawn ways", phases, 0, func(*netsim.Config) {}, true, false},
		{"drawn receivers", drawn, 0, func(*netsim.Config) {}, false, false},
		{"a code", code, 0, func(*netsim.Config) {}, false, false},
		{"slow links", phases, 1, func(c *netsim.Config) { c.FlitCycles = 3 }, false, false},
		{"slow links and a pause", phases, 2, func(c *netsim.Config) { c.FlitCycles = 3 }, false, true},
		{"slow credits", phases, 4, func(c *netsim.Config) { c.CreditCycles = 6 }, false, false},
		{"two channels", phases, 9, func(c *netsim.Config) { c.VirtualChannels = 2 }, false, false},
		{"round-robin", phases, 9,
			func(c *netsim.Config) { c.Arbiter = router.RoundRobin }, false, false},
	} {
		machine := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{2, 2}}))
		config := netsim.Default(machine)
		c.set(&config)
		n := must.Have(netsim.New(config))
		e := New(n, nil, clock, Config{DrawsRoute: c.draws}, executor.Software{})
		if got := e.regenerates(&jobState{config: c.pattern, laterCompute: c.pause}); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// The interval of a rate is that of batch means: of 4 batches of two iterations here, with
// Student's t of 3 degrees of freedom, 3.182446.
func TestBatchMeans(t *testing.T) {
	times := []int64{-500, 0, 90, 200, 290, 400, 520, 600, 690, 800} // means 100, 100, 100, 100
	if got := batchMeans(times, 4, 0.95); got != 0 {
		t.Errorf("equal batches: %v", got)
	}
	times[9] = 840 // the last of 120: a mean of 105, a deviation of 10, over the root of 4
	if got, want := batchMeans(times, 4, 0.95), 3.182446*10/2/105; math.Abs(got-want) > 1e-6 {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := batchMeans(times, 1, 0.95); !math.IsInf(got, 1) {
		t.Errorf("one batch: %v", got)
	}
}

// A rate that is used for a small part of a service time may be known less well.
func TestGreatestHalf(t *testing.T) {
	c := Config{Tolerance: 0.02}
	for cycles, want := range map[float64]float64{100: 0.02, 25: 0.04, 1: 0.2, 0.01: 0.2} {
		if got := c.greatestHalf(cycles, 100); math.Abs(got-want) > 1e-12 {
			t.Errorf("for %v of 100 cycles %v, want %v", cycles, got, want)
		}
	}
}

// Job 1 has 0.02·√(200/100) = 0.028 for 100 cycles of 200, and job 2 0.02·√(400/100) = 0.04 of 400.
// From 30 times the cycles of all phases on both have 0.5.
func TestPreciseRates(t *testing.T) {
	e := &Executor{config: Config{Tolerance: 0.02}, now: 1_000_300}
	c := &component{jobs: []*jobState{{start: 1_000_200}, {start: 1_000_000}}}
	for _, test := range []struct {
		window        float64
		first, second float64
		want          bool
	}{
		{299, 0.028, 0.039, true}, {299, 0.029, 0.039, false}, {299, 0.028, 0.041, false},
		{300, 0.029, 0.041, true}, {300, 0.5, 0.5, true}, {300, 0.51, 0.5, false},
		{1e6, 0.5, 0.51, false},
	} {
		f := &forecast{window: test.window,
			jobs: []period{{halfWidth: test.first}, {halfWidth: test.second}}}
		if got := e.precise(c, f, 100, 10); got != test.want {
			t.Errorf("%+v: got %v", test, got)
		}
	}
}

// Rates are tested after one more iteration of the slowest job if a state may recur then, and else
// not before their next test.
func TestTargets(t *testing.T) {
	job := func(iterations int) *jobState {
		return &jobState{live: liveState{ends: make([]int64, iterations+1)}}
	}
	for _, test := range []struct {
		recurs                   bool
		nextTest, target, behind int
	}{{true, 9, 4, 1}, {false, 9, 9, 3}, {false, 5, 5, 1}, {false, 6, 6, 2}, {false, 2, 4, 1}} {
		c := &component{jobs: []*jobState{job(5), job(3), job(7)},
			window:     window{nextTest: test.nextTest, behind: 8},
			recurrence: recurrence{enabled: test.recurs}}
		new(Executor).setTarget(c)
		if w := &c.window; w.target != test.target || w.behind != test.behind {
			t.Errorf("%+v: target %d, %d jobs behind", test, w.target, w.behind)
		}
	}
}

// A period repeats its iterations.
func TestPeriod(t *testing.T) {
	p := period{ends: []float64{10, 30, 60}}
	for n, want := range []float64{0, 10, 30, 60, 70, 90, 120, 130} {
		if got := p.endOf(int64(n)); got != want {
			t.Errorf("iteration %d ends at %v, want %v", n, got, want)
		}
		if got := p.iterationsBy(want); got != int64(n) {
			t.Errorf("%d iterations end by %v, want %d", got, want, n)
		}
		if got := p.iterationsBy(want - 1); n > 0 && got != int64(n)-1 {
			t.Errorf("%d iterations end by %v, want %d", got, want-1, n-1)
		}
	}
}
