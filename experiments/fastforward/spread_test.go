package fastforward

import (
	"math"
	"testing"

	"contend/patterns"
	"contend/router/topology"
)

// The spread of a component is the mean of its own and that of the run, by degrees of freedom.
func TestModeratedSpread(t *testing.T) {
	var s spread
	if got := s.moderated(0.5, 1, 0.01); got != 0.5 {
		t.Errorf("nothing else is known: %v", got)
	}
	s.add(0.1, 10, 0.01)
	if got, want := s.moderated(0.5, 1, 0.01), (0.5+3*0.1)/4; math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
	// Student's t of 10 degrees of freedom.
	if got, want := s.halfWidth(0.04), 2.228139*0.2; math.Abs(got-want) > 1e-6 {
		t.Errorf("half width %v, want %v", got, want)
	}
	s.degrees = 1e30 // of which an int has no number
	if got, want := s.halfWidth(0.04), 1.959964*0.2; math.Abs(got-want) > 1e-5 {
		t.Errorf("half width %v with many degrees of freedom, want %v", got, want)
	}
}

// Times within a period add up, and those of several periods add up as squares.
func TestDriftAddsUpWithinAPeriod(t *testing.T) {
	for _, c := range []struct{ period, want float64 }{{math.Inf(1), 400 * 400}, {1, 4 * 100}} {
		var d driftSum
		for i := range int64(4) {
			d.add(100*(i+1), 100, 1, c.period, 1, d.current*math.Exp(-100/c.period))
		}
		if math.Abs(d.variance/c.want-1) > 1e-6 {
			t.Errorf("a period of %v: %v, want %v", c.period, d.variance, c.want)
		}
	}
}

// Phases last for the slowest beat, and for an iteration at least.
func TestPhasesLastForABeat(t *testing.T) {
	for _, c := range []struct {
		iterations []float64
		want       float64
	}{{[]float64{100, 101, 50, 0}, 100 * 101}, {[]float64{100, 100}, math.Inf(1)},
		{[]float64{100, 10}, 100}, {[]float64{70}, 70}} {
		if got := phasePeriod(c.iterations); math.Abs(got-c.want) > 1e-6 && got != c.want {
			t.Errorf("%v: %v, want %v", c.iterations, got, c.want)
		}
	}
}

// Variances grow with what packets wait, and a job that meets nobody and draws nothing has none.
func TestUnitsOfSpreads(t *testing.T) {
	e := &Executor{now: 100, isolated: &isolatedSimulation{}}
	job := func(name string) *jobState {
		k := &jobState{nodes: make([]topology.Node, 2), config: patterns.Config{Name: name}}
		k.totals[blocked] = 1e-4 // of 100 cycles
		return k
	}
	wait := func(all, others float64) func(int) (float64, float64) {
		return func(int) (float64, float64) { return all, others }
	}
	two := e.unitsOf([]*jobState{job("ring"), job("ring")}, 1, wait(0.4, 0.2))
	if math.Abs(two.blocked-0.8*blockedUnit) > 1e-12 ||
		math.Abs(two.foreign-0.4*foreignUnit) > 1e-12 ||
		math.Abs(two.sum-rateUnit-0.1*rateMetUnit) > 1e-12 || two.sum != two.rates[1] {
		t.Errorf("units of two jobs: %+v", two)
	}
	if none := e.unitsOf([]*jobState{job("ring"), job("ring")}, 1, wait(0, 0)); math.Abs(
		none.blocked-2e-6*blockedUnit) > 1e-15 || none.foreign != 0 {
		t.Errorf("units where no window shows a wait: %+v", none)
	}
	if alone := e.unitsOf([]*jobState{job("ring")}, 1, wait(0.4, 0)); alone.sum != 0 ||
		alone.blocked != 0 {
		t.Errorf("a job that draws nothing: %+v", alone)
	}
	if alone := e.unitsOf([]*jobState{job("random")}, 1, wait(0.4, 0)); math.Abs(
		alone.sum-rateUnit-0.2*rateMetUnit) > 1e-12 {
		t.Errorf("a job that draws: %+v", alone)
	}
}
