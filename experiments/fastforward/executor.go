package fastforward

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"contend/experiments/sim/executor"
	"contend/internal/heap"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
	"contend/scheduler"
)

// Executor is a scheduler.Executor of jobs that iterate; the package documentation lists its steps.
type Executor struct {
	// Done is the number of messages that have arrived.
	Done int64
	// Ended, if not nil, receives the totals of the messages of each job that ends, and whether its
	// waits are estimates.
	Ended func(id scheduler.JobID, t netsim.Totals, estimated bool)
	// Unsure, if not nil, receives how many cycles of the service time of each job that ends an
	// estimated jump may have changed, before Ended, and the half width of the 95% interval that its
	// carry leaves. The half width of the service time is carry plus cycles times the metric
	// jump_error of the run.
	Unsure func(id scheduler.JobID, cycles, carry float64)

	config      Config
	full        *executor.Executor // the simulation of every flit
	slots       []*jobState        // by slot of the simulation
	joining     *jobState          // the job to which full.Start gives a slot
	endedInFull []*jobState        // jobs that ended in the last step of the simulation
	clearing    int64              // cycles after a delivery until the network is idle again
	comparable  bool               // states of the network can be compared: see recurrence

	// turns is set if arbiters or virtual channels have round-robin pointers, which continue from
	// the last grant to earlier jobs. skipped tells for each link whether turns on it may differ
	// from those of a run without jumps.
	turns   bool
	skipped []bool

	controlled bool // there is congestion control

	footprint *deadlock.Footprint // the links that packets may use
	patterns  []patterns.Config   // by Job.Pattern
	clock     scheduler.Clock

	now        int64
	components []*component
	killed     []*jobState // whose last messages are in the network
	links      linkState
	computing  heap.Heap[computingJob]
	computed   int64         // computing jobs pushed so far
	users      [][]*jobState // jobs whose packets may use a link, by link
	lister     int64         // number of lists of links so far
	lastLister []int64       // number of the last list that has a link, by link
	due        bool          // a component is due for a decision before its nextDecision
	memory     memory
	audits     audits
	sums       runSums
	err        error
}

// Config sets the precision at which rates count as known.
type Config struct {
	// Tolerance is the greatest relative half width of the interval of a service time.
	Tolerance float64
	// DrawsRoute is set if the routing draws random numbers: then no iteration is sure to repeat.
	DrawsRoute bool
	// Holds lets the jobs of a component go on to their ends at the first rates that are known, as if
	// none started or ended. They have to start together.
	Holds bool
}

// New returns an executor of jobs with the given patterns, by Job.Pattern, on network n. From now
// on only the executor may use n.
func New(n *netsim.Network, p []patterns.Config, clock scheduler.Clock, c Config,
	software executor.Software) *Executor {
	links := n.Wiring().Links()
	e := &Executor{config: c, full: executor.New(n, p, clock), clearing: clearingCycles(n),
		comparable: !c.DrawsRoute && n.Comparable(), footprint: n.Footprint(), patterns: p,
		clock: clock, memory: memory{limit: 256 << 20, entries: map[string]*forecast{}},
		users:      make([][]*jobState, links),
		lastLister: make([]int64, links), skipped: make([]bool, links)}
	net := n.Config()
	e.turns = max(net.VirtualChannels, net.NodeVirtualChannels) > 1 || net.LinksFail ||
		net.Arbiter != router.FirstCome
	e.controlled = net.Congestion != nil
	e.full.Software = software
	e.full.Began, e.full.Delivered, e.full.Ended = e.enteredFull, e.countFull, e.endedFull
	e.sums.linkFlits = make([]float64, links)
	e.audits.tolerance = c.Tolerance
	return e
}

// Audit makes the executor audit the first jumps of the run, as many as first, and later jumps that
// rng draws.
func (e *Executor) Audit(first int, rng *rand.Rand) { e.audits.first, e.audits.rng = first, rng }

// Start implements scheduler.Executor. A job that sends no messages takes its computing time. A job
// whose first iteration computes longer than later ones joins a component when the difference is
// over; any other job joins at once. Advance returns an error of Start.
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
		e.computeUntil(computingJob{cycle: scheduler.Cycle(e.now) + cycles, id: j.ID})
		return
	}
	k := e.newJob(j, nodes, perIteration)
	if err := cmp.Or(k.countTaskMessages(), e.findLinks(k)); err != nil {
		e.err = cmp.Or(e.err, fmt.Errorf("job %d: %w", j.ID, err))
		return
	}
	if longer := int64(j.Lead) - k.laterCompute; longer > 0 {
		k.job.Lead = scheduler.Cycle(k.laterCompute)
		e.computeUntil(computingJob{cycle: scheduler.Cycle(e.now + longer), id: j.ID, joins: k})
		return
	}
	e.join(k)
}

// computingJob is a job that sends nothing until a cycle.
type computingJob struct {
	cycle scheduler.Cycle
	order int64 // breaks ties
	id    scheduler.JobID
	joins *jobState // the job that joins a component then; nil if the job ends
	held  *jobState // the job that ends at a rate that is held
}

// Before orders computing jobs by cycle and then by the order in which they were pushed.
func (a computingJob) Before(b computingJob) bool {
	return a.cycle < b.cycle || a.cycle == b.cycle && a.order < b.order
}

// computeUntil lets a job send nothing until a cycle.
func (e *Executor) computeUntil(j computingJob) {
	e.computed++
	j.order = e.computed
	e.computing.Push(j)
}

// Advance implements scheduler.Executor. It returns at the first cycle in which jobs end.
func (e *Executor) Advance(
	until scheduler.Cycle, done []scheduler.JobID,
) (scheduler.Cycle, []scheduler.JobID, error) {
	before := len(done)
	for {
		next := e.decide(int64(until))
		if err := e.simulateUntil(next); err != nil {
			return scheduler.Cycle(e.now), done, err
		}
		done = e.endJobs(done)
		if len(done) > before || e.now >= int64(until) {
			slices.Sort(done[before:])
			return scheduler.Cycle(e.now), done, e.err
		}
	}
}

// simulateUntil simulates to a cycle, or until a job ends or a component is due for a decision.
func (e *Executor) simulateUntil(next int64) error {
	e.endedInFull = e.endedInFull[:0]
	for {
		if e.err != nil {
			return e.err
		}
		now, _, err := e.full.Step(scheduler.Cycle(next), nil)
		if e.now = int64(now); err != nil {
			return err
		}
		if e.due || len(e.endedInFull) > 0 || e.now >= next {
			return nil
		}
	}
}

// decide makes the decisions that are due for all components. It returns the cycle up to which the
// executor can advance: the earliest of until, the next decision of a component, and the end of a
// computation.
func (e *Executor) decide(until int64) int64 {
	e.due = false
	e.release()
	e.settleLinks()
	for _, c := range e.components {
		if c.due || c.nextDecision <= e.now {
			e.decideFor(c)
		}
		until = min(until, c.nextDecision)
	}
	if len(e.computing) > 0 {
		until = min(until, int64(e.computing[0].cycle))
	}
	return until
}

// endJobs ends the jumps that last until now, and appends the jobs that end now to done: in the
// simulation, and while they compute. Jobs whose longer first computation is over join a component.
func (e *Executor) endJobs(done []scheduler.JobID) []scheduler.JobID {
	for i := len(e.components) - 1; i >= 0; i-- {
		if c := e.components[i]; c.jump != nil && c.jump.end <= e.now {
			e.endJump(c) // its first job ends soon
		}
	}
	for _, k := range e.endedInFull {
		if k.component != nil { // it has not left with another job of its component
			done = e.removeEnded(k.component, done)
		}
	}
	for len(e.computing) > 0 && int64(e.computing[0].cycle) <= e.now {
		j := e.computing.Pop()
		if j.joins != nil {
			e.join(j.joins)
			continue
		}
		if j.held != nil {
			e.finishJob(j.held)
		}
		done = append(done, j.id)
	}
	return done
}

// decideFor decides for a component that is due whether its jobs jump or are simulated further.
func (e *Executor) decideFor(c *component) {
	c.due, c.nextDecision = false, never
	switch {
	case slices.ContainsFunc(c.jobs, func(k *jobState) bool { return k.killed }):
		c.nextDecision = e.now + releaseCycles
	case e.links.changing:
		c.nextDecision = e.now + releaseCycles
	case !c.opened && e.recovers(c):
	case !c.opened:
		if f := e.recall(c); f == nil || !e.consider(c, f) {
			e.openWindow(c, 0)
		}
	case c.audit != nil:
		e.continueAudit(c)
	case c.repeats != nil:
		e.measurePeriod(c)
	default:
		if f := e.settled(c); f != nil {
			e.remember(c, f)
			if e.consider(c, f) {
				return
			}
		}
		if c.audit != nil {
			e.continueAudit(c)
		} else if c.repeats == nil {
			e.setTarget(c)
		}
	}
}

// jobState is a running job that sends messages.
type jobState struct {
	job          scheduler.Job
	config       patterns.Config
	nodes        []topology.Node
	links        []router.Link // that its packets may use
	component    *component
	perIteration int64 // messages of an iteration that arrive
	tasks        bool  // its processes run graphs of tasks
	start        int64 // cycle in which it started
	laterCompute int64 // cycles for which iterations after the first compute before their messages
	live         liveState
	ended        bool
	killed       bool // its last messages are in the network

	totals    netsim.Totals // of its messages in jumps and, if it has ended, all others
	estimated bool          // a jump of it was an estimate
	skipped   bool          // it has jumped
	shifted   bool          // a jump of it, or of a job that it met, has changed its phase
	carry     float64       // part of an iteration that estimated jumps have not left out yet

	// unsure is the number of cycles in which its phase differed from that in a run without jumps.
	// drawnVariance is the variance of its service time from the first carry.
	unsure, drawnVariance float64
}

// newJob returns the state of a job that starts now and sends messages.
func (e *Executor) newJob(j *scheduler.Job, nodes []topology.Node, perIteration int64) *jobState {
	k := &jobState{job: *j, nodes: slices.Clone(nodes[:j.Size]), perIteration: perIteration,
		start: e.now}
	k.config = executor.ProgramConfig(e.patterns[j.Pattern], j)
	k.laterCompute = k.config.ComputeCycles
	if patterns.OwnSizes(k.config.Name) {
		k.laterCompute = k.config.PauseCycles
	}
	return k
}

// messagesOf returns the messages of an iteration and of the whole job. Both are 0 if the job only
// computes or has a single process.
func (e *Executor) messagesOf(j *scheduler.Job) (perIteration, total int64, err error) {
	if j.Quota == 0 && j.Lead > 0 || j.Size == 1 {
		return 0, 0, nil
	}
	return patterns.MessagesOf(e.patterns[j.Pattern], j.Size, j.Shape, max(1, j.Quota))
}

// countTaskMessages corrects the number of messages of an iteration if processes run graphs of
// tasks, which send requests and answers, or messages to themselves, which do not arrive.
func (k *jobState) countTaskMessages() error {
	arrivals, tasks, err := patterns.TaskArrivals(k.config, k.job.Size, k.job.Shape)
	if k.tasks = tasks; tasks {
		k.perIteration = max(1, arrivals)
	}
	return err
}

// repeatsSurely reports whether a component is one job whose iterations are sure to be equal.
func (e *Executor) repeatsSurely(c *component) bool {
	return len(c.jobs) == 1 && e.regenerates(c.jobs[0])
}

// regenerates reports whether the network is idle, as before the first message, whenever an
// iteration of a lone job begins: a regeneration point. After a barrier all messages have arrived:
// the last flit was sent LinkCycles before, its channel is free after FlitCycles, and its credit is
// back after CreditCycles. The programs of codes have no barriers, and their iterations overlap.
// Turns of virtual channels and of arbiters do not return to their first state, nor do rates under
// congestion control.
func (e *Executor) regenerates(k *jobState) bool {
	if e.config.DrawsRoute || e.controlled || e.turns || k.tasks || k.config.Draws() ||
		patterns.OwnSizes(k.config.Name) {
		return false
	}
	return k.laterCompute >= e.clearing
}

// clearingCycles returns the cycles after the last delivery until a network is idle.
func clearingCycles(n *netsim.Network) int64 {
	net := n.Config()
	slowest := int32(math.Ceil(net.InjectionFlitCycles * float64(net.PacketFlits)))
	shortest := int32(math.MaxInt32)
	for _, l := range n.LinkTimings() {
		slowest, shortest = max(slowest, l.Flit, l.Credit), min(shortest, l.Delay)
	}
	return int64(slowest - shortest)
}

// findLinks lists the links that the packets of a job may use.
func (e *Executor) findLinks(k *jobState) error {
	if e.links.changing {
		k.links = append(k.links[:0], meeting)
		return nil
	}
	k.links = k.links[:0]
	pairs, err := patterns.Pairs(k.config, k.job.Size, k.job.Shape)
	e.lister++
	for _, p := range pairs {
		e.footprint.Links(k.nodes[p.From], k.nodes[p.To],
			func(l router.Link) { k.links = e.list(k.links, l) })
	}
	return err
}

// list appends a link to a list that does not have it yet. Before each list lister is counted up.
func (e *Executor) list(links []router.Link, l router.Link) []router.Link {
	if e.lastLister[l] == e.lister {
		return links
	}
	e.lastLister[l] = e.lister
	return append(links, l)
}
