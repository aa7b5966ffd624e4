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

// maxStates is how many states are kept to compare with: it bounds the rounds of a period.
const maxStates = 8

// recurrence looks for an earlier state of a component at the ends of rounds. A round is over when
// each job has completed one more iteration, so it is about an iteration of the slowest job.
type recurrence struct {
	able   bool // the whole state is known
	marked bool // a job has completed an iteration since the last comparison
	rounds int
	kept   [maxStates]moment // by round, modulo their number
	sums   []netsim.Totals   // of the messages of the jobs when the measured period began
	end    int64             // cycle of the network in which it ends
}

// moment is the state of a component at the end of a round.
type moment struct {
	at    int64 // since the component began
	state router.Snapshot
	marks []int // iterations that the jobs have completed; empty if the state is not known
}

// begin prepares for the trajectory of a component.
func (r *recurrence) begin(s *stage) {
	r.marked, r.rounds, r.sums = false, 0, r.sums[:0]
	r.able = !s.fixedLength && !s.config.DrawsRoute && s.net.Comparable()
	for _, k := range s.component.jobs {
		r.able = r.able && !k.config.Draws() && !patterns.OwnSizes(k.config.Name)
	}
}

// recurs reports whether a round is over and the state is an earlier one, and sets the rates if so.
func (s *stage) recurs() bool {
	r := &s.recurrence
	if !r.able || !r.marked || s.local() < 0 {
		return false
	}
	r.marked = false
	rounds := s.completedRounds()
	if rounds <= r.rounds {
		return false
	}
	now := &r.kept[rounds%maxStates]
	for round := r.rounds + 1; round < rounds; round++ {
		r.kept[round%maxStates].marks = r.kept[round%maxStates].marks[:0]
	}
	r.rounds = rounds
	if !s.keep(now) {
		r.able = false
		return false
	}
	for back := 1; back < min(maxStates, rounds); back++ {
		then := &r.kept[(rounds-back)%maxStates]
		if len(then.marks) > 0 && slices.Equal(then.state.Words, now.state.Words) {
			return s.repeatFrom(then, now)
		}
	}
	return false
}

// completedRounds returns how many iterations each job has completed since the component began.
func (s *stage) completedRounds() int {
	rounds := len(s.trajectory.progress[0].marks)
	for i := range s.trajectory.progress {
		g := &s.trajectory.progress[i]
		rounds = min(rounds, len(g.marks)-g.before/s.component.jobs[i].blocks())
	}
	return rounds
}

// keep takes the state of the component. It reports false if a program does not know its own.
func (s *stage) keep(m *moment) bool {
	m.at, m.marks = s.local(), m.marks[:0]
	s.net.Snapshot(&m.state, s.links)
	words, ok := s.x.AppendState(m.state.Words, len(s.component.jobs))
	for i, k := range s.component.jobs {
		m.marks = append(m.marks, len(s.trajectory.progress[i].marks))
		words = append(words, s.counts[i]%k.perIteration)
	}
	m.state.Words = words
	return ok
}

// repeatFrom makes what happened between two moments the period of the future.
func (s *stage) repeatFrom(then, now *moment) bool {
	period := now.at - then.at
	for i := range s.trajectory.progress {
		if period <= 0 || now.marks[i] == then.marks[i] {
			return false
		}
	}
	for i := range s.trajectory.progress {
		g, k := &s.trajectory.progress[i], s.component.jobs[i]
		g.anchorAt(k)
		g.period, g.periodEnds = period, g.periodEnds[:0]
		for _, m := range g.marks[then.marks[i]:] {
			g.periodEnds = append(g.periodEnds, m+period-g.anchor)
		}
		g.rate = float64(k.perIteration) * float64(len(g.periodEnds)) / float64(period)
		g.half = 0
	}
	s.trajectory.exact = true
	return true
}

// measured returns the cycle of the network up to which a periodic trajectory is simulated to
// measure how long packets wait: where jobs have met, for a period more. Waits so far are no part
// of the state, so packets on their way at the first of the two moments may have waited for longer
// or shorter than those at the second.
func (r *recurrence) measured(s *stage) int64 {
	r.sums = r.sums[:0]
	if len(s.trajectory.progress) == 1 || s.trajectory.progress[0].period == 0 {
		return s.net.Now()
	}
	for i := range s.component.jobs {
		r.sums = append(r.sums, s.x.Totals(int32(i)))
	}
	r.end = s.net.Now() + s.trajectory.progress[0].period
	return r.end
}

// notSteady takes back the rates of a trajectory in which a job ends before all was measured.
func (t *trajectory) notSteady() {
	t.steady, t.exact = false, false
	for i := range t.progress {
		t.progress[i].rate, t.progress[i].period = 0, 0
	}
}

// repeats reports whether a job that is alone, and whose trajectory is periodic, is in the same
// period in the full simulation, from which it is to leave. A trajectory begins in an empty
// network, and the job may be in another period where arbiters, channels or credits are left
// otherwise. So the iterations that it has done alone in the full simulation, as many as are in a
// period at least, have to take as long as as many in a row of that.
func (e *Executor) repeats(k *jobState, g *progress) bool {
	if e.stage.regenerates(k) {
		return true
	}
	f, n := &k.full, int64(len(g.periodEnds))
	if f.component != k.component || f.iterations < max(minIterations, n) {
		return false
	}
	for first := range n {
		if g.endOfIteration(first+f.iterations)-g.endOfIteration(first) == f.last-f.from {
			return true
		}
	}
	return false
}

// endOfIteration returns when the n-th iteration after the anchor ends, and the anchor for 0, of a
// job whose future is periodic.
func (g *progress) endOfIteration(n int64) int64 {
	if n <= 0 {
		return g.anchor
	}
	perPeriod := int64(len(g.periodEnds))
	return g.anchor + (n-1)/perPeriod*g.period + g.periodEnds[(n-1)%perPeriod]
}

// endedBy returns how many iterations of such a job end from the anchor to a time.
func (g *progress) endedBy(at int64) int64 {
	since := at - g.anchor
	n, _ := slices.BinarySearch(g.periodEnds, since%g.period+1)
	return since/g.period*int64(len(g.periodEnds)) + int64(n)
}

// periodicCount is count for such a job, whose messages count as arriving evenly between the ends
// of two iterations.
func (g *progress) periodicCount(k *jobState, at int64) float64 {
	n := g.endedBy(at)
	from, to := g.endOfIteration(n), g.endOfIteration(n+1)
	share := float64(at-from) / float64(max(1, to-from))
	return float64(k.base) + g.anchored + (float64(n)+share)*float64(k.perIteration)
}

// periodicEnd is endOf for such a job.
func (g *progress) periodicEnd(k *jobState) int64 {
	left := k.total - k.base - int64(g.anchored)
	n, rest := left/k.perIteration, left%k.perIteration
	end := g.endOfIteration(n)
	if rest > 0 { // of the last iteration
		end += (rest*(g.endOfIteration(n+1)-end) + k.perIteration - 1) / k.perIteration
	}
	return max(0, end)
}
