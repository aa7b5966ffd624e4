package fastforward

import (
	"math"
	"testing"
)

// The spread of a component is the mean of its own and that of the run, by degrees of freedom.
func TestModeratedSpread(t *testing.T) {
	var s spread
	if got := s.with(0.5, 1); got != 0.5 {
		t.Errorf("nothing else is known: %v", got)
	}
	s.add(0.1, 10)
	if got, want := s.with(0.5, 1), (0.5+3*0.1)/4; math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
	// Student's t of 10 degrees of freedom.
	if got, want := s.half(0.04), 2.228139*0.2; math.Abs(got-want) > 1e-6 {
		t.Errorf("half width %v, want %v", got, want)
	}
	s.degrees = 1e30 // of which an int has no number
	if got, want := s.half(0.04), 1.959964*0.2; math.Abs(got-want) > 1e-5 {
		t.Errorf("half width %v with many degrees of freedom, want %v", got, want)
	}
}

// Times within a period add up, and those of several periods add up as squares.
func TestDriftingAddsUpWithinAPeriod(t *testing.T) {
	for _, c := range []struct{ period, want float64 }{{math.Inf(1), 400 * 400}, {1, 4 * 100}} {
		var d drifting
		for i := range int64(4) {
			d.add(100*(i+1), 100, 1, c.period, 1, d.off*math.Exp(-100/c.period))
		}
		if math.Abs(d.variance/c.want-1) > 1e-6 {
			t.Errorf("a period of %v: %v, want %v", c.period, d.variance, c.want)
		}
	}
}

// What a component goes through in a time depends on its slowest beat.
func TestSlowestBeat(t *testing.T) {
	c := &component{jobs: []*jobState{{turn: 100}, {turn: 101}, {turn: 50}, {}}}
	if got := c.slowest(); math.Abs(got-100*101) > 1e-6 {
		t.Errorf("a period of %v", got)
	}
	c.jobs[2].turn = 100
	if got := c.slowest(); !math.IsInf(got, 1) {
		t.Errorf("jobs of the same length have a period of %v", got)
	}
}
