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

// Executor is a scheduler.Executor of jobs that iterate. It simulates flit by flit only as much as
// it needs to estimate how fast each job makes progress.
//
// Between two moments at which a job starts or ends, the running programs stay the same: an epoch.
// Jobs whose packets may meet, directly or through others, form a component. All jobs are
// simulated together in full until a jump of a component pays. The trajectory of a component
// depends on its jobs alone, so it is simulated on its own, from the state that the jobs are in,
// and again from drawn phases of the jobs. Then each job makes progress at its rate, until a job
// of the component ends, a new one joins, or the rates are no longer known well enough.
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

	uncertain func(id scheduler.JobID, cycles float64) // see Uncertain

	full          *executor.Executor // the full simulation, of jobs for which no jump pays
	slots         []*jobState        // by slot of the full simulation
	joining       *jobState          // the job that full.Start gives a slot
	over          []*jobState        // jobs that have ended in the last step of full
	deliveredFull int64              // messages of the full simulation

	stage    *stage
	foot     *deadlock.Footprint
	patterns []patterns.Config // by Job.Pattern
	clock    scheduler.Clock
	pairs    map[pairsKey][]patterns.Pair

	now        int64
	components []*component
	computing  heap.Heap[computingJob]
	pushed     int64         // computing jobs so far
	users      [][]*jobState // by link
	mark       []int32       // by link: the last job whose links were listed
	memory     memory
	sums       runSums
	checks     checks
	err        error
}

// Config says when rates count as known.
type Config struct {
	// Tolerance is the greatest relative half width of the interval of a service time.
	Tolerance float64
	// DrawsRoute reports whether the routing draws, so that no iteration is sure to repeat.
	DrawsRoute bool
}

// New returns an executor on a network.
func New(n *netsim.Network, p []patterns.Config, clock scheduler.Clock, s Config,
	software executor.Software) *Executor {
	links := n.Wiring().Links()
	other, err := netsim.New(n.Config())
	e := &Executor{stage: newStage(n, p, clock, software, s), foot: n.Footprint(), patterns: p,
		clock: clock, users: make([][]*jobState, links), mark: make([]int32, links),
		memory: newMemory(memoryLimit),
		pairs:  map[pairsKey][]patterns.Pair{}}
	if e.err = err; err == nil {
		e.full = executor.New(other, p, clock)
		e.full.Software, e.full.Stop = software, e.stopped
		e.full.Began, e.full.Delivered, e.full.Ended = e.enteredFull, e.delivered, e.endedFull
	}
	e.sums.flits = make([]float64, links)
	e.sums.spreads = [2]spreads{newSpreads(), newSpreads()}
	e.stage.stop = e.stopped
	return e
}

// stopped polls Stop.
func (e *Executor) stopped() bool { return e.Stop != nil && e.Stop() }

// Uncertain has the executor report, for each job that ends, the half width of the 95% interval of
// its service time.
func (e *Executor) Uncertain(report func(id scheduler.JobID, cycles float64)) {
	e.uncertain = report
}

// Start implements scheduler.Executor.
func (e *Executor) Start(j *scheduler.Job, nodes []topology.Node) {
	perIteration, total, err := e.messages(j)
	if err != nil {
		e.err = cmp.Or(e.err, fmt.Errorf("job %d: %w", j.ID, err))
		return
	}
	if total == 0 { // it only computes, or has a single process
		cycles := j.Lead
		if j.Lead == 0 || j.Quota > 0 {
			cycles += e.clock.Cycles(j.RunTime)
		}
		e.compute(cycles, j.ID, nil)
		return
	}
	k := e.newJob(j, nodes, perIteration, total)
	if err := e.findLinks(k); err != nil {
		e.err = cmp.Or(e.err, fmt.Errorf("job %d: %w", j.ID, err))
		return
	}
	if rest := k.computeCycles - k.laterCompute; rest > k.laterCompute {
		k.computeCycles = k.laterCompute
		e.compute(scheduler.Cycle(rest), j.ID, k)
		return
	}
	e.join(k)
}

// computingJob is a job that computes until a cycle. Then it ends or, if then is not nil, it joins
// other jobs.
type computingJob struct {
	cycle scheduler.Cycle
	order int64
	id    scheduler.JobID
	then  *jobState
}

// Before orders jobs in a heap.Heap by cycle, and then by the order in which they came.
func (a computingJob) Before(b computingJob) bool {
	return a.cycle < b.cycle || a.cycle == b.cycle && a.order < b.order
}

// compute has a job compute for a time.
func (e *Executor) compute(cycles scheduler.Cycle, id scheduler.JobID, then *jobState) {
	e.pushed++
	e.computing.Push(computingJob{scheduler.Cycle(e.now) + cycles, e.pushed, id, then})
}

// Advance implements scheduler.Executor.
func (e *Executor) Advance(
	until scheduler.Cycle, done []scheduler.JobID,
) (scheduler.Cycle, []scheduler.JobID, error) {
	before := len(done)
	for {
		if e.err != nil || e.stopped() {
			return scheduler.Cycle(e.now), done, cmp.Or(e.err, scheduler.ErrStopped)
		}
		next, err := e.nextEvent(int64(until))
		if err != nil {
			return scheduler.Cycle(e.now), done, cmp.Or(e.err, err)
		}
		e.over = e.over[:0]
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

// nextEvent resumes all components, and returns the cycle of the next event of a component or of a
// job that computes, or until if that is earlier.
func (e *Executor) nextEvent(until int64) (int64, error) {
	if len(e.computing) > 0 {
		until = min(until, int64(e.computing[0].cycle))
	}
	for _, c := range e.components {
		if err := e.resume(c); err != nil {
			return 0, err
		}
		until = min(until, c.next)
	}
	return until, nil
}

// endJobs appends the jobs that end now to done: in jumps, in the full simulation, and those that
// only compute. Jobs that have computed join others.
func (e *Executor) endJobs(done []scheduler.JobID) []scheduler.JobID {
	for i := len(e.components) - 1; i >= 0; i-- {
		if c := e.components[i]; c.trajectory != nil && c.next <= e.now &&
			c.trajectory.ends(c, e.now) {
			done = e.leave(c, done)
		}
	}
	for _, k := range e.over {
		if k.component != nil { // it has not left with another job of its component
			done = e.leave(k.component, done)
		}
	}
	for len(e.computing) > 0 && int64(e.computing[0].cycle) <= e.now {
		j := e.computing.Pop()
		if j.then == nil {
			done = append(done, j.id)
			continue
		}
		j.then.origin = e.now
		e.join(j.then)
	}
	return done
}

// resume decides how the jobs of a component continue, where that is due: at their rates, or in the
// full simulation.
func (e *Executor) resume(c *component) error {
	if c.next > e.now {
		return nil
	}
	if c.trajectory != nil {
		if c.trajectory.ends(c, c.next) {
			return nil
		}
		e.account(c) // its rates have been used for as long as they are known well enough
		c.began, c.trajectory = e.now, nil
	}
	if err := e.jump(c); err != nil || c.trajectory != nil {
		return err
	}
	e.enterFull(c)
	return nil
}
