package fastforward

import (
	"math"
	"sort"

	"contend/netsim"
	"contend/router"
)

// trajectory is the progress of the jobs of a component from its start on.
type trajectory struct {
	progress  []progress // by job
	simulated int64      // time up to which it was simulated
	steady    bool       // the jobs make progress at their rates from then on
	exact     bool       // the future is periodic, and the rates are no estimates
	usable    int64      // time up to which the rates may be used
	pool                 // of the windows that the rates were estimated from
	period    float64    // cycles for which the jobs keep their phases
	observed  float64    // cycles of the window in whose phases the jump begins, or 0
	knowledge *knowledge // what is known of the component
	links     []linkUse
	flits     int64 // of the messages that arrived
}

// linkUse counts the flits that have crossed a link.
type linkUse struct {
	link  router.Link
	flits int64
}

// progress is the trajectory of one job.
type progress struct {
	iterationEnds []int64         // times at which the job completed iterations since its origin
	blockEnds     []int64         // times at which it completed blocks of iterations
	blocksBefore  int             // blocks that ended before the component began
	blockTotals   []netsim.Totals // at blockEnds; kept in trajectories of fixed length
	// totalsBefore is the sum of its messages that arrived until the component began.
	totalsBefore  netsim.Totals
	arrivedAtStop float64 // messages since the base that had arrived where the simulation ended
	stopTime      int64   // when that was

	// From the anchor on, when anchored messages since the base had arrived, messages arrive at
	// the rate, if the trajectory is steady.
	estimate
	anchor         int64
	anchorMessages float64
	// Where the future is periodic, periodEnds are the times after the anchor at which the
	// iterations of a period end, and period is its length; else 0.
	periodEnds []int64
	period     int64
	endTime    int64 // when the job ended in the simulation; -1: not
}

// never is a time after the end of every run.
const never = math.MaxInt64 / 4

// exactAlone reports whether the trajectory is that of one job whose future is periodic.
func (t *trajectory) exactAlone() bool { return t.exact && len(t.progress) == 1 }

// estimates returns the estimates of all jobs.
func (t *trajectory) estimates() []estimate {
	list := make([]estimate, len(t.progress))
	for i := range list {
		list[i] = t.progress[i].estimate
	}
	return list
}

// arrivedBy returns the messages of the job that have arrived by a time, interpolated in
// iterations.
func (g *progress) arrivedBy(k *jobState, at, began int64) float64 {
	base := float64(k.base)
	if g.period > 0 && at >= g.anchor {
		return g.periodicArrivedBy(k, at)
	}
	if g.rate > 0 && at >= g.anchor {
		return base + g.anchorMessages + g.rate*float64(at-g.anchor)
	}
	if g.endTime >= 0 && at >= g.endTime {
		return float64(k.total)
	}
	i := g.completed(at)
	from, to := k.origin-began, g.stopTime
	have, upTo := float64(i)*float64(k.perIteration), g.arrivedAtStop
	if i > 0 {
		from = g.iterationEnds[i-1]
	}
	if i < len(g.iterationEnds) {
		to, upTo = g.iterationEnds[i], have+float64(k.perIteration)
	}
	if to <= from {
		return base + upTo
	}
	return base + have + (upTo-have)*min(1, float64(at-from)/float64(to-from))
}

// completed returns the number of iterations that the job completed by a time of the simulation.
func (g *progress) completed(at int64) int {
	return sort.Search(len(g.iterationEnds), func(i int) bool { return g.iterationEnds[i] > at })
}

// arrivedBy returns the messages of a job that have arrived by a time of its trajectory.
func (c *component) arrivedBy(job int, at int64) float64 {
	k, g := c.jobs[job], &c.trajectory.progress[job]
	done := min(float64(k.total), g.arrivedBy(k, at, c.start))
	// Rounding may leave a fraction of a message where the trajectory says that the job ends.
	if at >= g.endOf(k) || float64(k.total)-done < 1e-6 {
		done = float64(k.total)
	}
	return max(done, k.done) // a trajectory may enter its first iteration a little later
}

// moveOrigin moves the origin of the job to the beginning of its iteration at a time.
func (g *progress) moveOrigin(k *jobState, at, began int64) {
	m := float64(k.perIteration)
	if n := len(g.iterationEnds); n > 1 {
		k.iterationCycles = float64(g.iterationEnds[n-1]-g.iterationEnds[0]) / float64(n-1)
	}
	if g.period > 0 && at >= g.anchor {
		n := g.iterationsBy(at)
		k.iterationCycles = m / g.rate
		k.base += int64(g.anchorMessages) + n*k.perIteration
		k.origin, k.computeCycles = began+g.endOfIteration(n), k.laterCompute
		return
	}
	if g.rate > 0 && at >= g.anchor {
		k.iterationCycles = m / g.rate
		have := g.anchorMessages + g.rate*float64(at-g.anchor)
		whole := math.Floor(have/m + 1e-9)
		since := int64(math.Round((have - whole*m) / g.rate))
		if whole > 0 {
			k.base += int64(whole) * k.perIteration
			k.origin, k.computeCycles = began+at-max(0, since), k.laterCompute
		}
		return
	}
	if i := g.completed(at); i > 0 {
		k.base += int64(i) * k.perIteration
		k.origin, k.computeCycles = began+g.iterationEnds[i-1], k.laterCompute
	}
}

// endsBy reports whether a job of the component has ended by a cycle.
func (t *trajectory) endsBy(c *component, cycle int64) bool {
	for i := range t.progress {
		if t.progress[i].endOf(c.jobs[i])+c.start <= cycle {
			return true
		}
	}
	return false
}

// endOf returns the time at which the job ends, or never if it is not known.
func (g *progress) endOf(k *jobState) int64 {
	switch {
	case g.endTime >= 0:
		return max(0, g.endTime)
	case g.period > 0:
		return g.periodicEndOf(k)
	case g.rate > 0:
		left := float64(k.total-k.base) - g.anchorMessages
		return max(0, g.anchor+int64(math.Ceil(left/g.rate-1e-6)))
	}
	return never
}

// nextDecision returns the cycle in which the first job ends, or the rates may no longer be used.
func (t *trajectory) nextDecision(c *component) int64 {
	next := t.simulated
	if t.steady {
		next = max(t.simulated, t.usable)
	}
	for i := range t.progress {
		next = min(next, t.progress[i].endOf(c.jobs[i]))
		if t.steady {
			next = min(next, max(t.simulated, t.progress[i].partialBegins(c.jobs[i])))
		}
	}
	return c.start + next
}

// partialBegins returns the time at which the job begins a last iteration that is not a whole one,
// or never: a rate does not tell how long a part of an iteration takes.
func (g *progress) partialBegins(k *jobState) int64 {
	if k.total%k.perIteration == 0 {
		return never
	}
	whole := *k
	whole.total -= k.total % k.perIteration
	if float64(whole.total) <= k.done { // it is in it
		return never
	}
	return g.endOf(&whole)
}
