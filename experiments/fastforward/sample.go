package fastforward

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// drawn keeps some of many trajectories, in proportion to their weights: priority sampling
// (Duffield, Lund and Thorup, J. ACM 54, 2007). A trajectory has a priority, its weight over a
// number drawn from 0 to 1, and those of the greatest priorities are kept. Let the threshold τ be
// the greatest priority of all others. The sum of a value over the trajectories that are kept, each
// divided by its chance min(1, weight/τ), is an unbiased estimate of the sum over all.
type drawn struct {
	want      int // trajectories to keep
	list      []sampled
	threshold float64 // 0 if all are kept
	last      int     // place of the one of least priority, once as many are kept as wanted
}

// sampled is a jump: a component as it was when its trajectory began, the trajectory, and how long
// it lasted.
type sampled struct {
	component  component
	trajectory *trajectory
	lasted     int64
	messages   []float64 // of the jobs, in the trajectory
	weight     float64   // packets of the trajectory
	priority   float64
}

// offer may keep a trajectory that ends now, after the cycles that it lasted.
func (d *drawn) offer(c *component, lasted int64, rng *rand.Rand) {
	if d.want == 0 {
		return
	}
	s := sampled{trajectory: c.trajectory, lasted: lasted}
	for i := range c.jobs {
		s.weight += (c.doneAt(i, lasted) - c.jobs[i].done) * c.trajectory.progress[i].each[packets]
	}
	if s.weight == 0 { // nothing has arrived
		return
	}
	s.priority = s.weight / (1 - rng.Float64())
	full := len(d.list) == d.want
	if full {
		d.threshold = max(d.threshold, min(s.priority, d.list[d.last].priority))
		if s.priority <= d.list[d.last].priority {
			return
		}
	}
	s.component.began = c.began
	for i, k := range c.jobs {
		s.messages = append(s.messages, c.doneAt(i, lasted)-k.done)
		copied := *k
		copied.component, copied.full.component = nil, nil // they would keep later components
		copied.iterationCycles = 0                         // the job was rewound before
		s.component.jobs = append(s.component.jobs, &copied)
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

// chance returns by what to divide what a trajectory that is kept adds to a sum over all.
func (d *drawn) chance(s *sampled) float64 {
	if d.threshold == 0 {
		return 1
	}
	return min(1, s.weight/d.threshold)
}

// keep drops the trajectories of least priority until the messages of simulations of their lengths
// are within a budget.
func (d *drawn) keep(budget float64, times int64) {
	slices.SortFunc(d.list, func(a, b sampled) int { return cmp.Compare(b.priority, a.priority) })
	for i := range d.list {
		s := &d.list[i]
		for j := range s.component.jobs {
			budget -= float64(s.length(times)) * s.trajectory.progress[j].rate
		}
		if budget < 0 {
			d.threshold, d.list = s.priority, d.list[:i]
			return
		}
	}
}

// length returns for how long to simulate a trajectory: 2·times as long as before, and at least
// for 8·times iterations of the slowest job.
func (s *sampled) length(times int64) int64 {
	longest := 0.0
	for i, k := range s.component.jobs {
		longest = max(longest, float64(k.perIteration)/s.trajectory.progress[i].rate)
	}
	return max(2*times*s.trajectory.until, int64(float64(8*times)*longest))
}

// extend gives the jobs more iterations, so that none ends within a time: ten times as many as they
// are estimated to complete in it, and ten.
func (s *sampled) extend(length int64) {
	for i, k := range s.component.jobs {
		iterations := float64(length) * s.trajectory.progress[i].rate / float64(k.perIteration)
		k.total += k.perIteration * int64(10+10*iterations)
	}
}

// exactly reports whether iterations of a job end in the cycles in which those of the trajectory
// do, and whether packets wait as long in a period. It has seen nothing where no iteration ends.
func (s *sampled) exactly(job int, full *progress) (same, seen bool) {
	k, jump := s.component.jobs[job], &s.trajectory.progress[job]
	near := 1e-6 * float64(k.perIteration) // far less than a cycle
	first := 0.0                           // messages that the jump is ahead at the first mark
	same = true
	for i, mark := range full.marks {
		if mark <= jump.anchor {
			continue
		}
		have := float64(k.base + int64(i+1)*k.perIteration)
		lead := jump.count(k, mark, s.component.began) - have
		// How far the first iteration of a trajectory that was recalled has come is an estimate.
		if !seen && s.trajectory.until == 0 {
			first = lead
		}
		seen = true
		same = same && math.Abs(lead-first) <= near
	}
	last, n := len(full.sums)-1, len(jump.periodEnds)*k.blocks()
	if n > 0 && last >= n && full.blocks[last-n] >= jump.anchor {
		same = same && eachOf(full.sums[last].Minus(&full.sums[last-n])) == jump.each
	}
	return same, seen
}
