package fastforward

import (
	"math"
	"math/rand/v2"
	"slices"

	"contend/experiments/stats"
)

// spread is a variance of relative differences between trajectories of the same jobs that begin
// with other phases of the jobs against each other. It is pooled over the components of a run.
type spread struct{ squares, degrees float64 }

// priorDegrees is how much the spread of a run tells of that of one component, in degrees of
// freedom.
const priorDegrees = 3

// longShare is the share of the time for which rates are wanted that the trajectory of drawn phases
// takes at most, and mostShare that where they have been used before.
const (
	longShare = 0.05
	mostShare = 0.2
)

// longIterations is how many iterations of the slowest job the trajectory of drawn phases takes at
// most. Jobs may need long until they wait for each other. Where their rates differ by more than
// the tolerance they go through all phases within one over it. If they differ by less, it makes no
// more than that difference whether they have met. The first half is left out.
func (s Config) longIterations() float64 { return 2 / s.Tolerance }

func (s *spread) add(variance, degrees, unit float64) {
	if unit == 0 {
		return
	}
	variance /= unit
	s.squares += variance * degrees
	s.degrees += degrees
}

// with returns the variance of a component in which it was found to be own, with so many degrees
// of freedom: the mean of the two (a moderated variance, Smyth 2004). The spread is in units.
func (s spread) with(own, degrees, unit float64) float64 {
	prior := min(priorDegrees, s.degrees)
	if degrees+prior == 0 {
		return 0
	}
	return (own*degrees + unit*prior*s.squares/max(1, s.degrees)) / (degrees + prior)
}

// half returns the half width of a 95% interval that follows from a variance.
func (s spread) half(variance float64) float64 {
	if variance == 0 {
		return 0
	}
	if s.degrees == 0 { // no variance is an estimate
		return stats.Half(variance, math.MaxInt32, confidence)
	}
	return stats.Half(variance, int(min(s.degrees, math.MaxInt32)), confidence)
}

// spreads are those of a run: of rates, of their sums over the jobs of a component, and of what
// packets wait.
type spreads struct{ rate, sum, blocked, foreign spread }

// Spreads are in units that hang on how much packets wait, since variances are about linear in
// that. That of how many packets wait at a time is a constant times their mean; where none was
// seen, one burst counts in the time that was seen, or what the jobs have waited before. That of
// the rate of a job has a part that is linear in the share of their time for which its processes
// wait for other jobs. A run begins with so many degrees of freedom of these units. All five are
// fitted to draws of fast-forward-coverage (docs/model.md).
const (
	fittedDegrees = 2
	blockedUnit   = 0.005
	foreignUnit   = 0.01
	rateUnit      = 5e-5
	rateMetUnit   = 0.0045
)

// newSpreads returns what is known before a run.
func newSpreads() spreads {
	s := spread{fittedDegrees, fittedDegrees}
	return spreads{s, s, s, s}
}

// units are those of the spreads of a component, and of the rates of its jobs.
type units struct {
	rates                 []float64
	sum, blocked, foreign float64
}

// unitsOf returns the units of jobs of which so many packets wait at a time: all, and for other
// jobs, as the mean of windows that has a share of the variance. A job that meets nobody and draws
// nothing does not vary.
func (e *Executor) unitsOf(jobs []*jobState, settled float64,
	waiting func(job int) (all, others float64)) units {
	u := units{rates: make([]float64, len(jobs))}
	alone := len(jobs) == 1
	if alone && !e.stage.config.DrawsRoute && !jobs[0].config.Draws() {
		return u
	}
	past := [2]float64{} // of the jobs so far
	for i, k := range jobs {
		all, others := waiting(i)
		lasted := max(1, float64(e.now-k.began))
		past[0], past[1] = past[0]+k.totals[blocked]/lasted, past[1]+k.totals[foreign]/lasted
		u.blocked += blockedUnit * all
		u.foreign += foreignUnit * others
		if alone { // its draws make it wait for itself
			others = all
		}
		u.rates[i] = rateUnit + rateMetUnit*others/float64(max(1, len(k.nodes)))
		u.sum += u.rates[i] / float64(len(jobs))
	}
	if u.blocked == 0 {
		u.blocked = blockedUnit * min(blockedUnit*settled, past[0])
	}
	if u.foreign == 0 {
		u.foreign = foreignUnit * min(foreignUnit*settled, past[1])
	}
	return u
}

// unitsAt returns the units of jobs at rates.
func (e *Executor) unitsAt(jobs []*jobState, legs []leg, settled float64) units {
	return e.unitsOf(jobs, settled, func(i int) (all, others float64) {
		g := &legs[i]
		return g.each[blocked] * g.rate, g.each[foreign] * g.rate
	})
}

// explore follows a component from the state that it is in, and then from drawn phases of its jobs
// of which the first half is left out: jobs that are parted have to meet first. What the state does
// is one of the phases, with what was simulated in full since the component began.
func (e *Executor) explore(c *component, short, limit int64, k *knowledge) (*trajectory, error) {
	t, err := e.stage.follow(c, max(1, short))
	if err == nil && t.alone() && !e.repeats(c.jobs[0], &t.legs[0]) {
		t.exact, t.legs[0].period = false, 0
	}
	if err != nil || !t.steady || t.alone() {
		return t, err
	}
	d := sampled{part: component{began: c.began}, trajectory: t}
	rng := rand.New(rand.NewPCG(c.jobs[0].job.Seed, uint64(c.began)))
	slowest := 0.0
	for i, k := range c.jobs {
		copied := *k
		copied.turn = float64(k.perIteration) / t.legs[i].rate
		copied.origin = c.began - int64(rng.Float64()*copied.turn)
		copied.lead = k.pause
		copied.entered += 1 << 32
		d.part.jobs = append(d.part.jobs, &copied)
		slowest = max(slowest, copied.turn)
	}
	least := max(2*t.until, int64(e.drawnLength(float64(limit), slowest, k)))
	d.extend(4 * least)
	t.steady = false
	for length := least; length <= 4*least && !t.steady; length *= 2 {
		other, err := e.stage.watch(&d.part, length)
		if err != nil {
			return t, err
		}
		var w *window
		if w, t.steady = other.secondHalf(d.part.jobs, length/2); t.steady {
			live, _ := c.takeLive()
			present := t.with(live, c.jobs)
			if !slices.ContainsFunc(c.jobs, func(k *jobState) bool { return k.moved }) {
				t.seen = present.cycles
			}
			e.learn(c, k, present)
			e.learn(c, k, w)
		}
	}
	return t, nil
}

// drawnLength returns for how long a trajectory of drawn phases is followed, of rates that are
// wanted for so many cycles.
func (e *Executor) drawnLength(left, slowest float64, k *knowledge) float64 {
	served := 0.0
	if k != nil {
		served = k.served
	}
	return min(max(left, min(left*mostShare/longShare, left+served))*longShare,
		e.stage.config.longIterations()*slowest)
}

// lasting returns for how long jobs with iterations of so many cycles keep their phases: for a
// period of the slowest beat between them, infinite where two keep the same phase, or for an
// iteration of the slowest.
func lasting(turns []float64) float64 {
	slowest := 0.0
	for _, t := range turns {
		slowest = max(slowest, t)
	}
	return max(slowest, beat(turns))
}

// beat returns the period of the slowest beat between jobs with iterations of so many cycles.
func beat(turns []float64) float64 {
	period := 0.0
	for i, a := range turns {
		for _, b := range turns[:i] {
			if a > 0 && b > 0 {
				period = max(period, a*b/math.Abs(a-b))
			}
		}
	}
	return period
}

// drifting is the variance of a sum over times, in which something is off by shares that are drawn
// anew with each period of the slowest beat. It is what one trajectory does that begins elsewhere.
type drifting struct {
	last     int64
	off      float64 // of one deviation, in the last period
	variance float64
}

// add adds a time up to now in which the share has a variance. The sum of the offs of others moves
// with it, as far as it is of the same period.
func (d *drifting) add(now int64, cycles, variance, period float64, share, others float64) {
	if cycles <= 0 {
		return
	}
	deviation := math.Sqrt(variance) * share
	off := deviation * min(cycles, period)
	d.variance += cycles*deviation*deviation/share*min(cycles, period) + 2*off*others
	d.off = d.off*math.Exp(-float64(now-d.last)/max(1, period)) + off
	d.last = now
}
