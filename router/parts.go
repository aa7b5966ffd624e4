package router

import (
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"contend/router/topology"
)

// Routers that step side by side. Divide cuts them into parts: ranges of routers with about as many
// VCs each. A part is a copy of Routers that shares the state of VCs, packets, links and nodes with
// the others and has its own calendar, wheels, bits and lists, for its routers and their nodes. In
// a cycle each part does all stages for its own routers. It writes flits, credits and heads on
// links to another part in a mailbox, which that part empties in the next cycle. Undivided routers
// use these no earlier, so each decision has the same inputs, and results are the same for every
// number of parts and threads.

// mailbox holds the flits, credits and heads that one part sends to another in a cycle.
type mailbox struct {
	vcs   [2][]int32 // VCs on which flits are sent, and VCs whose credits return
	heads []sentHead // heads on links between the parts
}

// The kinds of mailbox.vcs.
const (
	mailedFlits = iota
	mailedCredits
)

// sentHead is a head on a link between parts: the arguments of headSent.
type sentHead struct {
	c, packet int32
	comes     int64
}

// parts is how the routers are divided.
type parts struct {
	list   []*Routers
	enters []uint8          // by link: the part of the router that it enters
	leaves []uint8          // by link: the part of the router or node that it leaves
	begun  []int            // packets that the nodes of each part may begin in a cycle
	_      [64]byte         // the next fields change in each cycle and have a cache line of their own
	cycles uint32           // steps so far
	spent  [2]time.Duration // in those that are measured, in one thread and in several
	inTurn bool             // one thread steps all parts, which is as fast
	// Of the threads that step the parts.
	epoch   atomic.Uint32 // rises when there are parts to step
	next    atomic.Int32  // the next part to step
	left    atomic.Int32  // parts that are not stepped yet
	helpers atomic.Int32  // threads that wait for parts to step
	failure atomic.Pointer[any]
}

// maxParts is the maximum number of parts: a link has the numbers of two in bytes.
const maxParts = 255

// Divide cuts the routers into parts, one for each of the routings. These must be equal; each part
// needs its own because a routing has scratch memory. It is called before the first message, and
// only the cycle-driven engine can be divided.
func (b *Routers) Divide(routings []Routing) {
	n := len(routings)
	if b.buffers == nil || n > maxParts {
		panic("router: these routers cannot be divided")
	}
	d := &parts{enters: make([]uint8, b.w.Links()), leaves: make([]uint8, b.w.Links())}
	of := b.rangesOfRouters(n)
	for l := range d.enters {
		from, to := b.w.Ends(Link(l))
		d.leaves[l], d.enters[l] = of[from.Router], of[to.Router]
	}
	d.begun = make([]int, n)
	for _, c := range b.w.injection {
		d.begun[d.enters[b.w.link(c)]] += b.w.InjectionPorts
	}
	b.buffers.unitDelay = false // it changes the state of other routers
	for k, x := range routings {
		p := b
		if k > 0 {
			p = b.copyForPart(x)
		}
		p.divided, p.part = d, uint8(k)
		p.outbox = [2][]mailbox{make([]mailbox, n), make([]mailbox, n)}
		d.list = append(d.list, p)
	}
}

// rangesOfRouters returns the part of each router: ranges with about as many VCs each.
func (b *Routers) rangesOfRouters(n int) []uint8 {
	of := make([]uint8, b.w.Topology.Routers())
	for r := range of {
		of[r] = uint8(int64(b.w.in[r]) * int64(n) / int64(b.w.in[len(of)]))
	}
	return of
}

// copyForPart returns a copy of idle routers with scratch, a calendar and a routing of its own.
func (b *Routers) copyForPart(x Routing) *Routers {
	p, buffers := *b, *b.buffers
	p.routing, p.failing = x, b.failing.forPart(x)
	if tables := outputTablesOf(x); b.outputVC != nil {
		p.outputVC, p.mesh2D = tables.OutputVC, tables.Mesh
	} else if b.outputRun != nil {
		p.outputRun = tables.OutputRun
	}
	p.escaping, _ = Whole(x).(Escaping)
	if b.view != nil {
		p.view = view{&p}
	}
	if b.entries != nil {
		p.entries = &entries{}
	}
	if b.offered == nil {
		p.choices = make([]Channel, len(b.choices))
	}
	p.calendar = newCalendar(b.calendar.mask)
	p.matching = b.matching.withOwnLists()
	buffers.switches = b.buffers.switches.withOwnLists()
	buffers.speculator = b.buffers.speculator.withOwnLists()
	// A VC belongs to the part that sends on it, and its FIFO to the part that it enters. Each has
	// fields of its own, which the other does not read. In one place they would move from core to
	// core with each flit between parts.
	p.vcs, buffers.fifos = slices.Clone(p.vcs), slices.Clone(buffers.fifos)
	buffers.in, buffers.held = slices.Clone(buffers.in), slices.Clone(buffers.held)
	buffers.active, buffers.sent = slices.Clone(buffers.active), slices.Clone(buffers.sent)
	buffers.linkFree = slices.Clone(buffers.linkFree)
	for _, w := range []*wheel{&buffers.arrivals, &buffers.credits, &buffers.linkReleases,
		&buffers.bodies} {
		*w = wheel{make([]slotList, len(w.slots)), w.mask}
	}
	p.buffers = &buffers
	e := *b.engine.(*cycleEngine)
	e.Routers, e.x = &p, &buffers
	p.engine = &e
	return &p
}

// withOwnLists returns a matcher with the same sellers and takers and scratch of its own.
func (m *matcher) withOwnLists() *matcher {
	if m == nil {
		return nil
	}
	own := *m
	own.offering, own.accepting = slices.Clone(m.offering), slices.Clone(m.accepting)
	return &own
}

// partsOf returns the parts of the routers: themselves if they are not divided.
func (b *Routers) partsOf() []*Routers {
	if b.divided == nil {
		return b.self[:]
	}
	return b.divided.list
}

// fifo returns the state of the FIFO of VC c, in its part.
func (b *Routers) fifo(c Channel) *vcState {
	if b.divided == nil {
		return &b.vcs[c]
	}
	return &b.divided.list[b.divided.enters[b.w.link(c)]].vcs[c]
}

// partOfNode returns the part of a node.
func (b *Routers) partOfNode(node topology.Node) *Routers {
	if b.divided == nil {
		return b
	}
	return b.divided.list[b.divided.enters[b.w.link(b.w.injection[node])]]
}

// mail returns the mailboxes of this cycle by receiving part, which empties its mailbox in the next
// cycle.
func (b *Routers) mail() []mailbox {
	b.calendar.slotOf(b.now + 1)
	return b.outbox[b.now&1]
}

// post puts each VC in list in the mailbox of the part to which its link belongs, by of, and
// returns in own the VCs of this part.
func (e *cycleEngine) post(kind int, of []uint8, list, own []int32) []int32 {
	n, boxes := 0, e.mail()
	for _, s := range list {
		own[n] = s
		if part := of[e.x.link(s)]; part == e.part {
			n++
		} else {
			box := &boxes[part].vcs[kind]
			*box = append(*box, s)
		}
	}
	return own[:n]
}

// postHead posts a head if it enters another part, and reports whether it does.
func (e *cycleEngine) postHead(k sentHead) bool {
	part := e.divided.enters[e.x.link(k.c)]
	if part != e.part {
		box := &e.mail()[part]
		box.heads = append(box.heads, k)
	}
	return part != e.part
}

// receiveMail takes in the flits, credits and heads that other parts sent in the last cycle.
func (e *cycleEngine) receiveMail() {
	for _, p := range e.divided.list {
		box, sent := &p.outbox[(e.now-1)&1][e.part], e.now-1
		for _, k := range box.heads {
			e.headSent(k.c, k.packet, k.comes)
		}
		for _, o := range box.vcs[mailedFlits] {
			e.x.fifos[o].queuedFlits++ // not read unless countsQueued
			e.arriveAt(sent+e.delay(Channel(o)), o)
		}
		for _, i := range box.vcs[mailedCredits] {
			e.creditAt(sent+e.credit(Channel(i)), i)
		}
		*box = mailbox{[2][]int32{box.vcs[mailedFlits][:0], box.vcs[mailedCredits][:0]}, box.heads[:0]}
	}
}

// reservePackets makes room in each part for the packets that its nodes may begin in a cycle.
func (b *Routers) reservePackets() {
	for k, p := range b.divided.list {
		for len(p.freePacket) < b.divided.begun[k] {
			p.freePacket = append(p.freePacket, b.addPacket())
		}
	}
	for _, p := range b.divided.list {
		p.packets, p.notes, p.heads, p.flows = b.packets, b.notes, b.heads, b.flows
		if f := b.failing; f != nil {
			p.failing.lost, p.failing.escape, p.failing.before = f.lost, f.escape, f.before
		}
	}
}

// step does a cycle of all parts.
func (b *Routers) step() {
	if b.divided == nil {
		b.cycle()
		b.check()
		return
	}
	b.reservePackets()
	d := b.divided
	at := d.cycles % measureEvery
	d.cycles++
	if at >= 2*measuredCycles || !choosesThreads {
		d.stepAll(d.inTurn)
		return
	}
	start, k := time.Now(), at/measuredCycles
	d.stepAll(k == 0)
	d.spent[k] += time.Since(start)
	if at == 2*measuredCycles-1 {
		d.inTurn, d.spent = d.spent[0] <= d.spent[1], [2]time.Duration{}
	}
}

// Threads wait for each other once a cycle, so they gain only where a cycle takes long, some 20 us,
// and where the cores are free. In each period some cycles are measured, first in one thread and
// then in several, and the faster mode is kept.
const (
	measuredCycles = 8
	measureEvery   = 512
)

// stepAll does a cycle of all parts, in this thread or in several.
func (d *parts) stepAll(inTurn bool) {
	if inTurn {
		for _, p := range d.list {
			p.cycle()
		}
		return
	}
	d.left.Store(int32(len(d.list)))
	d.next.Store(0)
	d.epoch.Add(1)
	for n := min(len(d.list), runtime.GOMAXPROCS(0)) - 1; int(d.helpers.Load()) < n; {
		d.helpers.Add(1)
		go d.help(d.epoch.Load() - 1)
	}
	d.work()
	for spins := 0; d.left.Load() > 0; spins++ {
		pause(spins)
	}
	if f := d.failure.Load(); f != nil {
		panic(*f)
	}
}

// work steps parts until none is left to begin with.
func (d *parts) work() {
	for k := d.next.Add(1) - 1; int(k) < len(d.list); k = d.next.Add(1) - 1 {
		d.stepPart(d.list[k])
	}
}

// stepPart does a cycle of a part. A panic is passed on to the thread that called Advance.
func (d *parts) stepPart(p *Routers) {
	defer func() {
		if f := recover(); f != nil {
			first := f // on the heap only then
			d.failure.CompareAndSwap(nil, &first)
		}
		d.left.Add(-1)
	}()
	p.cycle()
}

// A thread that looks for parts to step yields after patience looks, some tens of microseconds, and
// ends after maxSpins. If it yielded soon the scheduler could run both threads on one core.
const (
	patience = 1 << 15
	maxSpins = patience + 1<<12
)

// help steps parts in each epoch after the given one, and ends when the next does not come within
// maxSpins.
func (d *parts) help(epoch uint32) {
	for spins := 0; spins < maxSpins; spins++ {
		if now := d.epoch.Load(); now != epoch {
			epoch, spins = now, 0
			d.work()
		}
		pause(spins)
	}
	d.helpers.Add(-1)
}

// pause yields to other threads once this one has found no parts to step for some time.
func pause(spins int) {
	if spins > patience {
		runtime.Gosched()
	}
}
