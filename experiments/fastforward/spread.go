package fastforward

import (
	"math"

	"contend/experiments/stats"
)

// spread is a variance squares/degrees, pooled over the components of a run: that of relative
// differences between trajectories of the same jobs that begin in other phases. It is measured in
// the units of each component.
type spread struct{ squares, degrees float64 }

// priorDegrees is the weight of the spread of a run in that of one component, in degrees of
// freedom.
const priorDegrees = 3

// add adds a variance with degrees of freedom, measured in a component with a unit.
func (s *spread) add(variance, degrees, unit float64) {
	if unit == 0 {
		return
	}
	variance /= unit
	s.squares += variance * degrees
	s.degrees += degrees
}

// moderated returns the variance of a component in which the variance own was found with d degrees
// of freedom: (d·own + d0·s0²) / (d + d0) of Smyth (Statistical Applications in Genetics and
// Molecular Biology 3(1), 2004), with the spread of the run for s0², and for d0 its degrees of
// freedom up to priorDegrees.
func (s spread) moderated(own, degrees, unit float64) float64 {
	prior := min(priorDegrees, s.degrees)
	if degrees+prior == 0 {
		return 0
	}
	return (own*degrees + unit*prior*s.squares/max(1, s.degrees)) / (degrees + prior)
}

// halfWidth returns the half width of a 95% interval from a variance: t·√variance, with Student's t
// for the degrees of freedom of the spread.
func (s spread) halfWidth(variance float64) float64 {
	if variance == 0 {
		return 0
	}
	if s.degrees == 0 { // no variance is an estimate
		return stats.Half(variance, math.MaxInt32, confidence)
	}
	return stats.Half(variance, int(min(s.degrees, math.MaxInt32)), confidence)
}

// spreads are those of a run: of rates, of their sums over the jobs of a component divided by the
// root of their number, and of the numbers of packets that wait for all and for other jobs.
type spreads struct{ rate, sum, blocked, foreign spread }

// Variances are about linear in how much packets wait, and so are their units. The unit of the
// number of waiting packets is blockedUnit or foreignUnit times its mean; if no wait was seen, the
// mean is that of one burst in the time that was seen, or that of the jobs so far if it is less.
// The unit of a job's rate is rateUnit + rateMetUnit·w, where w is the share of time for which a
// process waits for other jobs. A run begins with fittedDegrees degrees of freedom of these units.
// All five are fitted to draws of fast-forward-coverage (docs/model.md).
const (
	fittedDegrees = 2
	blockedUnit   = 0.005
	foreignUnit   = 0.01
	rateUnit      = 5e-5
	rateMetUnit   = 0.0045
)

// newSpreads returns the spreads with which a run begins.
func newSpreads() spreads {
	s := spread{fittedDegrees, fittedDegrees}
	return spreads{s, s, s, s}
}

// units are the units of the spreads of a component, and of the rate of each of its jobs.
type units struct {
	rates                 []float64
	sum, blocked, foreign float64
}

// unitsOf returns the units of jobs, given the mean number of packets of each that wait for all and
// for other jobs. The mean is over windows; its variance is meanFactor times that of a short
// window. A job that meets nobody and draws nothing does not vary.
func (e *Executor) unitsOf(jobs []*jobState, meanFactor float64,
	waiting func(job int) (all, others float64)) units {
	u := units{rates: make([]float64, len(jobs))}
	alone := len(jobs) == 1
	if alone && !e.isolated.config.DrawsRoute && !jobs[0].config.Draws() {
		return u
	}
	past := [2]float64{} // mean numbers of waiting packets so far
	for i, k := range jobs {
		all, others := waiting(i)
		lasted := max(1, float64(e.now-k.start))
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
		u.blocked = blockedUnit * min(blockedUnit*meanFactor, past[0])
	}
	if u.foreign == 0 {
		u.foreign = foreignUnit * min(foreignUnit*meanFactor, past[1])
	}
	return u
}

// unitsAt returns the units of jobs at estimated rates.
func (e *Executor) unitsAt(jobs []*jobState, at []estimate, meanFactor float64) units {
	return e.unitsOf(jobs, meanFactor, func(i int) (all, others float64) {
		return at[i].waiting(blocked), at[i].waiting(foreign)
	})
}
