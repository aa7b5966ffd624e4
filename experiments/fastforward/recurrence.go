package fastforward

import (
	"slices"

	"contend/netsim"
	"contend/patterns"
	"contend/router"
)

// Where all that the future of a component depends on is at one moment as it was at an earlier one
// of the same trajectory, times counted from the moment, the future is periodic: all that has
// happened between the two happens again and again, until a job ends. The rates are exact, and so
// are the times at which jobs complete their iterations.

// mostKept is how many states are kept to compare with: a period is found that has as many rounds.
const mostKept = 8

// recurrence looks for an earlier state of a component. It looks at the ends of rounds: a round is
// over when each job has completed one more iteration, so that it is about an iteration of the
// slowest job.
type recurrence struct {
	able   bool // all of the state can be told
	marked bool // a job has completed an iteration since the last look
	rounds int
	kept   [mostKept]moment // by round, modulo their number
	sums   []netsim.Totals  // of the messages of the jobs when the period began that is measured
	end    int64            // cycle of the network in which it ends
}

// moment is the state of a component at the end of a round.
type moment struct {
	at    int64 // since the component began
	state router.Snapshot
	marks []int // iterations that the jobs have completed
}

// begin prepares for the trajectory of a component.
func (r *recurrence) begin(s *stage) {
	r.marked, r.rounds, r.sums = false, 0, r.sums[:0]
	r.able = !s.watching && !s.config.DrawsRoute && s.net.Comparable()
	for _, k := range s.part.jobs {
		r.able = r.able && !k.config.Draws() && !patterns.OwnSizes(k.config.Name)
	}
}

// recurs looks whether the state is an earlier one, if a round is over, and sets the rates if so.
func (s *stage) recurs() bool {
	r := &s.recurrence
	if !r.able || !r.marked || s.local() < 0 {
		return false
	}
	r.marked = false
	least := s.leastMarks()
	if least <= r.rounds {
		return false
	}
	now := &r.kept[least%mostKept]
	for round := r.rounds + 1; round < least; round++ {
		r.kept[round%mostKept].marks = r.kept[round%mostKept].marks[:0]
	}
	r.rounds = least
	if !s.keep(now) {
		r.able = false
		return false
	}
	for back := 1; back < min(mostKept, least); back++ {
		then := &r.kept[(least-back)%mostKept]
		if len(then.marks) > 0 && slices.Equal(then.state.Words, now.state.Words) {
			return s.repeatFrom(then, now)
		}
	}
	return false
}

// leastMarks returns how many iterations each job has completed since the component began.
func (s *stage) leastMarks() int {
	least := len(s.trajectory.legs[0].marks)
	for i := range s.trajectory.legs {
		g := &s.trajectory.legs[i]
		least = min(least, len(g.marks)-g.before/s.part.jobs[i].blocks())
	}
	return least
}

// keep takes the state of the component. It reports false if a program does not tell its own.
func (s *stage) keep(m *moment) bool {
	m.at, m.marks = s.local(), m.marks[:0]
	s.net.Snapshot(&m.state, s.links)
	words, ok := s.x.AppendState(m.state.Words, len(s.part.jobs))
	for i, k := range s.part.jobs {
		m.marks = append(m.marks, len(s.trajectory.legs[i].marks))
		words = append(words, s.counts[i]%k.perIteration)
	}
	m.state.Words = words
	return ok
}

// repeatFrom has what happened from one moment to another happen again and again.
func (s *stage) repeatFrom(then, now *moment) bool {
	period := now.at - then.at
	for i := range s.trajectory.legs {
		if period <= 0 || now.marks[i] == then.marks[i] {
			return false
		}
	}
	for i := range s.trajectory.legs {
		g, k := &s.trajectory.legs[i], s.part.jobs[i]
		g.anchorAt(k)
		g.period, g.beats = period, g.beats[:0]
		for _, m := range g.marks[then.marks[i]:] {
			g.beats = append(g.beats, m+period-g.anchor)
		}
		g.rate = float64(k.perIteration) * float64(len(g.beats)) / float64(period)
		g.half = 0
	}
	s.trajectory.exact = true
	return true
}

// measured returns the cycle of the network up to which a trajectory is simulated to measure how
// long packets wait: for a period more where jobs have met. What was measured is no state, and
// packets that are on their way at the first of the two moments may have waited for longer or less
// than those at the second.
func (r *recurrence) measured(s *stage) int64 {
	r.sums = r.sums[:0]
	if len(s.trajectory.legs) == 1 || s.trajectory.legs[0].period == 0 {
		return s.net.Now()
	}
	for i := range s.part.jobs {
		r.sums = append(r.sums, s.x.Totals(int32(i)))
	}
	r.end = s.net.Now() + s.trajectory.legs[0].period
	return r.end
}

// forget takes back what was found of a trajectory in which a job ends before all was measured.
func (c *trajectory) forget() {
	c.steady, c.exact = false, false
	for i := range c.legs {
		c.legs[i].rate, c.legs[i].period = 0, 0
	}
}

// repeats reports whether a job that is alone, and whose trajectory is periodic, is in the same
// period in the full simulation, from which it is to leave. A trajectory begins in an empty
// network, and the job may be in another period where arbiters, channels or credits are left
// otherwise. So the iterations that it has done alone in the full simulation, as many as are in a
// period at least, have to take as long as some in a row of that.
func (e *Executor) repeats(k *jobState, g *leg) bool {
	if e.stage.forgets(k) {
		return true
	}
	l, n := &k.live, int64(len(g.beats))
	if l.part != k.part || l.turns < max(leastIterations, n) {
		return false
	}
	for first := range n {
		if g.beat(first+l.turns)-g.beat(first) == l.last-l.from {
			return true
		}
	}
	return false
}

// beat returns the time of an iteration of a leg whose future is periodic, counted from the anchor
// on: that of the first that ends after it is 1.
func (g *leg) beat(n int64) int64 {
	if n <= 0 {
		return g.anchor
	}
	many := int64(len(g.beats))
	return g.anchor + (n-1)/many*g.period + g.beats[(n-1)%many]
}

// beaten returns how many iterations end from the anchor of such a leg to a time.
func (g *leg) beaten(at int64) int64 {
	since := at - g.anchor
	n, _ := slices.BinarySearch(g.beats, since%g.period+1)
	return since/g.period*int64(len(g.beats)) + int64(n)
}

// periodicCount is count for such a leg, between whose marks messages count as arriving evenly.
func (g *leg) periodicCount(k *jobState, at int64) float64 {
	n := g.beaten(at)
	from, to := g.beat(n), g.beat(n+1)
	part := float64(at-from) / float64(max(1, to-from))
	return float64(k.base) + g.anchored + (float64(n)+part)*float64(k.perIteration)
}

// periodicEnd is endOf for such a leg.
func (g *leg) periodicEnd(k *jobState) int64 {
	left := k.total - k.base - int64(g.anchored)
	n, rest := left/k.perIteration, left%k.perIteration
	end := g.beat(n)
	if rest > 0 { // of the last iteration
		end += (rest*(g.beat(n+1)-end) + k.perIteration - 1) / k.perIteration
	}
	return max(0, end)
}
