package fastforward

import (
	"math"
	"sort"

	"contend/netsim"
	"contend/router"
)

// component is a set of jobs whose packets may meet.
type component struct {
	jobs       []*jobState
	born       int64       // cycle from which these jobs are together
	began      int64       // cycle in which the trajectory begins
	trajectory *trajectory // nil: not known yet
	next       int64       // when the first job ends, or until when the trajectory may be used
}

// trajectory is what the jobs of a component do from its beginning on.
type trajectory struct {
	legs []leg // of the jobs, in their order
	// The trajectory is simulated up to this time after the beginning of the component.
	until int64
	// steady tells that the rates hold from then on.
	steady bool
	exact  bool // the future is periodic and the rates are no estimates
	// holds is how long the rates may be used, from the beginning of the component.
	holds  int64
	pool              // that the rates come from
	period float64    // for which phases last
	seen   float64    // cycles of the windows in the phases in which the jump begins; 0: in others
	known  *knowledge // that the rates became or came from
	use    []linkUse
	flits  int64 // of the messages that arrived
}

// linkUse is the flits that have crossed a link.
type linkUse struct {
	link  router.Link
	flits int64
}

// leg is the trajectory of one job. Times count from the beginning of the component.
type leg struct {
	// marks are the times at which the job completed its iterations since its origin.
	marks []int64
	// blocks are the times at which it completed the parts of its iterations.
	blocks []int64
	before int             // blocks that ended before the component began
	sums   []netsim.Totals // of its messages at those times; kept where a trajectory is watched
	// earlier is the sum of its messages that arrived before the component began, or just then.
	earlier netsim.Totals
	// reached is the number of messages since the base that had arrived where the simulation
	// ended.
	reached float64
	stopped int64
	// From the anchor on, at which count messages since the base had arrived, messages arrive at
	// the rate, per cycle, if the trajectory is steady.
	anchor   int64
	anchored float64
	rate     float64
	half     float64 // relative half width of the interval of the rate, within the trajectory
	squares  float64 // of relative differences between the rates of windows; see pool
	// Where the future is periodic, the times at which iterations end in the period that follows the
	// anchor, and its length; else 0.
	beats  []int64
	period int64
	end    int64       // when the job ended in the simulation; -1: not
	each   messageSums // means over messages
}

// count returns the number of messages of a job that have arrived at a time.
func (g *leg) count(k *jobState, at, began int64) float64 {
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
	k, leg := c.jobs[job], &c.trajectory.legs[job]
	done := min(float64(k.total), leg.count(k, at, c.began))
	// Rounded numbers may leave a part of a message where the trajectory says that the job ends.
	if at >= leg.endOf(k) || float64(k.total)-done < 1e-6 {
		done = float64(k.total)
	}
	return max(done, k.done) // a trajectory may enter its first iteration a little later
}

// enter sets the origin of a job to the beginning of the iteration that it is in at a time.
func (g *leg) enter(k *jobState, at, began int64) {
	m := float64(k.perIteration)
	if n := len(g.marks); n > 1 {
		k.turn = float64(g.marks[n-1]-g.marks[0]) / float64(n-1)
	}
	if g.period > 0 && at >= g.anchor {
		n := g.beaten(at)
		k.turn = m / g.rate
		k.base += int64(g.anchored) + n*k.perIteration
		k.origin, k.lead = began+g.beat(n), k.pause
		return
	}
	if g.rate > 0 && at >= g.anchor {
		k.turn = m / g.rate
		have := g.anchored + g.rate*float64(at-g.anchor)
		whole := math.Floor(have/m + 1e-9)
		since := int64(math.Round((have - whole*m) / g.rate))
		if whole > 0 {
			k.base += int64(whole) * k.perIteration
			k.origin, k.lead = began+at-max(0, since), k.pause
		}
		return
	}
	if i := sort.Search(len(g.marks), func(i int) bool { return g.marks[i] > at }); i > 0 {
		k.base += int64(i) * k.perIteration
		k.origin, k.lead = began+g.marks[i-1], k.pause
	}
}

// rewind moves the origin of a job back by as many iterations as there is time for since a cycle.
func (k *jobState) rewind(first int64) {
	if k.turn == 0 {
		return
	}
	n := min(int64(float64(k.origin-first)/k.turn), k.base/k.perIteration)
	k.origin -= int64(float64(n) * k.turn)
	k.base -= n * k.perIteration
}

// speed returns the messages of a job a cycle in its last trajectory.
func (k *jobState) speed() float64 { return float64(k.perIteration) / max(1, k.turn) }

// ends reports whether a job of the component ends at a cycle or before.
func (c *trajectory) ends(p *component, cycle int64) bool {
	for i := range c.legs {
		if c.legs[i].endOf(p.jobs[i])+p.began <= cycle {
			return true
		}
	}
	return false
}

// endOf returns the time at which a job ends, or a time that never comes.
func (g *leg) endOf(k *jobState) int64 {
	switch {
	case g.end >= 0:
		return max(0, g.end)
	case g.period > 0:
		return g.periodicEnd(k)
	case g.rate > 0:
		left := float64(k.total-k.base) - g.anchored
		return max(0, g.anchor+int64(math.Ceil(left/g.rate-1e-6)))
	}
	return math.MaxInt64 / 4
}

// next returns the cycle in which the first job ends, or up to which the trajectory may be used.
func (c *trajectory) next(p *component) int64 {
	next := c.until
	if c.steady {
		next = max(c.until, c.holds)
	}
	for i := range c.legs {
		next = min(next, c.legs[i].endOf(p.jobs[i]))
		if c.steady {
			next = min(next, max(c.until, c.legs[i].lastBegins(p.jobs[i])))
		}
	}
	return p.began + next
}

// lastBegins returns when a job begins its last iteration if that is not a whole one: how long a
// part of an iteration takes, rates do not say.
func (g *leg) lastBegins(k *jobState) int64 {
	if k.total%k.perIteration == 0 {
		return math.MaxInt64 / 4
	}
	whole := *k
	whole.total -= k.total % k.perIteration
	if float64(whole.total) <= k.done { // it is in it
		return math.MaxInt64 / 4
	}
	return g.endOf(&whole)
}
