package fastforward

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// jumpSample keeps some of many jumps, in proportion to their weights: priority sampling (Duffield,
// Lund and Thorup, J. ACM 54, 2007). The priority of a jump is its weight divided by a number drawn
// from 0 to 1, and those of the greatest priorities are kept. Let the threshold τ be the greatest
// priority of all others. The sum of a value over the kept jumps, each divided by its inclusion
// probability min(1, weight/τ), is an unbiased estimate of the sum over all.
type jumpSample struct {
	size      int // jumps to keep
	jumps     []sampledJump
	threshold float64 // 0 if all are kept
	lowest    int     // index of the jump of least priority, once size jumps are kept
}

// sampledJump is a jump that is kept to be simulated again.
type sampledJump struct {
	component  component // as it was when the jump began
	trajectory *trajectory
	cycles     int64
	messages   []float64 // that arrived in the jump, by job
	weight     float64   // packets of the jump
	priority   float64
}

// offer may keep the jump of a component that ends now, after the cycles that it lasted.
func (d *jumpSample) offer(c *component, lasted int64, rng *rand.Rand) {
	if d.size == 0 {
		return
	}
	s := sampledJump{trajectory: c.trajectory, cycles: lasted}
	for i, k := range c.jobs {
		s.messages = append(s.messages, c.arrivedBy(i, lasted)-k.done)
		s.weight += s.messages[i] * c.trajectory.progress[i].perMessage[packets]
	}
	if s.weight == 0 { // nothing has arrived
		return
	}
	s.priority = s.weight / (1 - rng.Float64())
	full := len(d.jumps) == d.size
	if full {
		d.threshold = max(d.threshold, min(s.priority, d.jumps[d.lowest].priority))
		if s.priority <= d.jumps[d.lowest].priority {
			return
		}
	}
	s.component.start = c.start
	for _, k := range c.jobs {
		copied := *k
		copied.component, copied.full.component = nil, nil // they would keep later components
		copied.iterationCycles = 0                         // the job was rewound before
		s.component.jobs = append(s.component.jobs, &copied)
	}
	if !full {
		d.jumps = append(d.jumps, s)
	} else {
		d.jumps[d.lowest] = s
	}
	if len(d.jumps) == d.size {
		d.lowest = 0
		for i := range d.jumps {
			if d.jumps[i].priority < d.jumps[d.lowest].priority {
				d.lowest = i
			}
		}
	}
}

// inclusion returns the inclusion probability of a kept jump.
func (d *jumpSample) inclusion(s *sampledJump) float64 {
	if d.threshold == 0 {
		return 1
	}
	return min(1, s.weight/d.threshold)
}

// limitTo drops the jumps of least priority until the messages to simulate are within a budget.
func (d *jumpSample) limitTo(budget float64, times int64) {
	slices.SortFunc(d.jumps, func(a, b sampledJump) int { return cmp.Compare(b.priority, a.priority) })
	for i := range d.jumps {
		s := &d.jumps[i]
		for j := range s.component.jobs {
			budget -= float64(s.checkCycles(times)) * s.trajectory.progress[j].rate
		}
		if budget < 0 {
			d.threshold, d.jumps = s.priority, d.jumps[:i]
			return
		}
	}
}

// checkCycles returns the length of a check: 2·times that of the trajectory, and at least 8·times
// iterations of the slowest job.
func (s *sampledJump) checkCycles(times int64) int64 {
	longest := 0.0
	for i, k := range s.component.jobs {
		longest = max(longest, float64(k.perIteration)/s.trajectory.progress[i].rate)
	}
	return max(2*times*s.trajectory.simulated, int64(float64(8*times)*longest))
}

// extendJobs adds iterations to the jobs, so that none ends within a time: ten, and ten times the
// estimated number in that time.
func (s *sampledJump) extendJobs(length int64) {
	for i, k := range s.component.jobs {
		iterations := float64(length) * s.trajectory.progress[i].rate / float64(k.perIteration)
		k.total += k.perIteration * int64(10+10*iterations)
	}
}

// reproduced reports whether the iterations of a job end in a full simulation in the same cycles as
// in the jump, and whether packets wait as long in a period. Nothing is seen if no iteration ends.
func (s *sampledJump) reproduced(job int, full *progress) (same, seen bool) {
	k, jump := s.component.jobs[job], &s.trajectory.progress[job]
	near := 1e-6 * float64(k.perIteration) // far less than a cycle
	first := 0.0                           // messages that the jump is ahead at the first mark
	same = true
	for i, mark := range full.iterationEnds {
		if mark <= jump.anchor {
			continue
		}
		have := float64(k.base + int64(i+1)*k.perIteration)
		lead := jump.arrivedBy(k, mark, s.component.start) - have
		// How far the first iteration of a trajectory that was recalled has come is an estimate.
		if !seen && s.trajectory.simulated == 0 {
			first = lead
		}
		seen = true
		same = same && math.Abs(lead-first) <= near
	}
	last, n := len(full.blockTotals)-1, len(jump.periodEnds)*k.blocks()
	if n > 0 && last >= n && full.blockEnds[last-n] >= jump.anchor {
		period := full.blockTotals[last].Minus(&full.blockTotals[last-n])
		same = same && meansOf(period) == jump.perMessage
	}
	return same, seen
}
