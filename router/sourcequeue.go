package router

import (
	"contend/internal/heap"
	"contend/router/topology"
)

// entry is a message in a source queue, or the rest of it.
type entry struct {
	created  int64
	number   int64 // number of its next packet
	identity int64 // identity of its next packet
	message  int32
	user     int32
	flits    int32 // not yet in packets
	to       topology.Node
	job      int32
	flow     int32
}

// queue is a source queue: a ring.
type queue struct {
	ring  []entry // its length is a power of two
	head  int32   // index of the first message
	count int32   // messages in the queue
	next  int64   // cycle from which the first may be sent: when it came or the message before it left
}

// push appends a message.
func (q *queue) push(e entry) {
	if int(q.count) == len(q.ring) {
		ring := make([]entry, max(4, 2*len(q.ring)))
		n := copy(ring, q.ring[q.head:])
		copy(ring[n:], q.ring[:q.head])
		q.ring, q.head = ring, 0
	}
	q.ring[int(q.head+q.count)&(len(q.ring)-1)] = e
	q.count++
}

// pop removes the first message.
func (q *queue) pop() {
	q.head = (q.head + 1) & int32(len(q.ring)-1)
	q.count--
}

// lastFirst puts the last message before the first.
func (q *queue) lastFirst() {
	last, mask := q.ring[int(q.head+q.count-1)&(len(q.ring)-1)], int32(len(q.ring)-1)
	q.head = (q.head - 1) & mask
	q.ring[q.head] = last
}

// Offer enters a message in its node's source queue, now.
func (b *Routers) Offer(m Offer) {
	q := &b.queues[m.From]
	q.push(entry{created: m.Created, number: m.Number, identity: m.Identity, message: m.Message,
		user: m.User, flits: m.Flits, to: m.To, job: m.Job, flow: m.Flow})
	if m.Again {
		q.lastFirst()
	}
	if m.Again || q.count == 1 {
		q.next = max(q.next, b.now)
	}
	b.partOfNode(m.From).engine.offered(b.w.Injection(m.From), m.From, m.Again || q.count == 1)
}

// Withdraw removes unwanted messages from the source queue of a node, or the rest of a message that
// has sent packets, and appends them to list. unwanted decides by destination and job.
//
// Queues are long beyond saturation, and most have no unwanted message. So Withdraw reads a message
// and moves none ahead of the first unwanted one.
func (b *Routers) Withdraw(list []Offer, node topology.Node,
	unwanted func(to topology.Node, job int32) bool) []Offer {
	q := &b.queues[node]
	kept, mask := int32(0), int32(len(q.ring)-1)
	for i := range q.count {
		e := &q.ring[(q.head+i)&mask]
		if unwanted(e.to, e.job) {
			list = append(list, Offer{From: node, To: e.to, Flits: e.flits, Job: e.job, Message: e.message,
				User: e.user, Number: e.number, Identity: e.identity, Flow: e.flow, Created: e.created})
			continue
		}
		if kept < i {
			q.ring[(q.head+kept)&mask] = *e
		}
		kept++
	}
	q.count = kept
	return list
}

// turnOf returns the cycle from which the first packet of a node's source queue could be sent,
// given the cycle from which its injection channel is free: see Arrival.Turn.
func (b *Routers) turnOf(node topology.Node, free int64) int64 {
	q := &b.queues[node]
	return b.afterRest(node, max(q.ring[q.head].created, q.next, free))
}

// newPacket cuts the next packet from the source queue of a node, whose head is sent in a cycle.
func (b *Routers) newPacket(node topology.Node, turn, cycle int64) int32 {
	q := &b.queues[node]
	e := &q.ring[q.head]
	q.next = cycle + 1
	length := min(e.flits, b.packetFlits)
	if len(b.freePacket) == 0 {
		b.freePacket = append(b.freePacket, b.addPacket())
	}
	last := len(b.freePacket) - 1
	p := b.freePacket[last]
	b.freePacket = b.freePacket[:last]
	if b.flows != nil {
		b.flows[p] = e.flow
	}
	if !b.stateless {
		b.heads[p] = Header{Source: node, Destination: e.to, Packet: e.identity, Flow: e.flow}
	}
	b.packets[p] = Packet{Message: e.message, Length: length, From: node, To: e.to, Job: e.job,
		Created: e.created, Injected: cycle, Identity: e.identity}
	b.notes[p] = note{turn: turn, user: e.user, number: e.number}
	if b.failing != nil {
		b.failing.lost[p] = false
	}
	if b.marker != nil {
		b.marker.marked[p] = false
	}
	if b.waits != nil {
		b.waits.enter(p, e.job)
	}
	b.inFlight++
	b.rest(node, length, cycle)
	if e.flits -= length; e.flits == 0 {
		b.enter(node, e, cycle)
		q.pop()
		return p
	}
	e.number++
	e.identity++
	return p
}

// addPacket makes room for another packet and returns its index.
func (b *Routers) addPacket() int32 {
	b.packets, b.notes = append(b.packets, Packet{}), append(b.notes, note{})
	if !b.stateless {
		b.heads = append(b.heads, Header{})
	}
	if b.flows != nil {
		b.flows = append(b.flows, 0)
	}
	if f := b.failing; f != nil {
		f.lost, f.escape = append(f.lost, false), append(f.escape, false)
		f.before = append(f.before, Header{})
	}
	if b.marker != nil {
		b.marker.marked = append(b.marker.marked, false)
	}
	return int32(len(b.packets) - 1)
}

// nextPacketFlits returns the length of the next packet of a node's source queue.
func (b *Routers) nextPacketFlits(node topology.Node) int32 {
	q := &b.queues[node]
	return min(q.ring[q.head].flits, b.packetFlits)
}

// node returns the node that injects on channel c.
func (b *Routers) node(c Channel) topology.Node { return topology.Node(b.w.other[b.w.link(c)]) }

// ports returns a node's injection ports.
func (b *Routers) ports(node topology.Node) []injecting {
	return b.injecting[int(node)*b.w.InjectionPorts:][:b.w.InjectionPorts]
}

// PaceUnit divides Timing.Pace: a node's rate need not be a whole number of
// cycles a flit.
const PaceUnit = 1 << 16

// rest delays the next packet of a node that is slower than its link. The node has begun a packet
// of the given flits in cycle t and begins the next when its own rate would have sent them all.
// Flits of a packet follow each other at the link's rate: a worm at the node's rate would hold
// channels that it leaves unused.
func (b *Routers) rest(node topology.Node, flits int32, t int64) {
	if b.restsUntil != nil {
		b.restsUntil[node] = t + (int64(flits)*b.timing.Pace+PaceUnit-1)/PaceUnit
	}
}

// afterRest returns the first cycle, from t on, in which a node may begin a packet.
func (b *Routers) afterRest(node topology.Node, t int64) int64 {
	if b.restsUntil != nil {
		return max(t, b.restsUntil[node])
	}
	return t
}

// tailInjected releases injection VC c, on which the tail was sent.
func (b *Routers) tailInjected(c Channel, cur *injecting) {
	k := &b.vcs[c]
	k.holder, k.freeAt = none, cur.free
	u := &b.loads[b.w.link(c)]
	u.flits += int64(cur.length)
	u.held += k.freeAt - k.since
	cur.packet = none
}

// Entry is a message that has left its source queue: the head of its last packet has been sent.
type Entry struct {
	Cycle  int64         // the cycle after: the next message of the node may be first in the queue
	Node   topology.Node // Offer.From
	Job    int32         // Offer.Job
	User   int32         // Offer.User
	Number int64         // of its last packet
}

// Before implements heap.Heap. The order does not depend on the engine.
func (e Entry) Before(o Entry) bool {
	return e.Cycle < o.Cycle || e.Cycle == o.Cycle && e.Number < o.Number
}

// entries holds the entries that are not reported yet. An engine may know them ahead of their time.
type entries struct{ heap.Heap[Entry] }

// ReportEntries makes Advance return in the cycles of entries too, those of messages offered from
// now on.
func (b *Routers) ReportEntries() {
	for _, p := range b.partsOf() {
		if p.entries == nil {
			p.entries = &entries{}
		}
	}
}

// Entries appends the entries up to the present cycle that are not reported yet, by cycle and then
// in the order of offers.
func (b *Routers) Entries(dst []Entry) []Entry {
	for p := b.nextEntry(); p != nil && p.entries.Heap[0].Cycle <= b.now; p = b.nextEntry() {
		dst = append(dst, p.entries.Pop())
	}
	return dst
}

// nextEntry returns the part that has the next entry, or nil if none has one.
func (b *Routers) nextEntry() (next *Routers) {
	if b.entries == nil {
		return nil
	}
	for _, p := range b.partsOf() {
		if len(p.entries.Heap) > 0 &&
			(next == nil || p.entries.Heap[0].Before(next.entries.Heap[0])) {
			next = p
		}
	}
	return next
}

// until returns the cycle in which Advance returns at the latest.
func (b *Routers) until(cycle int64) int64 {
	if b.failing != nil && b.losesPackets() {
		cycle = min(cycle, b.now+1)
	}
	if p := b.nextEntry(); p != nil {
		return min(cycle, p.entries.Heap[0].Cycle)
	}
	return cycle
}

// enter notes that message e of a node leaves the source queue in a cycle.
func (b *Routers) enter(node topology.Node, e *entry, cycle int64) {
	if b.entries != nil {
		b.entries.Push(Entry{cycle + 1, node, e.job, e.user, e.number})
	}
}
