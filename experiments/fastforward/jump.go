package fastforward

import (
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// A run may simulate maxSimulated messages for each that it carries. What jumps have saved pays
	// for trajectories, and this bounds what trajectories cost that save nothing.
	maxSimulated = 1.05
	maxChecked   = 0.1 // of the messages that a run simulates, in checks
	firstCost    = 8   // iterations of a trajectory, before any was followed

	minRecheckCycles = 256 // between two decisions whether a jump pays
)

// drawnShare is the share of the time for which rates are needed that the trajectory of drawn
// phases takes at most, and maxShare that where they have been used before.
const (
	drawnShare = 0.05
	maxShare   = 0.2
)

// maxDrawnIterations is how many iterations of the slowest job the trajectory of drawn phases takes
// at most. Jobs may need long until they wait for each other. Where their rates differ by more than
// the tolerance they go through all phases within one over it. If they differ by less, it makes no
// more than that difference whether they have met. The first half is left out.
func (s Config) maxDrawnIterations() float64 { return 2 / s.Tolerance }

// prospect is what is known of a jump before its trajectory is simulated.
type prospect struct {
	slowest  float64 // cycles of an iteration of the slowest job
	perCycle float64 // messages of all jobs
	left     float64 // cycles until the first job ends, or the component has lasted as others do
}

// prospectOf returns the prospect of a jump of a component, and sorts its jobs. It reports false
// where a job has not done a whole iteration, or is still in one that began with jobs that have
// left.
func (e *Executor) prospectOf(c *component) (p prospect, ok bool) {
	for _, k := range c.jobs {
		if k.locate(); k.iterationCycles == 0 || k.base > 0 && k.origin < c.born {
			return p, false
		}
	}
	p.left = math.Inf(1)
	for _, k := range c.jobs {
		p.slowest = max(p.slowest, k.iterationCycles)
		p.perCycle += float64(k.perIteration) / k.iterationCycles
		p.left = min(p.left, (float64(k.total)-k.done)/float64(k.perIteration)*k.iterationCycles)
	}
	epoch := float64(e.now - c.born)
	if e.sums.epochs.N > 0 {
		epoch = max(epoch, e.sums.epochs.Value())
	}
	p.left = min(p.left, epoch)
	c.sort()
	return p, p.left >= 2*p.slowest
}

// jump gives a component a trajectory, by whose rates its jobs make progress, if that costs less
// than half of the full simulation that is estimated to be left.
func (e *Executor) jump(c *component) error {
	p, ok := e.prospectOf(c)
	if !ok {
		return nil
	}
	began := c.began
	c.began = e.now
	if t := e.recall(c, int64(p.left)); t != nil {
		c.began = began
		e.leaveFull(c)
		e.adopt(c, t)
		return nil
	}
	length, cost := e.costOf(c, p)
	simulated := float64(e.deliveredFull+e.stage.messages) + cost*p.perCycle
	if p.left < 2*cost || simulated > maxSimulated*float64(e.Done) {
		c.began = began
		return nil
	}
	before := c.copyJobs() // follow rewinds them
	t, err := e.explore(c, int64(min(p.left, 3*length*p.slowest)), int64(p.left))
	if !e.certain(c) {
		e.sums.lengths.Add(float64(t.until) / p.slowest)
	}
	known := err == nil && t.steady
	if known {
		c.trajectory = t
		known = e.remember(c, int64(p.left))
	}
	c.began, c.trajectory = began, nil
	if !known {
		for i, k := range c.jobs {
			*k = before[i]
		}
		return err
	}
	e.sums.simulated++
	rewound := c.copyJobs()
	e.leaveFull(c)
	for i, k := range c.jobs {
		k.base, k.origin, k.computeCycles = rewound[i].base, rewound[i].origin, rewound[i].computeCycles
	}
	e.adopt(c, t)
	return nil
}

// adopt has the jobs of a component make progress by a trajectory from now on.
func (e *Executor) adopt(c *component, t *trajectory) {
	c.began, c.trajectory = e.now, t
	c.next = max(e.now, t.next(c))
}

// certain reports whether a component is a job that is sure to repeat itself.
func (e *Executor) certain(c *component) bool {
	return len(c.jobs) == 1 && e.stage.regenerates(c.jobs[0])
}

// costOf returns how many iterations of the slowest job the trajectory of a component takes, and
// how many cycles have to be simulated for a jump, those of drawn phases too.
func (e *Executor) costOf(c *component, p prospect) (length, cost float64) {
	if e.certain(c) {
		return minIterations + 1, (minIterations + 1) * p.slowest
	}
	length = e.trajectoryIterations() + 1
	cost = length * p.slowest
	return length, cost + max(2*cost, e.drawnLength(p.left, p.slowest, e.known(c)))
}

// trajectoryIterations returns how many iterations of the slowest job a trajectory takes.
func (e *Executor) trajectoryIterations() float64 {
	if e.sums.lengths.N == 0 {
		return firstCost
	}
	return e.sums.lengths.Value()
}

// explore follows a component from the state that it is in, and then from drawn phases of its jobs,
// of which the first half is left out: jobs that are apart have to meet first. The state is one of
// the phases, with what was simulated in full since the component began.
func (e *Executor) explore(c *component, short, limit int64) (*trajectory, error) {
	t, err := e.stage.follow(c, max(1, short))
	if err == nil && t.alone() && !e.repeats(c.jobs[0], &t.progress[0]) {
		t.exact, t.progress[0].period = false, 0
	}
	if err != nil || !t.steady || t.alone() {
		return t, err
	}
	known := e.known(c)
	d := sampled{component: component{began: c.began}, trajectory: t}
	rng := rand.New(rand.NewPCG(c.jobs[0].job.Seed, uint64(c.began)))
	slowest := 0.0
	for i, k := range c.jobs {
		copied := *k
		copied.iterationCycles = float64(k.perIteration) / t.progress[i].rate
		copied.origin = c.began - int64(rng.Float64()*copied.iterationCycles)
		copied.computeCycles = k.laterCompute
		copied.draws += 1 << 32
		d.component.jobs = append(d.component.jobs, &copied)
		slowest = max(slowest, copied.iterationCycles)
	}
	shortest := max(2*t.until, int64(e.drawnLength(float64(limit), slowest, known)))
	d.extend(4 * shortest)
	t.steady = false
	for length := shortest; length <= 4*shortest && !t.steady; length *= 2 {
		other, err := e.stage.followFor(&d.component, length)
		if err != nil {
			return t, err
		}
		var drawn *window
		if drawn, t.steady = other.secondHalf(d.component.jobs, length/2); t.steady {
			full, _ := c.takeFull()
			present := t.with(full, c.jobs)
			if !slices.ContainsFunc(c.jobs, func(k *jobState) bool { return k.shifted }) {
				t.seen = present.cycles
			}
			e.learn(c, known, present)
			e.learn(c, known, drawn)
		}
	}
	return t, nil
}

// drawnLength returns for how many cycles a trajectory of drawn phases is followed, of rates that
// are needed for the cycles left.
func (e *Executor) drawnLength(left, slowest float64, k *knowledge) float64 {
	return min(max(left, min(left*maxShare/drawnShare, left+k.served))*drawnShare,
		e.stage.config.maxDrawnIterations()*slowest)
}
