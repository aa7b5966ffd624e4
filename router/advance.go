package router

import (
	"fmt"
	"math/bits"
	"strings"

	"contend/internal/heap"
	"contend/router/topology"
)

// Advance advances to the next cycle in which tails arrive at their nodes, or to limit if that
// comes first, and returns the packets whose tails arrived, which are valid until the next call.
// All earlier cycles are complete then. Of the cycle that it reaches only the arrivals are done, so
// messages that the caller offers now take part in that cycle.
//
// A cycle has these stages: tails arrive at nodes; flits and credits arrive at routers; routed
// heads request VCs (RC); VCs are allocated (VA); flits are sent (SA, ST, LT), or in the other
// engines all flits whose times follow from the grants. Each decision rests on the state at the end
// of the cycle before, because every change takes effect at least a cycle later. So no order of
// evaluation within a stage shows in a result.
//
// With ReportEntries it also returns, without packets, in the cycles of entries.
//
// Cycles without events are skipped. If no flit can ever move again while packets are on their way,
// the error is a *StuckError. An error of the function given to Poll ends Advance between two
// cycles.
func (b *Routers) Advance(limit int64) ([]Arrival, error) {
	b.delivered = b.delivered[:0]
	for until := b.until(limit); b.now < until; until = b.until(limit) {
		if b.effort >= pollEffort {
			if err := b.callPoll(); err != nil {
				return nil, err
			}
		}
		t, ok := b.nextEvent()
		if !ok {
			if b.packetsInFlight() > 0 {
				return nil, b.stuck()
			}
			t = until
		}
		for _, p := range b.partsOf() {
			p.now = min(t, until)
			b.effort += 1 + p.inFlight
			if len(p.calendar.later) > 0 {
				p.moveLaterEvents()
			}
		}
		if t > until || !ok || b.arrivals() || t == until {
			break
		}
		b.step()
	}
	return b.delivered, nil
}

// pollEffort is the effort between two calls of the function given to Poll, a fraction of a
// millisecond: one for each cycle with events, and one for each packet in flight in it. Both count
// because a cycle of a machine of a million nodes takes longer than a thousand cycles of a small
// machine.
const pollEffort = 1 << 10

// Poll has Advance call f before the first cycle and then from time to time. Once f returns an
// error, Advance returns it.
func (b *Routers) Poll(f func() error) { b.poll, b.effort = f, pollEffort }

// callPoll calls the function given to Poll, if there is one.
func (b *Routers) callPoll() error {
	b.effort = 0
	if b.poll == nil {
		return nil
	}
	return b.poll()
}

// nextEvent returns the first cycle from now on that has events.
func (b *Routers) nextEvent() (cycle int64, ok bool) {
	cycle = never
	for _, p := range b.partsOf() {
		if t, some := p.calendar.next(p.now); some {
			cycle, ok = min(cycle, t), true
		}
	}
	return cycle, ok
}

// packetsInFlight returns the number of packets that have left their source queues.
func (b *Routers) packetsInFlight() (n int) {
	for _, p := range b.partsOf() {
		n += p.inFlight
	}
	return n
}

// arrivals delivers the packets whose tails arrive at their nodes in this cycle, and reports
// whether there are any.
func (b *Routers) arrivals() bool {
	b.arrivedPackets = b.arrivedPackets[:0]
	for _, part := range b.partsOf() {
		w := &part.calendar
		s := &w.slots[w.index(b.now)]
		b.arrivedPackets = append(b.arrivedPackets, s.tails...)
		s.tails = s.tails[:0]
	}
	if len(b.arrivedPackets) == 0 {
		return false
	}
	sum := int64(0) // read ahead: see batch
	for _, p := range b.arrivedPackets {
		sum += b.notes[p].number + int64(b.packets[p].Length)
	}
	b.sum = sum
	b.sortByNumber(b.arrivedPackets)
	for _, p := range b.arrivedPackets {
		b.delivered = append(b.delivered, Arrival{Delivered: b.now})
		a := &b.delivered[len(b.delivered)-1]
		a.Packet, a.Turn, a.User = b.packets[p], b.notes[p].turn, b.notes[p].user
		a.Number = b.notes[p].number
		if b.flows != nil {
			a.Flow = b.flows[p]
		}
		if b.failing != nil {
			a.Lost, a.OnEscapePath = b.failing.lost[p], b.failing.escape[p]
		}
		if b.marker != nil {
			a.Marked = b.marker.marked[p]
		}
		part := b.partOfNode(a.From)
		part.freePacket = append(part.freePacket, p)
		part.inFlight--
	}
	if b.waits != nil {
		b.waits.leave(b.arrivedPackets, b.now)
	}
	return true
}

// sortByNumber sorts the few packets that arrive in one cycle by their numbers.
func (b *Routers) sortByNumber(list []int32) {
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && b.notes[list[j]].number < b.notes[list[j-1]].number; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// cycle does the stages of the current cycle from the arrival of flits on.
func (b *Routers) cycle() {
	s := &b.calendar.slots[b.calendar.index(b.now)]
	b.engine.receive()
	if b.failing != nil && b.failing.changed {
		b.rerouteHeads()
	}
	heads := s.heads
	s.heads = none
	b.engine.computeRoutes(heads)
	b.serveEach(s.vaQueues)
	s.vaQueues = s.vaQueues[:0]
	b.engine.send()
	b.calendar.clear(b.now)
}

// calendar is a timing wheel; later events wait in a heap. Only the worm and the packet engine, and
// nodes that rest, schedule events beyond the wheel.
type calendar struct {
	mask  int64             // length of the wheel less one
	slots []slot            // of the wheel: cycle t has slot t & mask
	nodes [][]topology.Node // nodes that may inject, by slot
	busy  []uint64          // a bit for each slot: it has events; in cache lines of its own
	later heap.Heap[event]  // events beyond the wheel
}

// slot holds the events of a cycle.
type slot struct {
	heads    int32   // list, by vcState.next, of the FIFOs whose heads compute their routes
	tails    []int32 // packets whose tails arrive at nodes
	vaQueues []int32 // VCs, links or routers whose waiting heads VC allocation serves
	// of the packet engine: links to look at and, as complements, VCs whose FIFOs may be empty
	links []int32
	ready []int32 // of the packet engine: FIFOs whose heads compute their routes
}

// event is an event of any kind.
type event struct {
	cycle int64
	id    int32 // of a FIFO, a queue, a packet or a node
	kind  uint8
}

// The kinds of events.
const (
	headRouted = iota
	headsServed
	tailArrives
	nodeRested
	linkServed
	headReady
)

// newCalendar returns a calendar for events up to span cycles ahead.
func newCalendar(span int64) calendar {
	n := int64(64)
	for n < span+1 {
		n *= 2
	}
	w := calendar{mask: n - 1, slots: make([]slot, n),
		nodes: make([][]topology.Node, n), busy: make([]uint64, n/64, max(16, n/64))}
	for i := range w.slots {
		w.slots[i] = slot{heads: none}
	}
	return w
}

// slotOf returns the slot of a cycle within the wheel and marks it as busy.
func (w *calendar) slotOf(cycle int64) *slot {
	i := cycle & w.mask
	w.busy[i>>6] |= 1 << (i & 63)
	return &w.slots[i]
}

// index returns the index of the slot of a cycle.
func (w *calendar) index(cycle int64) int { return int(cycle & w.mask) }

// clear marks the slot of a cycle as empty.
func (w *calendar) clear(cycle int64) {
	i := cycle & w.mask
	w.busy[i>>6] &^= 1 << (i & 63)
}

// next returns the first cycle from now on that has events.
func (w *calendar) next(now int64) (int64, bool) {
	i := now & w.mask
	if word := w.busy[i>>6] >> (i & 63); word != 0 {
		return now + int64(bits.TrailingZeros64(word)), true
	}
	n := int64(len(w.busy))
	for k := int64(1); k <= n; k++ {
		if word := w.busy[(i>>6+k)%n]; word != 0 {
			return now - i&63 + k<<6 + int64(bits.TrailingZeros64(word)), true
		}
	}
	if len(w.later) > 0 {
		return w.later[0].cycle, true
	}
	return 0, false
}

// schedule enters an event of any kind but headRouted, which scheduleHead enters.
func (w *calendar) schedule(now int64, e event) {
	if e.cycle-now > w.mask {
		w.later.Push(e)
		return
	}
	s := w.slotOf(e.cycle)
	switch e.kind {
	case headsServed:
		s.vaQueues = append(s.vaQueues, e.id)
	case linkServed:
		s.links = append(s.links, e.id)
	case headReady:
		s.ready = append(s.ready, e.id)
	case nodeRested:
		i := w.index(e.cycle)
		w.nodes[i] = append(w.nodes[i], topology.Node(e.id))
	default:
		s.tails = append(s.tails, e.id)
	}
}

// scheduleHead enters the head at the front of FIFO c, whose ready cycle is within the wheel.
func (w *calendar) scheduleHead(v *vcState, c Channel) {
	s := w.slotOf(v.ready)
	v.next, s.heads = s.heads, int32(c)
}

// moveLaterEvents moves to the wheel those events of the heap whose cycles it now covers.
func (b *Routers) moveLaterEvents() {
	w := &b.calendar
	for len(w.later) > 0 && w.later[0].cycle-b.now <= w.mask {
		if e := w.later.Pop(); e.kind == headRouted {
			w.scheduleHead(&b.vcs[e.id], Channel(e.id))
		} else {
			w.schedule(b.now, e)
		}
	}
}

// Before reports whether an event is due before another one.
func (e event) Before(other event) bool { return e.cycle < other.cycle }

// scheduleNode schedules injection at a node in a cycle, unless it is scheduled earlier.
func (b *Routers) scheduleNode(node topology.Node, cycle int64) {
	k := &b.injecting[int(node)*b.w.InjectionPorts]
	if cycle >= k.next {
		return
	}
	k.next = cycle
	b.calendar.schedule(b.now, event{cycle, int32(node), nodeRested})
}

// scheduleVA schedules VC allocation for a queue in a cycle, unless it is scheduled earlier.
func (b *Routers) scheduleVA(id int32, cycle int64) {
	if q := &b.requests[id]; cycle < q.servedAt {
		q.servedAt = cycle
		b.calendar.schedule(b.now, event{cycle, id, headsServed})
	}
}

// scheduleHead schedules route computation for the head at the front of FIFO c.
func (b *Routers) scheduleHead(v *vcState, c Channel) {
	if w := &b.calendar; v.ready-b.now <= w.mask {
		w.scheduleHead(v, c)
	} else {
		w.later.Push(event{v.ready, int32(c), headRouted})
	}
}

// StuckError reports that no flit can ever move again: the packets of a cycle of channels wait for
// each other.
type StuckError struct {
	Cycle    int64     // cycle after which nothing can move
	Channels []Channel // the cycle, in the order of waiting; empty if none was found
	Packets  []Packet  // Packets[i] is at the head of Channels[i] and waits for Channels[i+1]
	text     string
}

// Error names the packets of the cycle and the channels for which they wait.
func (e *StuckError) Error() string { return e.text }

// stuck finds a cycle of packets that wait for each other.
func (b *Routers) stuck() error {
	for c := range b.vcs {
		if s := b.fifo(Channel(c)).state; s != waitingVC && s != active {
			continue
		}
		at := map[Channel]int{}
		var chain []Channel
		for c := Channel(c); ; {
			if i, again := at[c]; again {
				return b.stuckError(chain[i:])
			}
			at[c] = len(chain)
			chain = append(chain, c)
			next, ok := b.waitsFor(c)
			if !ok {
				break
			}
			c = next
		}
	}
	return b.stuckError(nil)
}

// waitsFor returns the VC for which the packet at the front of FIFO c waits: a VC that another
// packet holds or that has no credits.
func (b *Routers) waitsFor(c Channel) (Channel, bool) {
	k := b.fifo(c)
	return Channel(k.outputVC), k.state == waitingVC || k.state == active
}

// stuckError returns the error for a cycle of channels, empty if none was found.
func (b *Routers) stuckError(cycle []Channel) error {
	e := &StuckError{Cycle: b.now, Channels: cycle}
	var s strings.Builder
	fmt.Fprintf(&s, "the network is stuck in cycle %d with %d packets in it: no flit can ever move "+
		"again", b.now, b.packetsInFlight())
	for i, c := range cycle {
		id := b.fifo(c).packet
		b.engine.updatePacket(id)
		p := b.packets[id]
		e.Packets = append(e.Packets, p)
		fmt.Fprintf(&s, "\n  packet %d, node %d to %d, in the FIFO of %s, waits for %s",
			b.notes[id].number, p.From, p.To, b.w.Describe(c), b.w.Describe(cycle[(i+1)%len(cycle)]))
	}
	e.text = s.String()
	return e
}
