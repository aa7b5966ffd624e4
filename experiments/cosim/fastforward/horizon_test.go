package fastforward

import (
	"math"
	"testing"
)

// Rates that are used for as long as they may leave the service time known to tolerance: the
// squares of what each does to it add up to no more.
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

// The job that has the least to go by decides for how long a trajectory may be used, and it is
// needed until a job ends.
func TestHorizonOfComponent(t *testing.T) {
	p := &component{began: 600, jobs: []*jobState{{total: 100, began: 100, done: 50},
		{total: 1000, began: 500, done: 100}}}
	c := &trajectory{legs: []leg{{rate: 0.1, half: 0.2}, {rate: 1, half: 0.2}}}
	if got := c.horizon(p, Config{Tolerance: 0.1}); got != 250 { // of 100 + 900 cycles
		t.Errorf("the rates hold for %v cycles", got)
	}
	if a, b := c.needed(p, 400), c.needed(p, 1000); a != 400 || b != 500 {
		t.Errorf("needed for %v and %v cycles, want 400 and 500", a, b)
	}
}

// A job goes back by whole iterations, and not before its first.
func TestGoBack(t *testing.T) {
	for _, c := range []struct {
		turn                     float64
		base, first, origin, had int64
	}{{0, 30, 0, 1000, 30}, {100, 30, 750, 800, 10}, {100, 30, 401, 700, 0}, {100, 70, 955, 1000, 70},
		{2.5, 70, 991, 993, 40}} {
		k := &jobState{turn: c.turn, origin: 1000, base: c.base, perIteration: 10}
		if k.rewind(c.first); k.origin != c.origin || k.base != c.had {
			t.Errorf("%+v: origin %d, %d messages", c, k.origin, k.base)
		}
	}
}

// Rates that have not varied hold for as long as they were watched, or for longer where all that a
// drift may do is within what the service time may be off.
func TestRatesThatDoNotVaryAreNotBelievedForEver(t *testing.T) {
	p := &component{jobs: []*jobState{{total: 1000}, {total: 1e6}, {total: 1e6}}}
	c := &trajectory{until: 60, watched: 50, legs: []leg{{rate: 1}, {rate: 1}, {rate: 1, half: 0.01}}}
	for _, k := range []struct {
		tolerance, spent, want float64
		exact                  bool
	}{
		{0.1, 0, 110, false},               // the cube root of 1000·(2·50·0.1/2)² is 29
		{1, 7, 7 + 60 + 135.720881, false}, // of 1000·(2·50·1/2)²
		{0.1, 0, math.Inf(1), true},
	} {
		c.spent, c.exact = k.spent, k.exact
		got := c.horizon(p, Config{Tolerance: k.tolerance})
		if math.Abs(got-k.want) > 1e-6 && got != k.want {
			t.Errorf("%+v: %v cycles", k, got)
		}
	}
	c.exact = false
	if a, b := c.off(&c.legs[0], 20), c.off(&c.legs[2], 20); a != 0.4 || b != 0.01 {
		t.Errorf("after 20 cycles the rates are off by %v and %v", a, b)
	}
}
