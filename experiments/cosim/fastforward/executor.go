package fastforward

import (
	"cmp"
	"fmt"
	"slices"

	"contend/experiments/cosim/run"
	"contend/netsim"
	"contend/netsim/topology"
	"contend/patterns"
	"contend/router"
	"contend/router/deadlock"
	"contend/scheduler"
)

// Executor is a scheduler.Executor of jobs that iterate. It simulates flit by flit only as much as
// it needs to know how fast each job makes progress.
//
// Between two moments at which a job starts or ends, the running programs stay the same: an
// epoch. Jobs whose packets may meet, directly or through others, form a component. The trajectory
// of a component depends on its jobs alone, so it is simulated on its own, from the state that
// the jobs are in, until the rate of each job is known well enough. From then on each job makes
// progress at its rate, until a job of the component ends or a new one joins, or the rates have
// been used for as long as they may.
//
// The simulation of a trajectory begins as long before the present as the earliest of its jobs'
// current iterations did. Each job enters it at the beginning of an iteration, of its current one
// or of one before. So the network is as full at the present as it would be.
type Executor struct {
	// Stop, if not nil, is polled and reports whether to stop the run.
	Stop func() bool
	// Done is the number of messages that have arrived.
	Done int64
	// Ended, if not nil, receives the totals of the messages of each job that ends, and whether its
	// waits are estimates.
	Ended func(id scheduler.JobID, t netsim.Totals, estimated bool)

	stage    *stage
	foot     *deadlock.Footprint
	patterns []patterns.Config // by Job.Pattern
	clock    scheduler.Clock
	pairs    map[pairsKey][]patterns.Pair

	now    int64
	parts  []*component
	silent scheduler.Heap[silentJob]
	joined int64         // silent jobs so far
	users  [][]*jobState // by link
	mark   []int32       // by link: the last job whose links were listed
	memory memory
	sums   runSums
	checks checks
	err    error
}

// jobState is a running job that sends messages.
type jobState struct {
	job          scheduler.Job
	config       patterns.Config
	nodes        []topology.Node
	perIteration int64 // messages
	total        int64 // messages in all
	// The current iteration began at cycle origin, when base messages had arrived, and its first
	// messages are created lead cycles later. pause is the lead of iterations after the first.
	origin, base, lead, pause int64
	turn                      float64 // cycles of an iteration in the last trajectory; 0: not known
	done                      float64 // messages that had arrived when the trajectory began
	entered                   uint64  // trajectories that are over; each draws anew
	links                     []router.Link
	part                      *component
	totals                    messageSums
	bound                     float64 // cycles by which the service time may be off
	estimated                 bool    // a rate that is no more than an estimate was used
	began                     int64
}

// Config says when rates count as known.
type Config struct {
	// Tolerance is the greatest relative half width of the interval of a service time.
	Tolerance float64
	// DrawsRoute tells that the routing draws, so that no iteration is sure to repeat.
	DrawsRoute bool
}

// New returns an executor on a network.
func New(n *netsim.Network, p []patterns.Config, clock scheduler.Clock, s Config,
	software run.Software) *Executor {
	links := n.Wiring().Links()
	e := &Executor{stage: newStage(n, p, clock, software, s), foot: n.Footprint(), patterns: p,
		clock: clock, users: make([][]*jobState, links), mark: make([]int32, links),
		memory: newMemory(memoryLimit),
		pairs:  map[pairsKey][]patterns.Pair{}}
	e.sums.flits = make([]float64, links)
	e.stage.stop = func() bool { return e.Stop != nil && e.Stop() }
	return e
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
	k := &jobState{job: *j, nodes: slices.Clone(nodes[:j.Size]), perIteration: perIteration,
		total: total, origin: e.now, lead: int64(j.Lead), began: e.now}
	k.config = run.ProgramConfig(e.patterns[j.Pattern], j)
	k.pause = k.config.ComputeCycles
	if patterns.OwnSizes(k.config.Name) {
		k.pause = k.config.PauseCycles
	}
	if err := e.place(k); err != nil {
		e.err = cmp.Or(e.err, fmt.Errorf("job %d: %w", j.ID, err))
		return
	}
	if rest := k.lead - k.pause; rest > k.pause {
		k.lead = k.pause
		e.compute(scheduler.Cycle(rest), j.ID, k)
		return
	}
	e.join(k)
}

// silentJob is a job that computes until a cycle. Then it ends or, if then is not nil, it joins
// other jobs.
type silentJob struct {
	cycle scheduler.Cycle
	order int64
	id    scheduler.JobID
	then  *jobState
}

// Before orders jobs in a scheduler.Heap by cycle, and then by the order in which they came.
func (a silentJob) Before(b silentJob) bool {
	return a.cycle < b.cycle || a.cycle == b.cycle && a.order < b.order
}

// compute has a job compute for a time.
func (e *Executor) compute(cycles scheduler.Cycle, id scheduler.JobID, then *jobState) {
	e.joined++
	e.silent.Push(silentJob{scheduler.Cycle(e.now) + cycles, e.joined, id, then})
}

// messages returns the messages of an iteration of a job and of the whole job.
func (e *Executor) messages(j *scheduler.Job) (perIteration, total int64, err error) {
	if j.Quota == 0 && j.Lead > 0 || j.Size == 1 {
		return 0, 0, nil
	}
	return patterns.MessagesOf(e.patterns[j.Pattern], j.Size, j.Shape, max(1, j.Quota))
}

// place finds the links that the packets of a job may use.
func (e *Executor) place(k *jobState) error {
	pairs, err := e.pairsOf(k)
	e.sums.jobs++
	mark := int32(e.sums.jobs)
	for _, p := range pairs {
		e.foot.Links(k.nodes[p.From], k.nodes[p.To], func(l router.Link) {
			if e.mark[l] != mark {
				e.mark[l] = mark
				k.links = append(k.links, l)
			}
		})
	}
	return err
}

// join adds a job to the component of the jobs that it may meet.
func (e *Executor) join(k *jobState) {
	part := &component{began: e.now, jobs: []*jobState{k}}
	k.part = part
	for _, l := range k.links {
		for _, other := range e.users[l] {
			if other.part != part {
				e.merge(part, other.part)
			}
		}
		e.users[l] = append(e.users[l], k)
	}
	e.parts = append(e.parts, part)
}

// merge moves the jobs of a component into another that begins now.
func (e *Executor) merge(into, from *component) {
	e.account(from)
	for _, k := range from.jobs {
		k.part = into
	}
	into.jobs = append(into.jobs, from.jobs...)
	e.remove(from)
}

func (e *Executor) remove(c *component) {
	i := slices.Index(e.parts, c)
	e.parts = slices.Delete(e.parts, i, i+1)
}

// leave takes the jobs that have ended out of a component, and groups the others anew.
func (e *Executor) leave(c *component, done []scheduler.JobID) []scheduler.JobID {
	e.account(c)
	e.remove(c)
	var left []*jobState
	for _, k := range c.jobs {
		if k.done < float64(k.total) {
			left = append(left, k)
			continue
		}
		done = append(done, k.job.ID)
		e.finish(k)
	}
	for _, k := range left {
		if k.part == c {
			e.group(k, c)
		}
	}
	return done
}

// finish accounts for a job that has ended.
func (e *Executor) finish(k *jobState) {
	for _, l := range k.links {
		i := slices.Index(e.users[l], k)
		e.users[l] = slices.Delete(e.users[l], i, i+1)
	}
	k.part = nil // a job that is still known somewhere keeps no component, nor the jobs in that
	e.sums.service += float64(e.now - k.began)
	if service := float64(e.now - k.began); service > 0 {
		e.sums.bounds.Add(k.bound / service)
	}
	if e.Ended != nil {
		e.Ended(k.job.ID, k.totals.totals(), k.estimated)
	}
}

// group makes a component of the jobs of an old one that a job meets.
func (e *Executor) group(first *jobState, old *component) {
	part := &component{began: e.now}
	first.part = part
	part.jobs = append(part.jobs, first)
	for i := 0; i < len(part.jobs); i++ {
		for _, l := range part.jobs[i].links {
			for _, k := range e.users[l] {
				if k.part == old {
					k.part = part
					part.jobs = append(part.jobs, k)
				}
			}
		}
	}
	e.parts = append(e.parts, part)
}

// Advance implements scheduler.Executor.
func (e *Executor) Advance(
	until scheduler.Cycle, done []scheduler.JobID,
) (scheduler.Cycle, []scheduler.JobID, error) {
	before := len(done)
	for {
		if e.Stop != nil && e.Stop() {
			return scheduler.Cycle(e.now), done, scheduler.ErrStopped
		}
		next := int64(until)
		if len(e.silent) > 0 {
			next = min(next, int64(e.silent[0].cycle))
		}
		for _, c := range e.parts {
			if err := e.foresee(c, next); err != nil {
				return scheduler.Cycle(e.now), done, cmp.Or(e.err, err)
			}
			next = min(next, c.next)
		}
		e.now = next
		for i := len(e.parts) - 1; i >= 0; i-- {
			if c := e.parts[i]; c.next <= e.now && c.trajectory.ends(c, e.now) {
				done = e.leave(c, done)
			}
		}
		for len(e.silent) > 0 && int64(e.silent[0].cycle) <= e.now {
			j := e.silent.Pop()
			if j.then == nil {
				done = append(done, j.id)
				continue
			}
			j.then.origin = e.now
			e.join(j.then)
		}
		if len(done) > before || e.now >= int64(until) {
			slices.Sort(done[before:])
			return scheduler.Cycle(e.now), done, e.err
		}
	}
}

// foresee sees to it that the trajectory of a component is known, up to the end of its first job or
// a time if that is earlier.
func (e *Executor) foresee(c *component, until int64) error {
	if c.trajectory != nil && c.next > e.now {
		return nil
	}
	if c.trajectory != nil && c.trajectory.ends(c, c.next) {
		return nil
	}
	if c.trajectory != nil && c.trajectory.steady { // its rates have been used for as long as they may
		e.account(c)
		c.began, c.trajectory = e.now, nil
	}
	limit := until - c.began
	if c.trajectory == nil {
		slices.SortFunc(c.jobs, func(a, b *jobState) int { return cmp.Compare(a.nodes[0], b.nodes[0]) })
		if c.trajectory = e.recall(c, limit); c.trajectory != nil {
			c.next = c.trajectory.next(c)
			return nil
		}
	}
	if c.trajectory != nil { // it was not followed far enough
		limit = max(limit, 2*c.trajectory.until)
	}
	trajectory, err := e.stage.follow(c, max(1, limit))
	if err != nil {
		return err
	}
	c.trajectory = trajectory
	e.sums.simulated++
	if trajectory.steady {
		e.remember(c) // it tells for how long the rates hold
	}
	// Followed again from its beginning, a job may end before now: pointers of virtual channels and
	// of arbiters, and draws of routings, are not as they were the first time.
	c.next = max(e.now, trajectory.next(c))
	return nil
}

// account ends the trajectory of a component now, and accounts for it.
func (e *Executor) account(c *component) {
	if c.trajectory == nil {
		return
	}
	at := e.now - c.began
	e.checks.offer(c, at)
	sent := 0.0
	for i, k := range c.jobs {
		leg, done := &c.trajectory.legs[i], c.doneAt(i, at)
		arrived := done - k.done
		sent += arrived * leg.each[flits]
		k.totals.add(&leg.each, arrived)
		e.sums.messages.add(&leg.each, arrived)
		e.Done += int64(done) - int64(k.done)
		if jump := float64(at - max(0, c.trajectory.until)); c.trajectory.steady && jump > 0 {
			k.bound += jump * c.trajectory.off(leg, jump)
			e.sums.jumped += jump
			if c.trajectory.exact {
				e.sums.exact += jump
			} else {
				k.estimated = true
			}
		}
		leg.enter(k, at, c.began)
		k.entered++
		k.done = done
	}
	if known := c.trajectory.known; known != nil {
		known.spend(c.trajectory, float64(at-max(0, c.trajectory.until)))
	}
	for _, u := range c.trajectory.use {
		e.sums.flits[u.link] += float64(u.flits) * sent / float64(max(1, c.trajectory.flits))
	}
}
