package fastforward

import (
	"math"
	"math/rand/v2"

	"contend/experiments/stats"
)

// spread is a variance of relative differences between trajectories of the same jobs that begin
// with other phases of the jobs against each other. It is pooled over the components of a run.
type spread struct{ squares, degrees float64 }

// priorDegrees is how much the spread of a run tells of that of one component, in degrees of
// freedom.
const priorDegrees = 3

// longShare is the share of the time for which rates are wanted that the trajectory of drawn phases
// takes at most.
const longShare = 0.05

// longIterations is how many iterations of the slowest job the trajectory of drawn phases takes at
// most. Jobs may need long until they wait for each other. Where their rates differ by more than
// the tolerance they go through all phases within one over it. If they differ by less, it makes no
// more than that difference whether they have met. The first half is left out.
func (s Config) longIterations() float64 { return 2 / s.Tolerance }

func (s *spread) add(variance, degrees float64) {
	s.squares += variance * degrees
	s.degrees += degrees
}

// with returns the variance of a component in which it was found to be own, with so many degrees
// of freedom: the mean of the two (a moderated variance, Smyth 2004).
func (s spread) with(own, degrees float64) float64 {
	prior := min(priorDegrees, s.degrees)
	if degrees+prior == 0 {
		return 0
	}
	return (own*degrees + prior*s.squares/max(1, s.degrees)) / (degrees + prior)
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
// packets wait. Components that repeat themselves have spreads of their own.
type spreads struct{ rate, sum, blocked, foreign spread }

// all returns the spreads of a run over components of several jobs.
func (r *runSums) all() spreads {
	s := r.spreads[0]
	for _, p := range [][2]*spread{{&s.rate, &r.spreads[1].rate}, {&s.sum, &r.spreads[1].sum},
		{&s.blocked, &r.spreads[1].blocked}, {&s.foreign, &r.spreads[1].foreign}} {
		p[0].squares += p[1].squares
		p[0].degrees += p[1].degrees
	}
	return s
}

// own is what trajectories of one component have shown of these.
type own struct{ sum, blocked, foreign float64 }

// explore follows a component from the state that it is in, and then from drawn phases of its jobs
// of which the first half is left out: jobs that are parted have to meet first. What the state does
// is one of the phases.
func (e *Executor) explore(c *component, short, limit int64) (*trajectory, error) {
	t, err := e.stage.follow(c, max(1, short))
	if err != nil || !t.steady || t.alone() {
		return t, err
	}
	d := sampled{part: component{began: c.began}, trajectory: t}
	rng := rand.New(rand.NewPCG(c.jobs[0].job.Seed, uint64(c.began)))
	for i, k := range c.jobs {
		copied := *k
		copied.turn = float64(k.perIteration) / t.legs[i].rate
		copied.origin = c.began - int64(rng.Float64()*copied.turn)
		copied.lead = k.pause
		copied.entered += 1 << 32
		d.part.jobs = append(d.part.jobs, &copied)
	}
	longest := 0.0
	for i, k := range d.part.jobs {
		longest = max(longest, float64(k.perIteration)/t.legs[i].rate)
	}
	least := max(2*t.until, int64(min(float64(limit)*longShare,
		e.stage.config.longIterations()*longest)))
	d.extend(4 * least)
	for length := least; length <= 4*least; length *= 2 {
		other, err := e.stage.watch(&d.part, length)
		if err != nil {
			return t, err
		}
		if t.meet(other, d.part.jobs, length/2) {
			break
		}
	}
	if t.many < trajectories { // a job does not get on
		t.steady = false
		return t, nil
	}
	s := &e.sums.spreads[t.kind()]
	for i := range t.legs {
		s.rate.add(t.legs[i].own, 1)
	}
	s.sum.add(t.own.sum, 1)
	s.blocked.add(t.own.blocked, 1)
	s.foreign.add(t.own.foreign, 1)
	return t, nil
}

// alone reports whether a trajectory is that of a job that meets nobody and repeats itself.
func (c *trajectory) alone() bool { return c.exact && len(c.legs) == 1 }

// kind tells components apart that repeat themselves, and jobs that meet nobody.
func (c *trajectory) kind() int {
	if len(c.legs) == 1 {
		return 2
	}
	if c.exact {
		return 1
	}
	return 0
}

// meet takes the mean with a trajectory that began in other phases. It reports false where a job
// has done no turn in that.
func (c *trajectory) meet(other *trajectory, jobs []*jobState, from int64) bool {
	for i := range c.legs {
		if other.legs[i].turnsFrom(jobs[i], from) == 0 {
			return false
		}
	}
	sum := 0.0
	var waits [2]messageSums // a cycle
	for i := range c.legs {
		g, o := &c.legs[i], &other.legs[i]
		n := o.turnsFrom(jobs[i], from)
		_, _, both := o.halves(jobs[i], from)
		found := o.each
		if both.Messages > 0 {
			found = eachOf(both)
		}
		w := o.times(jobs[i], n)
		rate := float64(jobs[i].perIteration) * float64(n) / float64(w[n]-w[0])
		waits[0].addWaits(&g.each, g.rate)
		waits[1].addWaits(&found, rate)
		mean := (g.rate*float64(c.length) + rate*float64(from)) / float64(c.length+from)
		off := (rate - g.rate) / mean
		g.own = off * off / 2
		sum += off
		c.meetWaits(g, o.shares.of(&found), rate)
		if !c.exact {
			g.rate = mean
			for kind := latency; kind < sumKinds; kind++ {
				g.each[kind] = (g.each[kind]*float64(c.length) + found[kind]*float64(from)) /
					float64(c.length+from)
			}
		}
	}
	apart := func(kind int) float64 {
		a, b := waits[0][kind], waits[1][kind]
		if a+b == 0 {
			return 0
		}
		off := 2 * (a - b) / (a + b)
		return off * off / 2
	}
	c.own = own{sum * sum / 2 / float64(len(c.legs)), apart(blocked), apart(foreign)}
	c.many, c.length = trajectories, max(c.length, from)
	c.followed += float64(from)
	return true
}

// slowest returns the period of the slowest beat between jobs of a component, or the length of
// what was followed if that is longer.
func (c *component) slowest() float64 {
	if c.trajectory != nil {
		return max(c.beat(), float64(c.trajectory.length))
	}
	return c.beat()
}

// beat returns the period of the slowest beat between jobs of a component: infinity where two of
// them keep the same phase, 0 of a job that meets nobody.
func (c *component) beat() float64 {
	period := 0.0
	for _, k := range c.jobs {
		period = max(period, c.beatOf(k))
	}
	return period
}

// beatOf returns the period of the slowest beat between a job of a component and the others.
func (c *component) beatOf(k *jobState) float64 {
	period := 0.0
	for _, other := range c.jobs {
		if other != k && k.turn > 0 && other.turn > 0 {
			period = max(period, k.turn*other.turn/math.Abs(k.turn-other.turn))
		}
	}
	return period
}

// drifting is the variance of a sum over times, in which something is off by shares that are drawn
// anew with each period of the slowest beat. It is what one trajectory does that begins elsewhere.
type drifting struct {
	last     int64
	off      float64 // since a period or so
	variance float64
}

// add adds a time up to now in which the share has a variance. The sum of the offs of others moves
// with it.
func (d *drifting) add(now int64, cycles, variance, period float64, share, others float64) {
	decay := 1.0
	if period > 0 {
		decay = math.Exp(-float64(now-d.last) / period)
	}
	if cycles <= 0 {
		return
	}
	off := cycles * math.Sqrt(variance) * share
	d.variance += off*off/share*min(1, period/cycles) + 2*off*others
	d.off = d.off*decay + off
	d.last = now
}

// settled returns by what to multiply the variance between trajectories for that of their mean.
func (c *trajectory) settled() float64 {
	switch {
	case c.alone():
		return 0
	case c.exact: // it is one of the trajectories
		return 1
	}
	return 1 / float64(c.many)
}
