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
	firstCost    = 8   // iterations of a trajectory, before any was simulated

	minRecheckCycles = 256 // cycles between two decisions whether a jump pays, at least
)

// drawnShare bounds the length of the trajectory of drawn phases, as a share of the time for which
// its rates are needed, and maxShare where the rates have been used before.
const (
	drawnShare = 0.05
	maxShare   = 0.2
)

// maxDrawnIterations bounds the trajectory of drawn phases in iterations of the slowest job. Jobs
// may need long until they wait for each other. Where their rates differ by more than the tolerance
// they go through all phases within one over it. If they differ by less, it makes no more than that
// difference whether they have met. The first half is left out.
func (s Config) maxDrawnIterations() float64 { return 2 / s.Tolerance }

// prospect is the estimate of a jump before its trajectory is simulated.
type prospect struct {
	slowest  float64 // cycles of an iteration of the slowest job
	perCycle float64 // messages of all jobs per cycle
	left     float64 // cycles until the first job ends, or the component is as old as others get
}

// prospectOf returns the prospect of a jump of a component, and sorts its jobs. It reports false
// if too little time is left, or if a job has not completed an iteration since jobs joined or left.
func (e *Executor) prospectOf(c *component) (p prospect, ok bool) {
	for _, k := range c.jobs {
		if k.readFull(); k.iterationCycles == 0 || k.base > 0 && k.origin < c.formed {
			return p, false
		}
	}
	p.left = math.Inf(1)
	for _, k := range c.jobs {
		p.slowest = max(p.slowest, k.iterationCycles)
		p.perCycle += float64(k.perIteration) / k.iterationCycles
		p.left = min(p.left, (float64(k.total)-k.done)/float64(k.perIteration)*k.iterationCycles)
	}
	epoch := float64(e.now - c.formed)
	if e.sums.epochs.N > 0 {
		epoch = max(epoch, e.sums.epochs.Value())
	}
	p.left = min(p.left, epoch)
	c.sortJobs()
	return p, p.left >= 2*p.slowest
}

// jump gives a component a trajectory, along which its jobs make progress, if one is known or if
// its simulation costs less than half of the full simulation that is estimated to be left.
func (e *Executor) jump(c *component) error {
	p, ok := e.prospectOf(c)
	if !ok {
		return nil
	}
	began, before := c.start, c.copyJobs() // simulation rewinds the jobs
	c.start = e.now
	t, err := e.recall(c, int64(p.left)), error(nil)
	if t == nil {
		t, err = e.newTrajectory(c, p)
	}
	c.start = began
	if t == nil {
		for i, k := range c.jobs {
			*k = before[i]
		}
		return err
	}
	rewound := c.copyJobs()
	e.leaveFull(c)
	for i, k := range c.jobs {
		k.base, k.origin, k.computeCycles = rewound[i].base, rewound[i].origin, rewound[i].computeCycles
	}
	c.start, c.trajectory = e.now, t
	c.nextDecision = max(e.now, t.nextDecision(c))
	return nil
}

// newTrajectory simulates the trajectory of a component. It returns nil if that does not pay, or if
// the rates are not known well enough afterwards.
func (e *Executor) newTrajectory(c *component, p prospect) (*trajectory, error) {
	length, cost := e.jumpCost(c, p)
	simulated := float64(e.deliveredFull+e.isolated.delivered) + cost*p.perCycle
	if p.left < 2*cost || simulated > maxSimulated*float64(e.Done) {
		return nil, nil
	}
	t, err := e.simulateJump(c, int64(min(p.left, 3*length*p.slowest)), int64(p.left))
	if !e.repeatsSurely(c) {
		e.sums.lengths.Add(float64(t.simulated) / p.slowest)
	}
	if err != nil || !t.steady || !e.remember(c, t, int64(p.left)) {
		return nil, err
	}
	e.sums.simulated++
	return t, nil
}

// repeatsSurely reports whether a component is one job whose iterations are sure to be equal.
func (e *Executor) repeatsSurely(c *component) bool {
	return len(c.jobs) == 1 && e.isolated.regenerates(c.jobs[0])
}

// jumpCost returns the expected length of a trajectory in iterations of the slowest job, and the
// cycles to simulate for a jump, including those of drawn phases.
func (e *Executor) jumpCost(c *component, p prospect) (length, cost float64) {
	if e.repeatsSurely(c) {
		return minIterations + 1, (minIterations + 1) * p.slowest
	}
	length = e.trajectoryIterations() + 1
	cost = length * p.slowest
	return length, cost + max(2*cost, e.drawnCycles(p.left, p.slowest, e.knowledgeOf(c)))
}

// trajectoryIterations returns the mean length of trajectories, in iterations of the slowest job.
func (e *Executor) trajectoryIterations() float64 {
	if e.sums.lengths.N == 0 {
		return firstCost
	}
	return e.sums.lengths.Value()
}

// simulateJump simulates a component from its present state for at most short cycles. If several
// jobs then have rates, drawn phases of them are simulated too.
func (e *Executor) simulateJump(c *component, short, limit int64) (*trajectory, error) {
	t, err := e.isolated.follow(c, max(1, short))
	if err == nil && t.exactAlone() && !e.samePeriodInFull(c.jobs[0], &t.progress[0]) {
		t.exact, t.progress[0].period = false, 0
	}
	if err != nil || !t.steady || t.exactAlone() {
		return t, err
	}
	return t, e.simulateDrawnPhases(c, t, limit)
}

// simulateDrawnPhases simulates a component from drawn phases of its jobs against each other, and
// learns two windows: the trajectory t with the full simulation before it, and the second half of
// the drawn phases, as jobs have to meet first. It doubles the length until each job has completed
// an iteration there; if one never does, t is not steady.
func (e *Executor) simulateDrawnPhases(c *component, t *trajectory, limit int64) error {
	known := e.knowledgeOf(c)
	d, slowest := drawPhases(c, t)
	shortest := max(2*t.simulated, int64(e.drawnCycles(float64(limit), slowest, known)))
	d.extendJobs(4 * shortest)
	t.steady = false
	for length := shortest; length <= 4*shortest && !t.steady; length *= 2 {
		other, err := e.isolated.followFor(&d.component, length)
		if err != nil {
			return err
		}
		var drawn *window
		if drawn, t.steady = other.secondHalf(d.component.jobs, length/2); t.steady {
			full, _ := c.takeFullWindow()
			present := t.windowAfter(full, c.jobs)
			if !slices.ContainsFunc(c.jobs, func(k *jobState) bool { return k.shifted }) {
				t.observed = present.sumL
			}
			e.addWindow(c, known, present)
			e.addWindow(c, known, drawn)
		}
	}
	return nil
}

// drawPhases returns copies of the jobs of a component, each at a drawn time of its iteration, and
// the cycles of an iteration of the slowest.
func drawPhases(c *component, t *trajectory) (d sampledJump, slowest float64) {
	d = sampledJump{component: component{start: c.start}, trajectory: t}
	rng := rand.New(rand.NewPCG(c.jobs[0].job.Seed, uint64(c.start)))
	for i, k := range c.jobs {
		copied := *k
		copied.iterationCycles = float64(k.perIteration) / t.progress[i].rate
		copied.origin = c.start - int64(rng.Float64()*copied.iterationCycles)
		copied.computeCycles = k.laterCompute
		copied.stream += 1 << 32 // other draws than in t
		d.component.jobs = append(d.component.jobs, &copied)
		slowest = max(slowest, copied.iterationCycles)
	}
	return d, slowest
}

// drawnCycles returns the length of a trajectory of drawn phases whose rates are needed for the
// cycles left.
func (e *Executor) drawnCycles(left, slowest float64, k *knowledge) float64 {
	return min(max(left, min(left*maxShare/drawnShare, left+k.estimatedCycles))*drawnShare,
		e.isolated.config.maxDrawnIterations()*slowest)
}
