package fastforward

import (
	"math"
	"sort"

	"contend/netsim"
	"contend/router"
)

// trajectory is the progress of the jobs of a component from its beginning on.
type trajectory struct {
	progress []progress // of the jobs, in their order
	until    int64      // time up to which it is simulated, after the component's beginning
	steady   bool       // the rates hold from then on
	exact    bool       // the future is periodic and the rates are no estimates
	holds    int64      // time for which the rates may be used
	pool                // of the windows that the rates come from
	period   float64    // cycles for which phases last
	seen     float64    // cycles of the windows in the phases in which the jump begins, or 0
	known    *knowledge // that the rates are added to, or recalled from
	use      []linkUse
	flits    int64 // of the messages that arrived
}

// linkUse is the flits that have crossed a link.
type linkUse struct {
	link  router.Link
	flits int64
}

// progress is the trajectory of one job. Times count from the beginning of the component.
type progress struct {
	marks  []int64         // times at which the job completed iterations since its origin
	blocks []int64         // times at which it completed blocks of iterations
	before int             // blocks that ended before the component began
	sums   []netsim.Totals // of its messages at those times; kept in trajectories of fixed length
	// earlier is the sum of its messages that arrived until the component began.
	earlier netsim.Totals
	reached float64 // messages since the base that had arrived where the simulation ended
	stopped int64   // when that was

	// From the anchor on, when anchored messages since the base had arrived, messages arrive at
	// the rate, if the trajectory is steady.
	estimate
	anchor   int64
	anchored float64
	// Where the future is periodic, periodEnds are the times after the anchor at which the
	// iterations of a period end, and period is its length; else 0.
	periodEnds []int64
	period     int64
	end        int64 // when the job ended in the simulation; -1: not
}

// never is a time that does not come.
const never = math.MaxInt64 / 4

// alone reports whether a trajectory is that of a job that meets nobody and repeats itself.
func (t *trajectory) alone() bool { return t.exact && len(t.progress) == 1 }

// estimates returns the estimates of all jobs.
func (t *trajectory) estimates() []estimate {
	list := make([]estimate, len(t.progress))
	for i := range list {
		list[i] = t.progress[i].estimate
	}
	return list
}

// count returns the number of messages of a job that have arrived at a time.
func (g *progress) count(k *jobState, at, began int64) float64 {
	base := float64(k.base)
	if g.period > 0 && at >= g.anchor {
		return g.periodicCount(k, at)
	}
	if g.rate > 0 && at >= g.anchor {
		return base + g.anchored + g.rate*float64(at-g.anchor)
	}
	if g.end >= 0 && at >= g.end {
		return float64(k.total)
	}
	i := sort.Search(len(g.marks), func(i int) bool { return g.marks[i] > at })
	from, to := k.origin-began, g.stopped
	have, upTo := float64(i)*float64(k.perIteration), g.reached
	if i > 0 {
		from = g.marks[i-1]
	}
	if i < len(g.marks) {
		to, upTo = g.marks[i], have+float64(k.perIteration)
	}
	if to <= from {
		return base + upTo
	}
	return base + have + (upTo-have)*min(1, float64(at-from)/float64(to-from))
}

// doneAt returns the number of messages of a job that have arrived at a time of its trajectory.
func (c *component) doneAt(job int, at int64) float64 {
	k, g := c.jobs[job], &c.trajectory.progress[job]
	done := min(float64(k.total), g.count(k, at, c.began))
	// Rounding may leave a fraction of a message where the trajectory says that the job ends.
	if at >= g.endOf(k) || float64(k.total)-done < 1e-6 {
		done = float64(k.total)
	}
	return max(done, k.done) // a trajectory may enter its first iteration a little later
}

// enter sets the origin of a job to the beginning of the iteration that it is in at a time.
func (g *progress) enter(k *jobState, at, began int64) {
	m := float64(k.perIteration)
	if n := len(g.marks); n > 1 {
		k.iterationCycles = float64(g.marks[n-1]-g.marks[0]) / float64(n-1)
	}
	if g.period > 0 && at >= g.anchor {
		n := g.endedBy(at)
		k.iterationCycles = m / g.rate
		k.base += int64(g.anchored) + n*k.perIteration
		k.origin, k.computeCycles = began+g.endOfIteration(n), k.laterCompute
		return
	}
	if g.rate > 0 && at >= g.anchor {
		k.iterationCycles = m / g.rate
		have := g.anchored + g.rate*float64(at-g.anchor)
		whole := math.Floor(have/m + 1e-9)
		since := int64(math.Round((have - whole*m) / g.rate))
		if whole > 0 {
			k.base += int64(whole) * k.perIteration
			k.origin, k.computeCycles = began+at-max(0, since), k.laterCompute
		}
		return
	}
	if i := sort.Search(len(g.marks), func(i int) bool { return g.marks[i] > at }); i > 0 {
		k.base += int64(i) * k.perIteration
		k.origin, k.computeCycles = began+g.marks[i-1], k.laterCompute
	}
}

// ends reports whether a job of the component ends by a cycle.
func (t *trajectory) ends(c *component, cycle int64) bool {
	for i := range t.progress {
		if t.progress[i].endOf(c.jobs[i])+c.began <= cycle {
			return true
		}
	}
	return false
}

// endOf returns the time at which a job ends, or never.
func (g *progress) endOf(k *jobState) int64 {
	switch {
	case g.end >= 0:
		return max(0, g.end)
	case g.period > 0:
		return g.periodicEnd(k)
	case g.rate > 0:
		left := float64(k.total-k.base) - g.anchored
		return max(0, g.anchor+int64(math.Ceil(left/g.rate-1e-6)))
	}
	return never
}

// next returns the cycle in which the first job ends, or up to which the trajectory may be used.
func (t *trajectory) next(c *component) int64 {
	next := t.until
	if t.steady {
		next = max(t.until, t.holds)
	}
	for i := range t.progress {
		next = min(next, t.progress[i].endOf(c.jobs[i]))
		if t.steady {
			next = min(next, max(t.until, t.progress[i].partBegins(c.jobs[i])))
		}
	}
	return c.began + next
}

// partBegins returns when a job begins its last iteration if that is not a whole one, and never if
// it is: rates do not say how long a part of an iteration takes.
func (g *progress) partBegins(k *jobState) int64 {
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
