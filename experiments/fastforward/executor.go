package fastforward

import (
	"cmp"
	"fmt"
	"slices"

	"contend/experiments/sim/executor"
	"contend/internal/heap"
	"contend/netsim"
	"contend/patterns"
	"contend/router/deadlock"
	"contend/router/topology"
	"contend/scheduler"
)

// Executor is a scheduler.Executor of jobs that iterate; the package documentation lists its steps.
//
// Between two moments at which a job starts or ends, the running programs stay the same: an epoch.
// A jump lasts until a job of the component ends, a new one joins, or the rates are no longer known
// well enough.
//
// The simulation of a trajectory begins before the present, with the earliest of the jobs' current
// iterations. Each job enters it at the beginning of an iteration, so that the network is as full
// at the present as it would be.
type Executor struct {
	// Stop, if not nil, is polled and reports whether to stop the run.
	Stop func() bool
	// Done is the number of messages that have arrived.
	Done int64
	// Ended, if not nil, receives the totals of the messages of each job that ends, and whether its
	// waits are estimates.
	Ended func(id scheduler.JobID, t netsim.Totals, estimated bool)

	reportHalfWidth func(id scheduler.JobID, cycles float64) // see ReportHalfWidths

	full          *executor.Executor // the full simulation, of jobs for which no jump pays
	slots         []*jobState        // by slot of the full simulation
	joining       *jobState          // the job to which full.Start gives a slot
	endedInFull   []*jobState        // jobs that ended in the last step of full
	deliveredFull int64              // messages that arrived in the full simulation

	isolated  *isolatedSimulation
	footprint *deadlock.Footprint // the links that packets may use
	patterns  []patterns.Config   // by Job.Pattern
	clock     scheduler.Clock
	pairs     map[pairsKey][]patterns.Pair // of processes that exchange messages

	now        int64
	components []*component
	computing  heap.Heap[computingJob]
	computed   int64         // computing jobs pushed so far
	users      [][]*jobState // jobs whose packets may use a link, by link
	lastLister []int32       // number of the last job that listed a link, by link
	memory     memory
	sums       runSums
	checks     checks
	err        error
}

// Config sets when rates count as known.
type Config struct {
	// Tolerance is the greatest relative half width of the interval of a service time.
	Tolerance float64
	// DrawsRoute is set if the routing takes random numbers: no iteration is then sure to repeat.
	DrawsRoute bool
}

// New returns an executor of jobs with the given patterns, by Job.Pattern. It simulates
// trajectories on n, which it alone may use from now on, and jobs in full on a second network of
// the same configuration. If that cannot be made, the first Advance returns the error.
func New(n *netsim.Network, p []patterns.Config, clock scheduler.Clock, s Config,
	software executor.Software) *Executor {
	links := n.Wiring().Links()
	other, err := netsim.New(n.Config())
	e := &Executor{isolated: newIsolatedSimulation(n, p, clock, software, s),
		footprint: n.Footprint(), patterns: p, clock: clock, memory: newMemory(memoryLimit),
		users: make([][]*jobState, links), lastLister: make([]int32, links),
		pairs: map[pairsKey][]patterns.Pair{}}
	if e.err = err; err == nil {
		e.full = executor.New(other, p, clock)
		e.full.Software, e.full.Stop = software, e.stopped
		e.full.Began, e.full.Delivered, e.full.Ended = e.enteredFull, e.countFull, e.endedFull
	}
	e.sums.linkFlits = make([]float64, links)
	e.sums.spreads = [2]spreads{newSpreads(), newSpreads()}
	e.isolated.stop = e.stopped
	return e
}

// stopped polls Stop.
func (e *Executor) stopped() bool { return e.Stop != nil && e.Stop() }

// ReportHalfWidths sets a function that receives, for each job that ends, the half width of the
// 95% interval of its service time.
func (e *Executor) ReportHalfWidths(report func(id scheduler.JobID, cycles float64)) {
	e.reportHalfWidth = report
}

// Start implements scheduler.Executor. A job that sends no messages just takes its time. A job
// whose first iteration computes more than twice as long as later ones joins a component once the
// difference is over, and any other joins at once. Advance returns an error of Start.
func (e *Executor) Start(j *scheduler.Job, nodes []topology.Node) {
	perIteration, total, err := e.messagesOf(j)
	if err != nil {
		e.err = cmp.Or(e.err, fmt.Errorf("job %d: %w", j.ID, err))
		return
	}
	if total == 0 { // it only computes, or has a single process
		cycles := j.Lead
		if j.Lead == 0 || j.Quota > 0 {
			cycles += e.clock.Cycles(j.RunTime)
		}
		e.computeFor(cycles, j.ID, nil)
		return
	}
	k := e.newJob(j, nodes, perIteration, total)
	if err := e.findLinks(k); err != nil {
		e.err = cmp.Or(e.err, fmt.Errorf("job %d: %w", j.ID, err))
		return
	}
	if longer := k.computeCycles - k.laterCompute; longer > k.laterCompute {
		k.computeCycles = k.laterCompute
		e.computeFor(scheduler.Cycle(longer), j.ID, k)
		return
	}
	e.join(k)
}

// computingJob is a job that sends nothing until a cycle.
type computingJob struct {
	cycle scheduler.Cycle
	order int64 // breaks ties
	id    scheduler.JobID
	joins *jobState // the job that then joins a component; nil if it ends
}

// Before orders computing jobs by cycle and then by the order in which they were pushed.
func (a computingJob) Before(b computingJob) bool {
	return a.cycle < b.cycle || a.cycle == b.cycle && a.order < b.order
}

// computeFor lets job id send nothing for some cycles. After them it joins a component as joins or,
// if joins is nil, ends.
func (e *Executor) computeFor(cycles scheduler.Cycle, id scheduler.JobID, joins *jobState) {
	e.computed++
	e.computing.Push(computingJob{scheduler.Cycle(e.now) + cycles, e.computed, id, joins})
}

// Advance implements scheduler.Executor. It returns at the first cycle in which jobs end.
func (e *Executor) Advance(
	until scheduler.Cycle, done []scheduler.JobID,
) (scheduler.Cycle, []scheduler.JobID, error) {
	before := len(done)
	for {
		if e.err != nil || e.stopped() {
			return scheduler.Cycle(e.now), done, cmp.Or(e.err, scheduler.ErrStopped)
		}
		next, err := e.decide(int64(until))
		if err != nil {
			return scheduler.Cycle(e.now), done, cmp.Or(e.err, err)
		}
		e.endedInFull = e.endedInFull[:0]
		now, _, err := e.full.Advance(scheduler.Cycle(next), nil)
		if err != nil {
			return now, done, err
		}
		e.now = int64(now)
		done = e.endJobs(done)
		if len(done) > before || e.now >= int64(until) {
			slices.Sort(done[before:])
			return scheduler.Cycle(e.now), done, e.err
		}
	}
}

// decide makes the decisions that are due for all components, which may simulate trajectories. It
// returns the cycle up to which the executor can advance: the earliest of until, the next decision
// of a component, and the end of a computation.
func (e *Executor) decide(until int64) (int64, error) {
	if len(e.computing) > 0 {
		until = min(until, int64(e.computing[0].cycle))
	}
	for _, c := range e.components {
		if err := e.decideFor(c); err != nil {
			return 0, err
		}
		until = min(until, c.nextDecision)
	}
	return until, nil
}

// endJobs appends the jobs that end now to done: in jumps, in the full simulation, and while they
// compute. Jobs whose longer first computation is over join a component.
func (e *Executor) endJobs(done []scheduler.JobID) []scheduler.JobID {
	for i := len(e.components) - 1; i >= 0; i-- {
		if c := e.components[i]; c.trajectory != nil && c.nextDecision <= e.now &&
			c.trajectory.endsBy(c, e.now) {
			done = e.removeEnded(c, done)
		}
	}
	for _, k := range e.endedInFull {
		if k.component != nil { // it has not left with another job of its component
			done = e.removeEnded(k.component, done)
		}
	}
	for len(e.computing) > 0 && int64(e.computing[0].cycle) <= e.now {
		j := e.computing.Pop()
		if j.joins == nil {
			done = append(done, j.id)
			continue
		}
		j.joins.origin = e.now
		e.join(j.joins)
	}
	return done
}

// decideFor makes the decision for c if it is due: it ends the present jump, if any, and then its
// jobs jump again or enter the full simulation. It does nothing if the jump ends because a job
// does: endJobs removes that job first.
func (e *Executor) decideFor(c *component) error {
	if c.nextDecision > e.now {
		return nil
	}
	if c.trajectory != nil {
		if c.trajectory.endsBy(c, c.nextDecision) {
			return nil
		}
		e.endTrajectory(c) // its rates have been used for as long as they are known well enough
		c.start, c.trajectory = e.now, nil
	}
	if err := e.jump(c); err != nil || c.trajectory != nil {
		return err
	}
	e.enterFull(c)
	return nil
}
