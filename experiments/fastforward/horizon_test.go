package fastforward

import (
	"math"
	"testing"
)

// Rates that are used up to their horizons leave the service time known to the tolerance: the
// squares of their errors in it sum to no more.
func TestHorizon(t *testing.T) {
	s := Config{Tolerance: 0.1}
	for _, c := range []struct{ half, want float64 }{{0, math.Inf(1)}, {0.1, math.Inf(1)},
		{0.2, 250}, {0.4, 62.5}, {0.51, 0}} {
		if got := s.horizon(c.half, 1000); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("a half width of %v: %v cycles, want %v", c.half, got, c.want)
		}
	}
	sum := 0.0
	for _, half := range []float64{0.2, 0.2, 0.2, 0.2} { // four epochs of a quarter each
		p := s.horizon(half, 1000) / 1000
		sum += p * half * p * half
	}
	if math.Sqrt(sum) > s.Tolerance {
		t.Errorf("the service time is known to %v", math.Sqrt(sum))
	}
}

// The job with the shortest horizon bounds the use of a trajectory, which is needed until a job
// ends.
func TestHorizonOfComponent(t *testing.T) {
	p := &component{start: 600, jobs: []*jobState{{perIteration: 1, total: 100, start: 100, done: 50},
		{perIteration: 1, total: 1000, start: 500, done: 100}}}
	e := &Executor{isolated: &isolatedSimulation{config: Config{Tolerance: 0.1}}}
	c := &trajectory{progress: []progress{
		{estimate: estimate{rate: 0.1, halfWidth: 0.2}}, {estimate: estimate{rate: 1, halfWidth: 0.2}}}}
	if got := e.horizon(c, p, 1000); got != 250 { // of 100 + 900 cycles
		t.Errorf("the rates hold for %v cycles", got)
	}
	if a, b := c.neededCycles(p, 400), c.neededCycles(p, 1000); a != 400 || b != 500 {
		t.Errorf("needed for %v and %v cycles, want 400 and 500", a, b)
	}
}

// A job is rewound by whole iterations, and not before its first.
func TestRewind(t *testing.T) {
	for _, c := range []struct {
		iterationCycles          float64
		base, first, origin, had int64
	}{{0, 30, 0, 1000, 30}, {100, 30, 750, 800, 10}, {100, 30, 401, 700, 0}, {100, 70, 955, 1000, 70},
		{2.5, 70, 991, 993, 40}} {
		k := &jobState{iterationCycles: c.iterationCycles, origin: 1000, base: c.base, perIteration: 10}
		if k.rewind(c.first); k.origin != c.origin || k.base != c.had {
			t.Errorf("%+v: origin %d, %d messages", c, k.origin, k.base)
		}
	}
}
