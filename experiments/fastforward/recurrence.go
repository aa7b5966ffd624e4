package fastforward

import (
	"slices"

	"contend/netsim"
	"contend/patterns"
	"contend/router"
)

// If a component has the same state at two moments of a trajectory, with times counted from the
// moment, its future is periodic: what happened between the two repeats until a job ends. Rates and
// the ends of iterations are then exact.

// maxStates is the number of states that are kept. It bounds the rounds of a period.
const maxStates = 8

// recurrence compares the states of a component at the ends of rounds. A round is over when each
// job has completed one more iteration.
type recurrence struct {
	enabled        bool // the whole state can be compared
	iterationEnded bool // a job has completed an iteration since the last comparison
	rounds         int
	states         [maxStates]savedState // by round, modulo maxStates
	startTotals    []netsim.Totals       // by job, when the period to measure began
	end            int64                 // cycle of the network in which it ends
}

// savedState is the state of a component at the end of a round.
type savedState struct {
	time       int64 // since the start of the component
	state      router.Snapshot
	iterations []int // completed iterations by job; empty if no state was saved
}

// begin resets the recurrence for the trajectory that the simulation begins.
func (r *recurrence) begin(s *isolatedSimulation) {
	r.iterationEnded, r.rounds, r.startTotals = false, 0, r.startTotals[:0]
	r.enabled = !s.fixedLength && !s.config.DrawsRoute && s.net.Comparable()
	for _, k := range s.component.jobs {
		r.enabled = r.enabled && !k.config.Draws() && !patterns.OwnSizes(k.config.Name)
	}
}

// findRecurrence compares the state at the end of a round with earlier ones. If it finds an equal
// one, it sets the rates and reports true.
func (s *isolatedSimulation) findRecurrence() bool {
	r := &s.recurrence
	if !r.enabled || !r.iterationEnded || s.elapsed() < 0 {
		return false
	}
	r.iterationEnded = false
	rounds := s.completedRounds()
	if rounds <= r.rounds {
		return false
	}
	now := &r.states[rounds%maxStates]
	for round := r.rounds + 1; round < rounds; round++ {
		r.states[round%maxStates].iterations = r.states[round%maxStates].iterations[:0]
	}
	r.rounds = rounds
	if !s.saveState(now) {
		r.enabled = false
		return false
	}
	for back := 1; back < min(maxStates, rounds); back++ {
		then := &r.states[(rounds-back)%maxStates]
		if len(then.iterations) > 0 && slices.Equal(then.state.Words, now.state.Words) {
			return s.setPeriod(then, now)
		}
	}
	return false
}

// completedRounds returns the number of iterations that every job has completed since the start.
func (s *isolatedSimulation) completedRounds() int {
	rounds := len(s.trajectory.progress[0].iterationEnds)
	for i := range s.trajectory.progress {
		g := &s.trajectory.progress[i]
		rounds = min(rounds, len(g.iterationEnds)-g.blocksBefore/s.component.jobs[i].blocks())
	}
	return rounds
}

// saveState saves the state of the component. It reports false if a program has no state to save.
func (s *isolatedSimulation) saveState(m *savedState) bool {
	m.time, m.iterations = s.elapsed(), m.iterations[:0]
	s.net.Snapshot(&m.state, s.links)
	words, ok := s.executor.AppendState(m.state.Words, len(s.component.jobs))
	for i, k := range s.component.jobs {
		m.iterations = append(m.iterations, len(s.trajectory.progress[i].iterationEnds))
		words = append(words, s.arrived[i]%k.perIteration)
	}
	m.state.Words = words
	return ok
}

// setPeriod makes the future repeat what happened between two moments.
func (s *isolatedSimulation) setPeriod(then, now *savedState) bool {
	period := now.time - then.time
	for i := range s.trajectory.progress {
		if period <= 0 || now.iterations[i] == then.iterations[i] {
			return false
		}
	}
	for i := range s.trajectory.progress {
		g, k := &s.trajectory.progress[i], s.component.jobs[i]
		g.anchorAt(k)
		g.period, g.periodEnds = period, g.periodEnds[:0]
		for _, m := range g.iterationEnds[then.iterations[i]:] {
			g.periodEnds = append(g.periodEnds, m+period-g.anchor)
		}
		g.rate = float64(k.perIteration) * float64(len(g.periodEnds)) / float64(period)
		g.halfWidth = 0
	}
	s.trajectory.exact = true
	return true
}

// measuredUntil returns the cycle up to which a steady trajectory is simulated to measure how long
// packets wait. Several jobs take one more period: how long packets under way have waited is no
// part of the state, so it may differ between the two moments.
func (r *recurrence) measuredUntil(s *isolatedSimulation) int64 {
	r.startTotals = r.startTotals[:0]
	if len(s.trajectory.progress) == 1 || s.trajectory.progress[0].period == 0 {
		return s.net.Now()
	}
	for i := range s.component.jobs {
		r.startTotals = append(r.startTotals, s.executor.Totals(int32(i)))
	}
	r.end = s.net.Now() + s.trajectory.progress[0].period
	return r.end
}

// discardRates removes the rates of a trajectory in which a job ends before all is measured.
func (t *trajectory) discardRates() {
	t.steady, t.exact = false, false
	for i := range t.progress {
		t.progress[i].rate, t.progress[i].period = 0, 0
	}
}

// samePeriodInFull reports whether a job that meets nobody repeats the period g also in the full
// simulation. A trajectory begins in an empty network. Arbiters, channels and credits in other
// states may lead to another period, or to another iteration of it. So all iterations of the
// trajectory must take equally long, and as long as those of the job alone in the full simulation,
// of which there must be at least as many as the period has.
func (e *Executor) samePeriodInFull(k *jobState, g *progress) bool {
	if e.isolated.regenerates(k) {
		return true
	}
	f, n := &k.full, int64(len(g.periodEnds))
	if f.component != k.component || f.iterations < max(minIterations, n) {
		return false
	}
	each := g.periodEnds[0]
	for i, end := range g.periodEnds {
		if end != int64(i+1)*each {
			return false
		}
	}
	return g.anchor*k.perIteration == int64(g.anchorMessages)*each &&
		f.lastEnd-f.windowStart == f.iterations*each
}

// endOfIteration returns the end of the n-th iteration after the anchor of a periodic future, the
// anchor itself for 0.
func (g *progress) endOfIteration(n int64) int64 {
	if n <= 0 {
		return g.anchor
	}
	perPeriod := int64(len(g.periodEnds))
	return g.anchor + (n-1)/perPeriod*g.period + g.periodEnds[(n-1)%perPeriod]
}

// iterationsBy returns the number of iterations of a periodic future that end by a time.
func (g *progress) iterationsBy(at int64) int64 {
	since := at - g.anchor
	n, _ := slices.BinarySearch(g.periodEnds, since%g.period+1)
	return since/g.period*int64(len(g.periodEnds)) + int64(n)
}

// periodicArrivedBy is arrivedBy for a periodic future. Messages count as arriving evenly between
// the ends of two iterations.
func (g *progress) periodicArrivedBy(k *jobState, at int64) float64 {
	n := g.iterationsBy(at)
	from, to := g.endOfIteration(n), g.endOfIteration(n+1)
	share := float64(at-from) / float64(max(1, to-from))
	return float64(k.base) + g.anchorMessages + (float64(n)+share)*float64(k.perIteration)
}

// periodicEndOf is endOf for a periodic future.
func (g *progress) periodicEndOf(k *jobState) int64 {
	left := k.total - k.base - int64(g.anchorMessages)
	n, rest := left/k.perIteration, left%k.perIteration
	end := g.endOfIteration(n)
	if rest > 0 { // of the last iteration
		end += (rest*(g.endOfIteration(n+1)-end) + k.perIteration - 1) / k.perIteration
	}
	return max(0, end)
}
