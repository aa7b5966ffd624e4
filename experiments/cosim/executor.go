package cosim

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"contend/netsim"
	"contend/netsim/topology"
	"contend/patterns"
	"contend/scheduler"
)

// netExecutor runs jobs as programs. Their messages travel through the network, and a job ends
// when its program ends. Rank i of a job runs on the i-th of its nodes.
//
// Sending and receiving a message may take time at a process, the software latency (Moore and
// Ni 1996). A process does one thing at a time, in the order of the requests. A message enters
// the network after software.send cycles of its sender, so messages that a process sends at once
// enter software.send apart. A message that has arrived counts after software.receive cycles of
// its receiver.
type netExecutor struct {
	net      *netsim.Network
	patterns []patterns.Config // by Job.Pattern
	clock    scheduler.Clock
	software softwareCycles
	// stop, if not nil, is polled and reports whether to stop the run.
	stop func() bool
	work effort
	// ended, if not nil, receives the totals of the messages of each job that ends.
	ended func(id scheduler.JobID, t netsim.Totals)
	// began, if not nil, is told which job has a slot from now on.
	began func(slot int32, id scheduler.JobID)
	// heard, if not nil, is told of each message that a job in a slot has received.
	heard func(slot int32)

	jobs   []netJob // slots; a message names the slot of its job
	free   []int32
	rankOf []patterns.Rank // of the process on a node
	busy   []int64         // cycle up to which the process on a node sends and receives
	timers timers
	batch  []patterns.Message
	err    error
	polls  uint
}

// pollEvery is the number of returns of the network between two polls of stop. The end of a job
// is too rare: jobs that end together may run for minutes until then.
const pollEvery = 1 << 10

// softwareCycles is the time in cycles that a message takes at its sender and at its receiver.
type softwareCycles struct{ send, receive int64 }

// netJob is a running job.
type netJob struct {
	id      scheduler.JobID
	program patterns.Program
	nodes   []topology.Node
	totals  netsim.Totals
	ahead   int64 // work that is not yet done; see effort
}

func newNetExecutor(n *netsim.Network, p []patterns.Config, clock scheduler.Clock) *netExecutor {
	nodes := n.Config().Topology.Nodes()
	return &netExecutor{net: n, patterns: p, clock: clock,
		rankOf: make([]patterns.Rank, nodes), busy: make([]int64, nodes)}
}

// Start implements scheduler.Executor. A job whose program has no messages, such as a job of a
// single process, runs for its run time.
func (x *netExecutor) Start(j *scheduler.Job, nodes []topology.Node) {
	slot := x.slot()
	k := &x.jobs[slot]
	k.id, k.nodes, k.totals = j.ID, append(k.nodes[:0], nodes[:j.Size]...), netsim.Totals{}
	k.ahead = x.work.of(j)
	if x.began != nil {
		x.began(slot, j.ID)
	}
	for i, n := range k.nodes {
		x.rankOf[n] = patterns.Rank(i)
	}
	if j.Lead > 0 && j.Quota == 0 {
		x.timers.push(timer{cycle: scheduler.Cycle(x.net.Now()) + j.Lead, slot: slot, kind: endTimer})
		return
	}
	var err error
	config := programConfig(x.patterns[j.Pattern], j)
	rng := rand.New(rand.NewPCG(j.Seed, 0))
	k.program, err = patterns.New(config, j.Size, j.Shape, max(1, j.Quota), rng)
	if err != nil { // Only the first is reported: Advance stops the simulation.
		x.err = cmp.Or(x.err, fmt.Errorf("job %d: %w", j.ID, err))
		return
	}
	if t, ok := k.program.(patterns.Timed); ok {
		t.At(x.net.Now() + int64(j.Lead)) // the program begins after the lead
	}
	batch := k.program.Start(x.batch[:0])
	for i := 0; i < len(batch) && j.Lead > 0; i++ {
		batch[i].Delay += int64(j.Lead)
	}
	x.send(slot, batch)
	if k.program.Done() {
		end := scheduler.Cycle(x.net.Now()) + x.clock.Cycles(j.RunTime)
		x.timers.push(timer{cycle: end, slot: slot, kind: endTimer})
	}
}

// programConfig returns the pattern of a job with the computing times of the job.
func programConfig(c patterns.Config, j *scheduler.Job) patterns.Config {
	if patterns.OwnSizes(c.Name) {
		c.PauseCycles = int64(j.Compute)
	} else {
		c.ComputeCycles += int64(j.Compute)
	}
	return c
}

// tell gives the time to a program that implements patterns.Timed.
func (x *netExecutor) tell(p patterns.Program) {
	if t, ok := p.(patterns.Timed); ok {
		t.At(x.net.Now())
	}
}

// slot returns a free slot for a job.
func (x *netExecutor) slot() int32 {
	if n := len(x.free); n > 0 {
		s := x.free[n-1]
		x.free = x.free[:n-1]
		return s
	}
	x.jobs = append(x.jobs, netJob{})
	return int32(len(x.jobs) - 1)
}

// send issues the messages of a job's program, now or after their delays.
func (x *netExecutor) send(slot int32, batch []patterns.Message) {
	for i, j := 0, 0; i < len(batch); i = j {
		delay := batch[i].Delay
		for j = i + 1; j < len(batch) && batch[j].Delay == delay; j++ {
		}
		if delay > 0 {
			x.timers.issue(scheduler.Cycle(x.net.Now()+delay), slot, batch[i:j])
			continue
		}
		for _, m := range batch[i:j] {
			x.issue(slot, m)
		}
	}
	x.batch = batch[:0]
}

// issue sends a message as soon as its process is free.
func (x *netExecutor) issue(slot int32, m patterns.Message) {
	if at := x.occupy(x.jobs[slot].nodes[m.From], x.software.send); at > x.net.Now() {
		x.timers.push(timer{cycle: scheduler.Cycle(at), slot: slot, message: m, kind: sendTimer})
		return
	}
	x.sendNow(slot, m)
}

// occupy reserves cycles of the process on a node, as soon as the process is free. It returns the
// cycle in which the reservation ends.
func (x *netExecutor) occupy(node topology.Node, cycles int64) int64 {
	if x.software == (softwareCycles{}) {
		return x.net.Now() // no process is ever busy
	}
	x.busy[node] = max(x.busy[node], x.net.Now()) + cycles
	return x.busy[node]
}

// sendNow gives a message to the network.
func (x *netExecutor) sendNow(slot int32, m patterns.Message) {
	nodes := x.jobs[slot].nodes
	x.net.Send(netsim.Message{From: nodes[m.From], To: nodes[m.To], Flits: m.Flits,
		Job: slot, User: m.Tag})
}

// Advance implements scheduler.Executor.
func (x *netExecutor) Advance(
	until scheduler.Cycle, done []scheduler.JobID,
) (scheduler.Cycle, []scheduler.JobID, error) {
	before := len(done)
	for {
		if x.polls++; x.polls%pollEvery == 0 && x.stop != nil && x.stop() {
			return scheduler.Cycle(x.net.Now()), done, scheduler.ErrStopped
		}
		var now scheduler.Cycle
		var err error
		if now, done, err = x.step(until, done); err != nil {
			return now, done, err
		}
		if len(done) > before || now >= until {
			slices.Sort(done[before:])
			return now, done, nil
		}
	}
}

// step moves time on to the next event, or to until if that is earlier, and appends the jobs
// that end there to done.
func (x *netExecutor) step(
	until scheduler.Cycle, done []scheduler.JobID,
) (scheduler.Cycle, []scheduler.JobID, error) {
	limit := until
	if x.timers.len() > 0 {
		limit = min(limit, x.timers.list[0].cycle)
	}
	now, deliveries, err := x.net.Advance(int64(limit))
	if x.err != nil || err != nil {
		return scheduler.Cycle(now), done, cmp.Or(x.err, err)
	}
	for i := range deliveries {
		done = x.deliver(&deliveries[i], done)
	}
	for x.timers.len() > 0 && x.timers.list[0].cycle <= scheduler.Cycle(now) {
		done = x.fire(x.timers.pop(), done)
	}
	return scheduler.Cycle(now), done, nil
}

// fire carries out the action of a timer.
func (x *netExecutor) fire(t timer, done []scheduler.JobID) []scheduler.JobID {
	switch t.kind {
	case endTimer:
		return x.end(t.slot, done)
	case issueTimer:
		for _, m := range x.timers.parcels[t.parcel] {
			x.issue(t.slot, m)
		}
		x.timers.free = append(x.timers.free, t.parcel)
	case sendTimer:
		x.sendNow(t.slot, t.message)
	case receiveTimer:
		return x.received(t.slot, t.message, done)
	}
	return done
}

// deliver takes a message that has arrived. Its process receives it as soon as it is free.
func (x *netExecutor) deliver(d *netsim.Delivery, done []scheduler.JobID) []scheduler.JobID {
	if x.ended != nil {
		x.jobs[d.Job].totals.AddDelivery(d)
	}
	m := patterns.Message{From: x.rankOf[d.From], To: x.rankOf[d.To], Flits: d.Flits, Tag: d.User}
	if at := x.occupy(d.To, x.software.receive); at > x.net.Now() {
		x.timers.push(timer{cycle: scheduler.Cycle(at), slot: d.Job, message: m, kind: receiveTimer})
		return done
	}
	return x.received(d.Job, m, done)
}

// received gives a message to the program of its job.
func (x *netExecutor) received(
	slot int32, m patterns.Message, done []scheduler.JobID,
) []scheduler.JobID {
	k := &x.jobs[slot]
	if k.ahead > 0 {
		k.ahead--
		x.work.done++
	}
	if x.heard != nil {
		x.heard(slot)
	}
	x.tell(k.program)
	x.send(slot, k.program.Delivered(x.batch[:0], m))
	if k.program.Done() {
		return x.end(slot, done)
	}
	return done
}

// end frees the slot of a job and appends the job to those that are done.
func (x *netExecutor) end(slot int32, done []scheduler.JobID) []scheduler.JobID {
	k := &x.jobs[slot]
	if x.ended != nil {
		x.ended(k.id, k.totals)
	}
	x.work.done += k.ahead
	k.program = nil
	x.free = append(x.free, slot)
	return append(done, k.id)
}
