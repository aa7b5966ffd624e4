package fastforward

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// drawn keeps some of many trajectories, in proportion to their weights: priority sampling
// (Duffield, Lund and Thorup, J. ACM 54, 2007). A trajectory has a priority, its weight over a
// number drawn from 0 to 1, and those of the greatest priorities are kept. Let the bar be the
// greatest priority of all others. What is summed over the trajectories that are kept, each
// divided by the smaller of 1 and its weight over the bar, is without bias what is summed over
// all, as if that were its chance.
type drawn struct {
	want int // trajectories to keep
	list []sampled
	bar  float64 // 0 if all are kept
	last int     // place of the one of least priority, once as many are kept as wanted
}

// sampled is a jump: a component as it was when its trajectory began, what was foreseen, and how
// long the trajectory lasted.
type sampled struct {
	part       component
	trajectory *trajectory
	lasted     int64
	messages   []float64 // of the jobs, in the trajectory
	weight     float64   // packets of the trajectory
	priority   float64
}

// offer may keep a trajectory that ends now, after a time of so many cycles.
func (d *drawn) offer(p *component, lasted int64, rng *rand.Rand) {
	if d.want == 0 {
		return
	}
	s := sampled{trajectory: p.trajectory, lasted: lasted}
	for i := range p.jobs {
		s.weight += (p.doneAt(i, lasted) - p.jobs[i].done) * p.trajectory.legs[i].each[packets]
	}
	if s.weight == 0 { // nothing has arrived
		return
	}
	s.priority = s.weight / (1 - rng.Float64())
	full := len(d.list) == d.want
	if full {
		d.bar = max(d.bar, min(s.priority, d.list[d.last].priority))
		if s.priority <= d.list[d.last].priority {
			return
		}
	}
	s.part.began = p.began
	for i, k := range p.jobs {
		s.messages = append(s.messages, p.doneAt(i, lasted)-k.done)
		copied := *k
		copied.part = nil // it would keep all components that jobs of it are in later
		copied.live.part = nil
		copied.turn = 0 // its trajectory began that many iterations back already
		s.part.jobs = append(s.part.jobs, &copied)
	}
	if !full {
		d.list = append(d.list, s)
	} else {
		d.list[d.last] = s
	}
	if len(d.list) == d.want {
		d.last = 0
		for i := range d.list {
			if d.list[i].priority < d.list[d.last].priority {
				d.last = i
			}
		}
	}
}

// chance returns by what to divide what a trajectory that is kept adds to a sum over all
// trajectories.
func (d *drawn) chance(s *sampled) float64 {
	if d.bar == 0 {
		return 1
	}
	return min(1, s.weight/d.bar)
}

// keep gives up the trajectories of least priority until the messages of simulations of so many
// times their lengths are within a budget.
func (d *drawn) keep(budget float64, times int64) {
	slices.SortFunc(d.list, func(a, b sampled) int { return cmp.Compare(b.priority, a.priority) })
	for i := range d.list {
		s := &d.list[i]
		for j := range s.part.jobs {
			budget -= float64(s.length(times)) * s.trajectory.legs[j].rate
		}
		if budget < 0 {
			d.bar, d.list = s.priority, d.list[:i]
			return
		}
	}
}

// length returns for how long to simulate a trajectory: so many times what was simulated to
// foresee it, and as much again, and at least until the slowest job has done several times as many
// iterations.
func (s *sampled) length(times int64) int64 {
	longest := 0.0
	for i, k := range s.part.jobs {
		longest = max(longest, float64(k.perIteration)/s.trajectory.legs[i].rate)
	}
	return max(2*times*s.trajectory.until, int64(float64(8*times)*longest))
}

// extend gives the jobs so many iterations more that none ends within a time: ten times as many as
// they are foreseen to do, and ten.
func (s *sampled) extend(length int64) {
	for i, k := range s.part.jobs {
		turns := float64(length) * s.trajectory.legs[i].rate / float64(k.perIteration)
		k.total += k.perIteration * int64(10+10*turns)
	}
}

// exactly reports whether iterations of a job end in the cycles that were foreseen, and whether
// packets wait in a period as long as was foreseen. It has seen nothing where no iteration ends.
func (s *sampled) exactly(job int, full *leg) (same, seen bool) {
	k, foreseen := s.part.jobs[job], &s.trajectory.legs[job]
	near := 1e-6 * float64(k.perIteration) // far less than a cycle
	first := 0.0
	same = true
	for i, mark := range full.marks {
		if mark <= foreseen.anchor {
			continue
		}
		have := float64(k.base + int64(i+1)*k.perIteration)
		off := foreseen.count(k, mark, s.part.began) - have
		// How far the first iteration of a trajectory that was recalled has come is an estimate.
		if !seen && s.trajectory.until == 0 {
			first = off
		}
		seen = true
		same = same && math.Abs(off-first) <= near
	}
	last, n := len(full.sums)-1, len(foreseen.beats)*k.blocks()
	if n > 0 && last >= n && full.blocks[last-n] >= foreseen.anchor {
		same = same && eachOf(full.sums[last].Minus(&full.sums[last-n])) == foreseen.each
	}
	return same, seen
}
