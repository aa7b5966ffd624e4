package fastforward

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The half width of the mean is that of the formula, by hand: two audits of equal weight with
// errors of 1 and 3%: a mean of 2%, a deviation of the mean of 1%, Student's t of one degree of
// freedom, and the rule of three for the largest error.
func TestMeanOfAudits(t *testing.T) {
	a := &audits{tolerance: 0.02}
	for _, x := range []float64{0.01, 0.03} {
		a.list = append(a.list, observation{errors: [errorKinds]float64{timeError: x},
			levels: [errorKinds]float64{timeError: 1}, cycles: 5, weight: 5})
	}
	bias, half := a.mean(timeError)
	want := 12.706205*0.01 + 3.0/2*0.03
	if math.Abs(bias-0.02) > 1e-12 || math.Abs(half-want) > 1e-6 {
		t.Errorf("bias %v, half %v, want 0.02, %v", bias, half, want)
	}
	if _, half := (&audits{tolerance: 0.02}).mean(timeError); !math.IsNaN(half) {
		t.Errorf("a half width of %v without audits", half)
	}
}

// The quantile of few errors is the largest, and the tolerance at least; that of many is exceeded
// by 5% of them, by weight.
func TestQuantileOfAudits(t *testing.T) {
	a := &audits{tolerance: 0.02}
	if got := a.quantile(); got != 0.02 {
		t.Errorf("without audits %v", got)
	}
	a.addJob(jobError{0.001, 1})
	if got := a.quantile(); got != 0.02 {
		t.Errorf("of one small error %v", got)
	}
	a.addJob(jobError{0.3, 1})
	if got := a.quantile(); got != 0.3 {
		t.Errorf("of a small and a large error %v", got)
	}
	a = &audits{tolerance: 0.02}
	for i := range 1000 {
		a.addJob(jobError{float64(1+i*7%1000) / 1000, 1})
	}
	if got := a.quantile(); got < 0.95 || got > 0.953 {
		t.Errorf("of 0.001, 0.002, ... 1: %v", got)
	}
}

// jumpOfToy is a jump of a length with a small error, which a jam may raise by 12% from a moment
// on.
type jumpOfToy struct{ length, small, jams float64 }

// off returns the error summed up between two times of the jump.
func (j jumpOfToy) off(from, to float64) float64 {
	return j.small*(to-from) + 0.12*max(0, to-max(from, j.jams))
}

// Intervals hold in runs whose jumps have errors that are drawn: those of the mean over all jumps,
// and those of single jumps: in 85% of runs at least where a tenth of all jumps jam late.
func TestIntervalsOfAuditsHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 7))
	for _, c := range []struct {
		jumps int
		jam   float64
	}{{30, 0}, {100, 0}, {100, 0.02}, {400, 0.02}, {400, 0.1}} {
		held, single, singles := 0, 0, 0
		const runs = 300
		for range runs {
			a := &audits{first: 20, rng: rng, tolerance: 0.02}
			var left, truth float64
			var list []jumpOfToy
			for range c.jumps {
				j := jumpOfToy{math.Exp(3 + 1.2*rng.NormFloat64()), 0.002 * rng.NormFloat64(), math.Inf(1)}
				if rng.Float64() < c.jam {
					j.jams = j.length * 0.3 * rng.ExpFloat64()
				}
				list = append(list, j)
				x := a.draw(&component{jobs: make([]*jobState, 1)}, &forecast{}, j.length)
				followed := 0.0
				if x != nil {
					followed = min(j.length, 30)
					last := j.off(followed/2, followed) / (followed / 2)
					r := (j.off(0, followed) + last*(j.length-followed)) / j.length
					a.list = append(a.list, observation{errors: [errorKinds]float64{r},
						levels: [errorKinds]float64{1}, cycles: j.length, weight: j.length / x.probability})
					a.addJob(jobError{math.Abs(r), j.length / x.probability})
				}
				truth += j.off(followed, j.length)
				left += j.length - followed
			}
			bias, half := a.mean(timeError)
			if math.Abs(truth) <= (math.Abs(bias)+half)*left {
				held++
			}
			for range 5 {
				j := list[rng.IntN(len(list))]
				if singles++; math.Abs(j.off(0, j.length)/j.length) <= a.quantile() {
					single++
				}
			}
		}
		if float64(held) < 0.85*runs || float64(single) < 0.9*float64(singles) {
			t.Errorf("%d jumps, %v of them jam: %d of %d means and %d of %d jumps are held", c.jumps, c.jam,
				held, runs, single, singles)
		}
	}
}

// Of a service time of 1000 cycles 400 are not sure, and 30 of 50 cycles of waits. Without audits
// the error of the time is the tolerance, and the waits may be wrong as a whole. One audit with an
// error of 3%, and waits of 0.1 cycles a cycle more, counts with its error and the rule of three.
func TestHalfWidthsOfARun(t *testing.T) {
	e := &Executor{config: Config{Tolerance: 0.02}, audits: audits{tolerance: 0.02}}
	e.sums.serviceCycles, e.sums.unsureCycles = 1000, 400
	e.sums.messages[blocked], e.sums.sure[blocked] = 50, 20
	check := func(service, waits float64) {
		t.Helper()
		a, b := e.serviceHalf(), e.waitHalf(blocked, blockedError)
		if math.Abs(a-service) > 1e-12 || math.Abs(b-waits) > 1e-12 {
			t.Errorf("half widths %v and %v, want %v and %v", a, b, service, waits)
		}
	}
	check(0.02*0.4, 30.0/50)
	e.audits.list = []observation{{errors: [errorKinds]float64{0.03, 0.1}, cycles: 9, weight: 9,
		levels: [errorKinds]float64{1, 0.2}}}
	check((0.03+3*0.03)*0.4, (0.1+3*0.1)*400/50)
	e.sums.unsureCycles, e.sums.sure[blocked] = 0, 50
	check(0, 0)
}
