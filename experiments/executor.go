package experiments

import (
	"cmp"
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"

	"contend/netsim"
	"contend/netsim/topology"
	"contend/patterns"
	"contend/scheduler"
)

// netExecutor runs jobs as the programs they are: their messages travel
// through the network, and a job ends when its program does. Rank i of a job
// lives on the i-th of its nodes.
type netExecutor struct {
	net      *netsim.Network
	patterns []patterns.Config // by Job.Pattern
	clock    scheduler.Clock
	// ended, if not nil, is told what a job's messages met with.
	ended func(id scheduler.JobID, t netsim.Totals)

	jobs   []netJob // slots; a message names its job's
	free   []int32
	rankOf []patterns.Rank // of the process on a node
	timers timers
	batch  []patterns.Message
	err    error
}

// netJob is a running job.
type netJob struct {
	id      scheduler.JobID
	program patterns.Program
	nodes   []topology.Node
	totals  netsim.Totals
}

// timer is something to happen later: a delayed message, or the end of a job
// that does not communicate.
type timer struct {
	cycle   scheduler.Cycle
	order   int64 // of setting, among equals
	slot    int32
	message patterns.Message
	end     bool
}

type timers struct {
	list []timer
	set  int64
}

func (t *timers) Len() int { return len(t.list) }
func (t *timers) Less(i, j int) bool {
	return t.list[i].cycle < t.list[j].cycle || t.list[i].cycle == t.list[j].cycle && t.list[i].order < t.list[j].order
}
func (t *timers) Swap(i, j int) { t.list[i], t.list[j] = t.list[j], t.list[i] }
func (t *timers) Push(x any)    { t.list = append(t.list, x.(timer)) }
func (t *timers) Pop() any {
	n := len(t.list) - 1
	x := t.list[n]
	t.list = t.list[:n]
	return x
}

func newNetExecutor(n *netsim.Network, p []patterns.Config, clock scheduler.Clock) *netExecutor {
	return &netExecutor{net: n, patterns: p, clock: clock, rankOf: make([]patterns.Rank, n.Config().Topology.Nodes())}
}

// Start implements scheduler.Executor. A job whose pattern has no messages for
// its number of processes, as that of a single one, runs for its run time.
func (x *netExecutor) Start(j *scheduler.Job, nodes []topology.Node) {
	slot := x.slot()
	k := &x.jobs[slot]
	k.id, k.nodes, k.totals = j.ID, append(k.nodes[:0], nodes[:j.Size]...), netsim.Totals{}
	for i, n := range k.nodes {
		x.rankOf[n] = patterns.Rank(i)
	}
	var err error
	k.program, err = patterns.New(x.patterns[j.Pattern], j.Size, j.Shape, max(1, j.Quota), rand.New(rand.NewPCG(j.Seed, 0)))
	if err != nil { // Only the first is reported: Advance stops the simulation.
		x.err = cmp.Or(x.err, fmt.Errorf("job %d: %w", j.ID, err))
		return
	}
	x.tell(k.program)
	x.send(slot, k.program.Start(x.batch[:0]))
	if k.program.Done() {
		x.later(timer{cycle: scheduler.Cycle(x.net.Now()) + x.clock.Cycles(j.RunTime), slot: slot, end: true})
	}
}

// tell lets a program know the time that wants to.
func (x *netExecutor) tell(p patterns.Program) {
	if t, ok := p.(patterns.Timed); ok {
		t.At(x.net.Now())
	}
}

func (x *netExecutor) slot() int32 {
	if n := len(x.free); n > 0 {
		s := x.free[n-1]
		x.free = x.free[:n-1]
		return s
	}
	x.jobs = append(x.jobs, netJob{})
	return int32(len(x.jobs) - 1)
}

func (x *netExecutor) later(t timer) {
	t.order = x.timers.set
	x.timers.set++
	heap.Push(&x.timers, t)
}

// send hands the messages of a job's program to the network, or puts them off.
func (x *netExecutor) send(slot int32, batch []patterns.Message) {
	for _, m := range batch {
		if m.Delay > 0 {
			x.later(timer{cycle: scheduler.Cycle(x.net.Now() + m.Delay), slot: slot, message: m})
		} else {
			x.sendNow(slot, m)
		}
	}
	x.batch = batch[:0]
}

func (x *netExecutor) sendNow(slot int32, m patterns.Message) {
	nodes := x.jobs[slot].nodes
	x.net.Send(netsim.Message{From: nodes[m.From], To: nodes[m.To], Flits: m.Flits, Job: slot, User: m.Tag})
}

// Advance implements scheduler.Executor.
func (x *netExecutor) Advance(until scheduler.Cycle, done []scheduler.JobID) (scheduler.Cycle, []scheduler.JobID, error) {
	before := len(done)
	for {
		limit := until
		if x.timers.Len() > 0 {
			limit = min(limit, x.timers.list[0].cycle)
		}
		now, deliveries, err := x.net.Advance(int64(limit))
		if err = cmp.Or(x.err, err); err != nil {
			return scheduler.Cycle(now), done, err
		}
		for i := range deliveries {
			done = x.deliver(&deliveries[i], done)
		}
		for x.timers.Len() > 0 && x.timers.list[0].cycle <= scheduler.Cycle(now) {
			if t := heap.Pop(&x.timers).(timer); t.end {
				done = x.end(t.slot, done)
			} else {
				x.sendNow(t.slot, t.message)
			}
		}
		if len(done) > before || scheduler.Cycle(now) >= until {
			slices.Sort(done[before:])
			return scheduler.Cycle(now), done, nil
		}
	}
}

// deliver tells a job's program of a message that arrived.
func (x *netExecutor) deliver(d *netsim.Delivery, done []scheduler.JobID) []scheduler.JobID {
	k := &x.jobs[d.Job]
	if x.ended != nil {
		k.totals.AddDelivery(d)
	}
	x.tell(k.program)
	x.send(d.Job, k.program.Delivered(x.batch[:0], patterns.Message{
		From: x.rankOf[d.From], To: x.rankOf[d.To], Flits: d.Flits, Tag: d.User}))
	if k.program.Done() {
		return x.end(d.Job, done)
	}
	return done
}

func (x *netExecutor) end(slot int32, done []scheduler.JobID) []scheduler.JobID {
	k := &x.jobs[slot]
	if x.ended != nil {
		x.ended(k.id, k.totals)
	}
	k.program = nil
	x.free = append(x.free, slot)
	return append(done, k.id)
}
