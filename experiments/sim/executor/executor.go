package executor

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"contend/internal/heap"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// Executor runs jobs as programs. Their messages travel through the network, and a job ends
// when its program ends. Rank i of a job runs on the i-th of its nodes.
//
// Sending and receiving a message may take time at a process, the software latency (Moore and
// Ni 1996). A process does one thing at a time, in the order of the requests. A message enters
// the network after Software.Send cycles of its sender, so messages that a process sends at once
// enter Software.Send apart. A message that has arrived counts after Software.Receive cycles of
// its receiver.
type Executor struct {
	// Net is the network. Others may advance it only between two calls.
	Net *netsim.Network
	// Software is the time that messages take at processes.
	Software Software
	// WorkOf, if not nil, returns the work of a job: a number of messages to count in Done, or with
	// CountsFlits of their flits.
	WorkOf      func(j *scheduler.Job) int64
	CountsFlits bool
	// Done is the work of jobs that is done.
	Done int64
	// Ended, if not nil, receives the totals of the messages of each job that ends, and whether
	// they are estimates, which they are not.
	Ended func(id scheduler.JobID, t netsim.Totals, estimated bool)
	// Iterated, if not nil, receives the length in cycles of each iteration of a job: of each process
	// where its program knows it, else the time for which as many messages arrive as an iteration has.
	Iterated func(id scheduler.JobID, cycles int64)
	// Began, if not nil, is called when a job gets a slot.
	Began func(slot int32, id scheduler.JobID)
	// Delivered, if not nil, is called for each message that a job in a slot has received.
	Delivered func(slot int32)

	patterns []patterns.Config // by Job.Pattern
	clock    scheduler.Clock

	jobs   []job // slots; a message names the slot of its job
	free   []int32
	rankOf []patterns.Rank // of the process on a node
	busy   []int64         // by node, the cycle up to which its process sends and receives
	timers timers
	batch  []patterns.Message // scratch
	chains *Chains            // nil if critical paths are not requested
	err    error
}

// Software is the time in cycles that a message takes at its sender and at its receiver.
type Software struct{ Send, Receive int64 }

// job is a running job.
type job struct {
	id       scheduler.JobID
	program  patterns.Program
	waking   patterns.Waking   // the program, if it also proceeds between messages; or nil
	entering patterns.Entering // the program, if it proceeds when messages have entered; or nil
	wake     int64             // cycle of its next wakeTimer; a past cycle if there is none
	nodes    []topology.Node
	totals   netsim.Totals
	work     int64 // of WorkOf
	workLeft int64 // not yet in Done
	pending  int   // messages in the network
	running  bool
	frozen   bool
	leaving  bool // abandoned: the slot is free when no message is pending
	// Of Iterated: messages of an iteration and those that have not arrived, and when it began.
	perIteration, iterationLeft, iterationBegan int64
}

// New returns an executor on a network. Patterns are by Job.Pattern.
func New(n *netsim.Network, p []patterns.Config, clock scheduler.Clock) *Executor {
	nodes := n.Config().Topology.Nodes()
	x := &Executor{Net: n, clock: clock,
		rankOf: make([]patterns.Rank, nodes), busy: make([]int64, nodes)}
	for i := range p {
		x.AddPattern(p[i])
	}
	return x
}

// AddPattern adds a pattern for jobs that start later, and returns its number, a Job.Pattern.
func (x *Executor) AddPattern(p patterns.Config) int {
	if p.SharesCounter() {
		x.Net.ReportEntries()
	}
	x.patterns = append(x.patterns, p)
	return len(x.patterns) - 1
}

// Start implements scheduler.Executor. A job whose program has no messages, such as a job of a
// single process, runs for its run time.
func (x *Executor) Start(j *scheduler.Job, nodes []topology.Node) {
	slot := freePlace(&x.jobs, &x.free)
	k := &x.jobs[slot]
	*k = job{id: j.ID, nodes: append(k.nodes[:0], nodes[:j.Size]...), running: true}
	if x.WorkOf != nil {
		k.work = x.WorkOf(j)
		k.workLeft = k.work
	}
	if x.Began != nil {
		x.Began(slot, j.ID)
	}
	for i, n := range k.nodes {
		x.rankOf[n] = patterns.Rank(i)
		x.Net.Begin(n, uint64(router.Identity(j.Seed, int64(i))))
	}
	if x.chains != nil {
		x.chains.start(slot, k.nodes)
	}
	if j.Lead > 0 && j.Quota == 0 {
		x.timers.push(timer{cycle: scheduler.Cycle(x.Net.Now()) + j.Lead, slot: slot, kind: endTimer})
		return
	}
	var err error
	config := ProgramConfig(x.patterns[j.Pattern], j)
	rng := rand.New(rand.NewPCG(j.Seed, 0))
	k.program, err = patterns.New(config, j.Size, j.Shape, max(1, j.Quota), rng)
	if err != nil { // Advance stops the simulation and returns the first error
		x.err = cmp.Or(x.err, fmt.Errorf("job %d: %w", j.ID, err))
		return
	}
	if x.chains != nil {
		x.chains.trace(slot, k.program)
	}
	if x.Iterated != nil {
		x.iterate(k, j)
	}
	k.waking, _ = k.program.(patterns.Waking)
	k.entering, _ = k.program.(patterns.Entering)
	k.wake = -1
	if t, ok := k.program.(patterns.Timed); ok {
		t.At(x.Net.Now() + int64(j.Lead)) // the program begins after the lead
	}
	batch := k.program.Start(x.batch[:0])
	for i := 0; i < len(batch) && j.Lead > 0; i++ {
		batch[i].Delay += int64(j.Lead)
	}
	x.release(slot, batch)
	x.wakeDue(slot)
	if k.program.Done() {
		end := scheduler.Cycle(x.Net.Now()) + x.clock.Cycles(j.RunTime)
		x.timers.push(timer{cycle: end, slot: slot, kind: endTimer})
	}
}

// iterate measures the iterations of a job: of each process where the program knows when it ends
// one, else by the messages that arrive.
func (x *Executor) iterate(k *job, j *scheduler.Job) {
	id := j.ID
	p, ok := k.program.(patterns.Iterating)
	if ok && p.Iterated(func(cycles int64) { x.Iterated(id, cycles) }) {
		return
	}
	k.iterationBegan = x.Net.Now()
	k.perIteration, _ = patterns.MessagesPerIteration(x.patterns[j.Pattern], j.Size, j.Shape)
	k.iterationLeft = k.perIteration
}

// Progress returns the work that is done, with CountsFlits also that of messages under way.
func (x *Executor) Progress() int64 {
	if x.CountsFlits {
		return x.Done + x.Net.PartialFlits()
	}
	return x.Done
}

// Nodes returns the nodes of the ranks of the job in a slot.
func (x *Executor) Nodes(slot int32) []topology.Node { return x.jobs[slot].nodes }

// ProgramConfig returns the pattern of a job with the computing times of the job.
func ProgramConfig(c patterns.Config, j *scheduler.Job) patterns.Config {
	if patterns.OwnSizes(c.Name) {
		c.PauseCycles = int64(j.Compute)
	} else {
		c.ComputeCycles += int64(j.Compute)
	}
	return c
}

// Advance implements scheduler.Executor.
func (x *Executor) Advance(
	until scheduler.Cycle, done []scheduler.JobID,
) (scheduler.Cycle, []scheduler.JobID, error) {
	before := len(done)
	for {
		var now scheduler.Cycle
		var err error
		if now, done, err = x.Step(until, done); err != nil {
			return now, done, err
		}
		if len(done) > before || now >= until {
			slices.Sort(done[before:])
			return now, done, nil
		}
	}
}

// Step moves time on to the next event, or to until if that is earlier, and appends the jobs
// that end there to done.
func (x *Executor) Step(
	until scheduler.Cycle, done []scheduler.JobID,
) (scheduler.Cycle, []scheduler.JobID, error) {
	limit := until
	if len(x.timers.list) > 0 {
		limit = min(limit, x.timers.list[0].cycle)
	}
	now, deliveries, err := x.Net.Advance(int64(limit))
	if x.err != nil || err != nil {
		return scheduler.Cycle(now), done, cmp.Or(x.err, err)
	}
	for _, e := range x.Net.Entries() {
		x.entered(e)
	}
	for i := range deliveries {
		done = x.arrive(&deliveries[i], done)
	}
	for len(x.timers.list) > 0 && x.timers.list[0].cycle <= scheduler.Cycle(now) {
		done = x.fire(x.timers.list.Pop(), done)
	}
	return scheduler.Cycle(now), done, nil
}

// fire carries out the action of a timer.
func (x *Executor) fire(t timer, done []scheduler.JobID) []scheduler.JobID {
	switch t.kind {
	case endTimer:
		return x.end(t.slot, done)
	case issueTimer:
		for _, m := range t.batch {
			x.issue(t.slot, m)
		}
	case sendTimer:
		x.inject(t.slot, t.message)
	case receiveTimer:
		return x.receive(t.slot, t.message, done)
	}
	if x.jobs[t.slot].waking != nil {
		return x.wakeOrEnd(t.slot, done)
	}
	return done
}

// wakeOrEnd wakes a program as often as it is due, and ends its job if the program is done.
func (x *Executor) wakeOrEnd(slot int32, done []scheduler.JobID) []scheduler.JobID {
	x.wakeDue(slot)
	k := &x.jobs[slot]
	if !k.program.Done() {
		return done
	}
	return x.end(slot, done)
}

// wakeDue wakes a program as often as it is due in this cycle, and sets a timer for the next one.
func (x *Executor) wakeDue(slot int32) {
	k := &x.jobs[slot]
	for k.waking != nil {
		cycle, err := k.waking.Next()
		if err != nil { // Advance stops the simulation
			x.err = cmp.Or(x.err, fmt.Errorf("job %d: %w", k.id, err))
			return
		}
		now := x.Net.Now()
		if cycle > now {
			if cycle < patterns.Never && (k.wake <= now || cycle < k.wake) {
				k.wake = cycle
				x.timers.push(timer{cycle: scheduler.Cycle(cycle), slot: slot, kind: wakeTimer})
			}
			return
		}
		x.setProgramTime(k.waking)
		x.release(slot, k.waking.Wake(x.batch[:0]))
	}
}

// Abandon removes the job in a slot: it sends nothing more, and its messages in the network are
// delivered to nobody.
func (x *Executor) Abandon(slot int32) {
	x.jobs[slot].leaving = true
	list := x.timers.list
	x.timers.list = nil
	for _, t := range list {
		if t.slot != slot {
			x.timers.list.Push(t)
		}
	}
	x.freeAbandoned(slot)
}

// Kill implements scheduler.Killer: the job sends nothing more, messages in source queues are gone,
// and those in the network are delivered to nobody. Its nodes may run other jobs at once.
func (x *Executor) Kill(id scheduler.JobID) {
	slot := int32(slices.IndexFunc(x.jobs, func(k job) bool { return k.running && k.id == id }))
	k := &x.jobs[slot]
	k.pending -= x.Net.Drop(slot, k.nodes)
	for _, node := range k.nodes {
		x.busy[node] = 0
	}
	x.Done -= k.work - k.workLeft
	k.running = false
	x.Abandon(slot)
}

// Leaves reports whether messages of the killed job in a slot are still in the network.
func (x *Executor) Leaves(slot int32) bool { return x.jobs[slot].leaving }

// CanKill implements scheduler.Killer: it needs netsim.Config.Drops.
func (x *Executor) CanKill() bool { return x.Net.Config().Drops }

// freeAbandoned frees the slot of an abandoned job if all of its messages have arrived.
func (x *Executor) freeAbandoned(slot int32) {
	if k := &x.jobs[slot]; k.pending == 0 {
		k.leaving, k.program, k.waking, k.entering = false, nil, nil, nil
		if x.chains != nil {
			x.chains.forget(slot)
		}
		x.free = append(x.free, slot)
	}
}

// end reports a job, frees its slot and appends the job to done.
func (x *Executor) end(slot int32, done []scheduler.JobID) []scheduler.JobID {
	k := &x.jobs[slot]
	if x.Ended != nil {
		x.Ended(k.id, k.totals, false)
	}
	if x.chains != nil {
		x.chains.end(slot, k.id)
	}
	x.Done += k.workLeft
	k.program, k.waking, k.entering, k.running = nil, nil, nil, false
	x.free = append(x.free, slot)
	return append(done, k.id)
}

// timer is a later event of the job in a slot.
type timer struct {
	cycle   scheduler.Cycle
	order   int64 // in which timers were set; it decides between equal cycles
	message patterns.Message
	batch   []patterns.Message // of an issueTimer: messages that are sent in the same cycle
	slot    int32
	kind    timerKind
}

// timerKind is the kind of event of a timer.
type timerKind uint8

const (
	endTimer     timerKind = iota // a job that does not communicate ends
	issueTimer                    // processes have computed and issue their messages
	sendTimer                     // a process has prepared its message, which is injected
	receiveTimer                  // a process has received a message
	wakeTimer                     // a program is due, unless it has woken before
)

// Before orders timers in a heap.Heap by cycle, and then by the order of setting.
func (a timer) Before(b timer) bool {
	return a.cycle < b.cycle || a.cycle == b.cycle && a.order < b.order
}

// timers is a queue of timers.
type timers struct {
	list   heap.Heap[timer]
	set    int64
	sorted []timer // scratch
}

func (t *timers) push(x timer) {
	x.order = t.set
	t.set++
	t.list.Push(x)
}

// Totals returns the totals of the messages of the job in a slot so far.
func (x *Executor) Totals(slot int32) netsim.Totals { return x.jobs[slot].totals }

// AppendState appends the state of the jobs in some slots, in ascending order: the positions of
// their programs, how long their processes are busy, and their timers, with times relative to now.
// With the state of the network it determines their future. AppendState reports false if a program
// has no position.
func (x *Executor) AppendState(words []int64, slots []int32) ([]int64, bool) {
	now := x.Net.Now()
	for _, slot := range slots {
		p, ok := x.jobs[slot].program.(patterns.Positioned)
		if !ok {
			return words, false
		}
		words = p.AppendPosition(words, now)
		for _, node := range x.jobs[slot].nodes {
			words = append(words, max(0, x.busy[node]-now))
		}
	}
	return x.timers.appendState(words, slots, now), true
}

// appendState appends the timers of the jobs in some slots in the order in which they fire.
func (t *timers) appendState(words []int64, slots []int32, now int64) []int64 {
	t.sorted = t.sorted[:0]
	for i := range t.list {
		if _, ok := slices.BinarySearch(slots, t.list[i].slot); ok {
			t.sorted = append(t.sorted, t.list[i])
		}
	}
	slices.SortFunc(t.sorted, func(a, b timer) int {
		return cmp.Or(cmp.Compare(a.cycle, b.cycle), cmp.Compare(a.order, b.order))
	})
	for i := range t.sorted {
		a := &t.sorted[i]
		words = append(words, int64(a.cycle)-now, int64(a.kind), int64(a.slot), int64(len(a.batch)))
		for _, m := range append(a.batch, a.message) {
			words = append(words, int64(m.From)<<32|int64(m.To),
				int64(m.Flits)<<32|int64(uint32(m.Tag)))
		}
	}
	return words
}

// freePlace takes the index of a free element of a list, or of a new one.
func freePlace[T any](list *[]T, free *[]int32) int32 {
	if n := len(*free); n > 0 {
		at := (*free)[n-1]
		*free = (*free)[:n-1]
		return at
	}
	*list = append(*list, *new(T))
	return int32(len(*list) - 1)
}
