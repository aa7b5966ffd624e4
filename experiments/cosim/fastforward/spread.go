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

func (s *spread) add(variance, degrees float64) {
	s.squares += variance * degrees
	s.degrees += degrees
}

// with returns the variance of a component in which it was found to be own, with so many degrees
// of freedom: the mean of the two (a moderated variance, Smyth 2004).
func (s *spread) with(own, degrees float64) float64 {
	prior := min(priorDegrees, s.degrees)
	if degrees+prior == 0 {
		return 0
	}
	return (own*degrees + prior*s.squares/max(1, s.degrees)) / (degrees + prior)
}

// half returns the half width of a 95% interval that follows from a variance.
func (s *spread) half(variance float64) float64 {
	if variance == 0 {
		return 0
	}
	return stats.Half(variance, max(1, int(s.degrees)), confidence)
}

// spreads are those of a run: of rates, of their sums over the jobs of a component, and of what
// packets wait. Components that repeat themselves have spreads of their own.
type spreads struct{ rate, sum, blocked, foreign spread }

// own is what trajectories of one component have shown of these.
type own struct{ sum, blocked, foreign float64 }

// explore follows a component from the state that it is in, and then from drawn phases of its jobs
// for as long. What the state does is one of the phases.
func (e *Executor) explore(c *component, limit int64) (*trajectory, error) {
	t, err := e.stage.follow(c, max(1, limit))
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
	d.extend(4 * t.until)
	for length := t.until; length <= 4*t.until; length *= 2 {
		other, err := e.stage.watch(&d.part, length)
		if err != nil {
			return t, err
		}
		if t.meet(other, d.part.jobs) {
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

// kind tells components apart that repeat themselves.
func (c *trajectory) kind() int {
	if c.exact {
		return 1
	}
	return 0
}

// meet takes the mean with a trajectory that began in other phases. It reports false where a job
// has done no turn in that.
func (c *trajectory) meet(other *trajectory, jobs []*jobState) bool {
	for i := range c.legs {
		if other.legs[i].turns(jobs[i]) == 0 {
			return false
		}
	}
	sum := 0.0
	var waits [2]messageSums // a cycle
	for i := range c.legs {
		g, o := &c.legs[i], &other.legs[i]
		n := o.turns(jobs[i])
		w := o.times(jobs[i], n)
		rate := float64(jobs[i].perIteration) * float64(n) / float64(w[n]-w[0])
		waits[0].addWaits(&g.each, g.rate)
		waits[1].addWaits(&o.each, rate)
		mean := (g.rate + rate) / 2
		off := (rate - g.rate) / mean
		g.own = off * off / 2
		sum += off
		if !c.exact {
			g.rate = mean
			for kind := latency; kind < sumKinds; kind++ {
				g.each[kind] = (g.each[kind] + o.each[kind]) / 2
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
	c.many = trajectories
	return true
}

// settled returns by what to multiply the variance between trajectories, for that of what is
// foreseen for so many cycles. Of that a part is the error of their mean. The other part is that
// what happens is one trajectory as well. It goes through other phases by the time: as many as
// the slowest beat of its jobs has periods, none where they keep the same phase.
func (c *trajectory) settled(p *component, cycles float64) float64 {
	many := float64(c.many)
	if c.exact { // it is one of the trajectories
		many = 1
	}
	slowest := float64(c.length)
	for i := range c.legs {
		for j := range i {
			a := c.legs[i].rate / float64(p.jobs[i].perIteration)
			b := c.legs[j].rate / float64(p.jobs[j].perIteration)
			slowest = max(slowest, 1/math.Abs(a-b)) // infinity for equal ones
		}
	}
	return 1/many + min(1, slowest/max(1, cycles))
}
