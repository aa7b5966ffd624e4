package fastforward

import (
	"cmp"
	"fmt"
	"slices"

	"contend/experiments/sim/executor"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
	"contend/scheduler"
)

// Executor is a scheduler.Executor of jobs that iterate. It simulates flit by flit only as much as
// it needs to know how fast each job makes progress.
//
// Between two moments at which a job starts or ends, the running programs stay the same: an epoch.
// Jobs whose packets may meet, directly or through others, form a component. All jobs are
// simulated together, until a jump of a component pays. The trajectory of a component depends on
// its jobs alone, so it is simulated on its own, from the state that the jobs are in, and again
// from drawn phases of the jobs. Then each job makes progress at its rate, until a job of the
// component ends or a new one joins, or the rates have been used for as long as they may.
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

	unsure func(id scheduler.JobID, cycles float64) // see Uncertain

	live      *executor.Executor // of jobs for which a jump does not pay
	slots     []*jobState        // by its slots
	joining   *jobState          // a job that gets one
	over      []*jobState        // jobs that have ended there
	heardLive int64              // messages

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
	drifts, together          drifting    // of the service time, and in those of all jobs
	variance                  float64     // of the service time
	moved                     bool        // by a jump, or by a job that was: its phase is another
	each                      messageSums // of the last jump
	exact                     bool        // the last jump was exact
	live                      live
	estimated                 bool // a rate that is no more than an estimate was used
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
	software executor.Software) *Executor {
	links := n.Wiring().Links()
	other, err := netsim.New(n.Config())
	e := &Executor{stage: newStage(n, p, clock, software, s), foot: n.Footprint(), patterns: p,
		clock: clock, users: make([][]*jobState, links), mark: make([]int32, links),
		memory: newMemory(memoryLimit),
		pairs:  map[pairsKey][]patterns.Pair{}}
	if e.err = err; err == nil {
		e.live = executor.New(other, p, clock)
		e.live.Software, e.live.Began, e.live.Heard, e.live.Ended = software, e.begun, e.heard, e.ended
		e.live.Stop = func() bool { return e.Stop != nil && e.Stop() }
	}
	e.sums.flits = make([]float64, links)
	e.sums.spreads = [2]spreads{newSpreads(), newSpreads()}
	e.stage.stop = func() bool { return e.Stop != nil && e.Stop() }
	return e
}

// Uncertain has the executor report, for each job that ends, the half width of the 95% interval of
// its service time.
func (e *Executor) Uncertain(report func(id scheduler.JobID, cycles float64)) { e.unsure = report }

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
	k.config = executor.ProgramConfig(e.patterns[j.Pattern], j)
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
	part := &component{born: e.now, began: e.now, jobs: []*jobState{k}}
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
	e.sums.epochs.Add(float64(e.now - from.born))
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
	e.sums.epochs.Add(float64(e.now - c.born))
	var left []*jobState
	unsure := 0.0
	for _, k := range c.jobs {
		if k.done < float64(k.total) {
			left = append(left, k)
			continue
		}
		unsure += k.variance + k.drifts.variance
		done = append(done, k.job.ID)
		e.finish(k)
	}
	// They meet the jobs that have ended for longer or less than they would.
	s := &e.sums.spreads[0].rate
	for _, k := range left {
		unit := e.unitsAt([]*jobState{k}, []leg{{rate: k.speed(), each: k.each}}, 0).sum
		more := unsure * s.with(0, 0, unit)
		k.variance += more
		e.sums.variance += more
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
	k.live.part = nil
	e.sums.service += float64(e.now - k.began)
	if e.unsure != nil {
		e.unsure(k.job.ID, e.sums.spreads[0].sum.half(k.variance+k.drifts.variance))
	}
	if e.Ended != nil {
		e.Ended(k.job.ID, k.totals.totals(), k.estimated)
	}
}

// group makes a component of the jobs of an old one that a job meets.
func (e *Executor) group(first *jobState, old *component) {
	part := &component{born: e.now, began: e.now}
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
		if e.err != nil || e.Stop != nil && e.Stop() {
			return scheduler.Cycle(e.now), done, cmp.Or(e.err, scheduler.ErrStopped)
		}
		next := int64(until)
		if len(e.silent) > 0 {
			next = min(next, int64(e.silent[0].cycle))
		}
		for _, c := range e.parts {
			if err := e.foresee(c); err != nil {
				return scheduler.Cycle(e.now), done, cmp.Or(e.err, err)
			}
			next = min(next, c.next)
		}
		e.over = e.over[:0]
		now, _, err := e.live.Advance(scheduler.Cycle(next), nil)
		if err != nil {
			return now, done, err
		}
		next = int64(now)
		e.now = next
		for i := len(e.parts) - 1; i >= 0; i-- {
			if c := e.parts[i]; c.trajectory != nil && c.next <= e.now &&
				c.trajectory.ends(c, e.now) {
				done = e.leave(c, done)
			}
		}
		for _, k := range e.over {
			if k.part != nil { // no other job of it has ended
				done = e.leave(k.part, done)
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

// foresee sees to it that the jobs of a component go on: at their rates, or in the full simulation.
func (e *Executor) foresee(c *component) error {
	if c.next > e.now {
		return nil
	}
	if c.trajectory != nil {
		if c.trajectory.ends(c, c.next) {
			return nil
		}
		e.account(c) // its rates have been used for as long as they may
		c.began, c.trajectory = e.now, nil
	}
	if err := e.jump(c); err != nil || c.trajectory != nil {
		return err
	}
	e.enterLive(c)
	return nil
}

// sort orders the jobs of a component by their nodes.
func (c *component) sort() {
	slices.SortFunc(c.jobs, func(a, b *jobState) int { return cmp.Compare(a.nodes[0], b.nodes[0]) })
}
