package router

import "contend/netsim/topology"

// entry is a message waiting at its node, or what is left of it.
type entry struct {
	created int64
	number  int64 // of its next packet
	message int32
	user    int32
	flits   int32
	to      topology.Node
	job     int32
}

// queue is a source queue: a ring of its own for each node, since they can be
// long, and are filled and emptied in order.
type queue struct {
	ring        []entry // its length is a power of two
	head, count int32
	next        int64 // cycle after that in which the last packet was taken from it
}

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

func (q *queue) pop() {
	q.head = (q.head + 1) & int32(len(q.ring)-1)
	q.count--
}

// Offer puts a message at the end of its node's source queue, now.
func (b *Bank) Offer(m Offer) {
	q := &b.queues[m.From]
	q.push(entry{created: b.now, number: m.Number, message: m.Message, user: m.User, flits: m.Flits, to: m.To, job: m.Job})
	switch c := b.w.Injection(m.From); {
	case b.closed != nil:
		if q.count == 1 {
			b.injectHeader(c, m.From)
		}
	case b.worms:
		if q.count == 1 {
			b.flow(c)
		}
	case q.count == 1 || b.w.InjectionPorts > 1:
		b.try(c, b.now)
	}
}

// turn returns the cycle in which the turn of the first packet of a node's
// source queue comes or came, whose injection channel was or is free from then on.
func (b *Bank) turn(node topology.Node, free int64) int64 {
	q := &b.queues[node]
	return b.afterRest(node, max(q.ring[q.head].created, q.next, free))
}

// newPacket cuts the next packet from the source queue of a node, whose header
// is sent in a cycle.
func (b *Bank) newPacket(node topology.Node, turn, cycle int64) int32 {
	q := &b.queues[node]
	e := &q.ring[q.head]
	q.next = cycle + 1
	length := min(e.flits, b.most)
	var p int32
	if n := len(b.freePacket); n > 0 {
		p = b.freePacket[n-1]
		b.freePacket = b.freePacket[:n-1]
	} else {
		p = int32(len(b.packets))
		b.packets, b.notes = append(b.packets, Packet{}), append(b.notes, note{})
	}
	b.packets[p] = Packet{Message: e.message, Length: length, From: node, To: e.to, Job: e.job, Created: e.created, Injected: cycle, Number: e.number}
	b.notes[p] = note{turn, e.user}
	e.number++
	b.inFlight++
	b.rest(node, length, cycle)
	if e.flits -= length; e.flits == 0 {
		q.pop()
	}
	return p
}

// upcoming returns the length of the next packet of a node's source queue.
func (b *Bank) upcoming(node topology.Node) int32 {
	q := &b.queues[node]
	return min(q.ring[q.head].flits, b.most)
}

// node returns the node that injects on channel c.
func (b *Bank) node(c Channel) topology.Node { return b.w.source[b.w.link[c]].Node }

// inject is stage 4 for a node, given by the first of its injection channels:
// each idle port takes the next packet of the source queue as soon as there is
// room for its header, each busy one goes on with its packet.
func (b *Bank) inject(c Channel) {
	node := b.node(c)
	ports := b.injecting[int(node)*b.w.InjectionPorts:][:b.w.InjectionPorts]
	for i := range ports {
		if b.injectable(c+Channel(i), &ports[i]) <= b.now {
			b.injectFlit(c+Channel(i), &ports[i])
		}
	}
	// Only now is it known which packet is next: a port may have taken the
	// one another had no room for, but that is seen a cycle later.
	again := never
	for i := range ports {
		again = min(again, b.injectable(c+Channel(i), &ports[i]))
	}
	if again < never {
		b.tryLater(c, max(again, b.now+1))
	}
}

// PaceUnit divides Timing.Pace: a node's rate need not be a whole number of
// cycles a flit.
const PaceUnit = 1 << 16

// rest keeps a node that is slower than its link from beginning its next packet
// as long as the one of so many flits, begun in cycle t, takes at the node's
// own rate. Flits of a packet follow each other at the link's rate: a worm
// that held its channels at the node's would keep others from what it leaves
// unused.
func (b *Bank) rest(node topology.Node, flits int32, t int64) {
	if b.restsUntil != nil {
		b.restsUntil[node] = t + (int64(flits)*b.timing.Pace+PaceUnit-1)/PaceUnit
	}
}

// afterRest returns the first cycle, from t on, in which a node may begin a packet.
func (b *Bank) afterRest(node topology.Node, t int64) int64 {
	if b.restsUntil != nil {
		return max(t, b.restsUntil[node])
	}
	return t
}

// tryLater is try for a cycle that may lie beyond the calendar, as that does
// until which a node rests.
func (b *Bank) tryLater(c Channel, cycle int64) {
	if cycle-b.now <= b.wheel.mask {
		b.try(c, cycle)
	} else if k := &b.channels[c]; cycle < k.next {
		k.next = cycle
		b.wheel.push(event{cycle, int32(c), nodeRested})
	}
}

// injectable returns the first cycle in which the next flit may be sent on
// injection channel c as far as is known, or never.
func (b *Bank) injectable(c Channel, cur *injecting) int64 {
	need, t := int32(1), max(b.now, b.channels[c].free)
	if cur.packet == none {
		node := b.node(c)
		if b.queues[node].count == 0 {
			return never
		}
		if b.timing.Switching == VirtualCutThrough {
			need = b.upcoming(node)
		}
		t = b.afterRest(node, t)
	}
	return b.room(c, need, t)
}

// injectFlit sends the next flit on injection channel c, now.
func (b *Bank) injectFlit(c Channel, cur *injecting) {
	ch := &b.channels[c]
	if cur.packet == none {
		p := b.newPacket(b.node(c), min(b.now, b.turn(b.node(c), b.idleFrom(c))), b.now)
		*cur = injecting{packet: p, length: b.packets[p].Length}
		b.claims[c].holder, b.claims[c].since = source, b.now
	}
	ch.free = b.now + b.timing.Flit
	if b.trace != nil {
		b.trace.Sent(b.now, c, b.packets[cur.packet].Number, cur.gone, b.now)
	}
	b.arrive(c, cur.packet, cur.gone)
	if cur.gone++; cur.gone == cur.length {
		b.injected(c, cur)
	}
}

// idleFrom returns the cycle from which one of the idle injection channels of a
// node, of which c is one, is free.
func (b *Bank) idleFrom(c Channel) int64 {
	free, first := never, Channel(b.channels[c].lead)
	ports := b.injecting[int(b.node(c))*b.w.InjectionPorts:][:b.w.InjectionPorts]
	for i := range ports {
		if ports[i].packet == none {
			free = min(free, b.channels[first+Channel(i)].free)
		}
	}
	return free
}

// injected ends the hold of injection channel c, whose packet's tail was sent.
func (b *Bank) injected(c Channel, cur *injecting) {
	k := &b.claims[c]
	k.holder, k.freeAt = none, b.channels[c].free
	b.use(c, cur.length)
	cur.packet = none
}
