package cosim

import (
	"math"
	"time"
)

// Pace is how fast a run was while a Gauge watched it.
type Pace struct {
	Seconds  float64 // seconds of the setup and the simulation, without shared computations
	Fraction float64 // share of the work that is done, from 0 to 1
	// Early and Late are the seconds that all of the run's work would take at the pace of the
	// first and of the second half of the time. Both are 0 if nothing is known yet.
	Early, Late float64

	mean float64 // the same at the pace of all of the time
}

// Whole returns the expected seconds of the whole run, 0 if nothing is known yet. Where the pace
// rose in the second half, that half stands for the rest of the run, because decisions on an
// empty machine may take many times as long as later ones. Where it fell, that may have
// been another program, and the rest goes on at the mean pace.
func (p Pace) Whole() float64 {
	if p.mean == 0 {
		return 0
	}
	rest := p.mean
	if !p.steady() {
		rest = min(p.mean, p.Late)
	}
	return p.Seconds + rest*(1-p.Fraction)
}

// disagree is the ratio of the paces of two halves from which a probe goes on. It is fitted:
// chosen while looking at how far forecasts were off.
const disagree = 2

// steady reports whether both halves had about the same pace.
func (p Pace) steady() bool {
	return max(p.Early, p.Late) <= disagree*min(p.Early, p.Late)
}

// Pace returns the pace of the run so far.
func (g *Gauge) Pace() Pace {
	setup, simulated := g.own()
	p := Pace{Seconds: (setup + simulated).Seconds(), Fraction: g.Fraction()}
	if p.Fraction == 0 {
		return p
	}
	p.mean = simulated.Seconds() / p.Fraction
	p.Early, p.Late = p.mean, p.mean
	if half := g.halfTime; half > 0 && g.halfShare > 0 && p.Fraction > g.halfShare {
		p.Early = half.Seconds() / g.halfShare
		p.Late = (simulated - half).Seconds() / (p.Fraction - g.halfShare)
	}
	return p
}

// Stop ends the time of the run.
func (g *Gauge) Stop() { g.stopped = max(1, time.Since(g.start)) }

// A probe goes on until it has done leastWork jobs or messages, because the machine fills with the
// first of them, and while its pace changes. Its time doubles mostDoublings times at most.
// leastWork is fitted as disagree is.
const (
	leastWork     = 100
	mostDoublings = 2
)

// Patience returns the time after which to ask again whether a probe may go on. A probe simulates
// for the given time, and twice as long while it has done little or the paces of its two
// halves disagree. It may also go on to the end of the run if that is as near. Patience
// reports false if the probe should stop.
func (g *Gauge) Patience(each time.Duration) (time.Duration, bool) {
	_, simulated := g.own()
	if g.until == 0 {
		g.until = each
	}
	if simulated < g.until/2 {
		return g.until/2 - simulated, true
	}
	if g.halfTime == 0 {
		g.halfTime, g.halfShare = simulated, g.Fraction()
	}
	if simulated < g.until {
		return g.until - simulated, true
	}
	p := g.Pace()
	if p.Fraction == 0 {
		return 0, true
	}
	rest := time.Duration(min((p.Whole()-p.Seconds)*float64(time.Second), math.MaxInt64/2))
	if rest <= each {
		return rest, true
	}
	enough := p.Fraction*float64(g.total.Load()) >= leastWork
	if enough && p.steady() || g.until >= each<<mostDoublings {
		return 0, false
	}
	g.until, g.halfTime, g.halfShare = 2*simulated, simulated, p.Fraction
	return simulated, true
}
