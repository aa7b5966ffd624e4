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
func (b *Routers) Offer(m Offer) {
	q := &b.queues[m.From]
	q.push(entry{created: b.now, number: m.Number, message: m.Message, user: m.User, flits: m.Flits,
		to: m.To, job: m.Job})
	b.engine.offered(b.w.Injection(m.From), m.From, q.count == 1)
}

// turn returns the cycle in which the turn of the first packet of a node's
// source queue comes or came, whose injection channel was or is free from then on.
func (b *Routers) turn(node topology.Node, free int64) int64 {
	q := &b.queues[node]
	return b.afterRest(node, max(q.ring[q.head].created, q.next, free))
}

// newPacket cuts the next packet from the source queue of a node, whose header
// is sent in a cycle.
func (b *Routers) newPacket(node topology.Node, turn, cycle int64) int32 {
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
		if !b.stateless {
			b.headers = append(b.headers, Header{})
		}
	}
	if !b.stateless {
		b.headers[p] = Header{Source: node, Destination: e.to, Packet: e.number}
	}
	b.packets[p] = Packet{Message: e.message, Length: length, From: node, To: e.to, Job: e.job,
		Created: e.created, Injected: cycle, Number: e.number}
	b.notes[p] = note{turn: turn, user: e.user}
	e.number++
	b.inFlight++
	b.rest(node, length, cycle)
	if e.flits -= length; e.flits == 0 {
		q.pop()
	}
	return p
}

// upcoming returns the length of the next packet of a node's source queue.
func (b *Routers) upcoming(node topology.Node) int32 {
	q := &b.queues[node]
	return min(q.ring[q.head].flits, b.most)
}

// node returns the node that injects on channel c.
func (b *Routers) node(c Channel) topology.Node { return topology.Node(b.w.other[b.w.link[c]]) }

// injectEach is stage 4 for those of a list of nodes that are to be looked at now. A flit that they
// send enters a FIFO in a later cycle, so nodes may come before links or after.
func (b *Routers) injectEach(nodes []topology.Node) {
	for _, node := range nodes {
		first := &b.injecting[int(node)*b.w.InjectionPorts]
		if first.next != b.now {
			continue // it has been looked at, or will be later
		}
		first.next = never
		if b.oneEntrance {
			b.injectNext(node, b.w.injection[node], first)
		} else {
			b.inject(node)
		}
	}
}

// inject is stage 4 for a node: each idle port takes the next packet of the source queue as soon
// as there is room for its header, each busy one goes on with its packet.
func (b *Routers) inject(node topology.Node) {
	c, ports, many := b.w.injection[node], b.ports(node), Channel(b.w.NodeVirtualChannels)
	for i := range ports {
		if first := c + Channel(i)*many; b.injectable(node, first, &ports[i]) <= b.now {
			b.injectFlit(node, first, &ports[i])
		}
	}
	// Only now is it known which packet is next: a port may have taken the
	// one another had no room for, but that is seen a cycle later.
	again := never
	for i := range ports {
		again = min(again, b.injectable(node, c+Channel(i)*many, &ports[i]))
	}
	if again < never {
		b.tryNode(node, max(again, b.now+1))
	}
}

// ports returns what a node has on each of its injection channels.
func (b *Routers) ports(node topology.Node) []injecting {
	return b.injecting[int(node)*b.w.InjectionPorts:][:b.w.InjectionPorts]
}

// PaceUnit divides Timing.Pace: a node's rate need not be a whole number of
// cycles a flit.
const PaceUnit = 1 << 16

// rest keeps a node that is slower than its link from beginning its next packet
// as long as the one of so many flits, begun in cycle t, takes at the node's
// own rate. Flits of a packet follow each other at the link's rate: a worm
// that held its channels at the node's would keep others from what it leaves
// unused.
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

// injectable returns the first cycle in which a node may send the next flit on its
// injection port led by first as far as is known, or never.
func (b *Routers) injectable(node topology.Node, first Channel, cur *injecting) int64 {
	t := max(b.now, cur.free)
	if cur.packet != none {
		return b.room(first+Channel(cur.virtual), 1, t)
	}
	if b.queues[node].count == 0 {
		return never
	}
	t = b.afterRest(node, t)
	soonest, need := never, b.needed(node)
	for v := range Channel(b.w.NodeVirtualChannels) {
		soonest = min(soonest, b.room(first+v, need, t))
	}
	return soonest
}

// needed returns the room the next packet of a node's source queue needs.
func (b *Routers) needed(node topology.Node) int32 {
	if b.timing.Switching == VirtualCutThrough {
		return b.upcoming(node)
	}
	return 1
}

// entrance returns the virtual channel of the injection port led by first that a node's
// next packet takes: the first with room after the one last taken.
func (b *Routers) entrance(node topology.Node, first Channel, last int32) int32 {
	many, need := int32(b.w.NodeVirtualChannels), b.needed(node)
	for v := last + 1; v < last+many; v++ {
		if b.room(first+Channel(v%many), need, b.now) == b.now {
			return v % many
		}
	}
	return last
}

// injectFlit sends a node's next flit on its injection port led by first, now.
func (b *Routers) injectFlit(node topology.Node, first Channel, cur *injecting) {
	if cur.packet == none {
		v := b.entrance(node, first, cur.virtual)
		p := b.newPacket(node, min(b.now, b.turn(node, b.idleFrom(node))), b.now)
		cur.packet, cur.gone, cur.length, cur.virtual = p, 0, b.packets[p].Length, v
		k := &b.vcs[first+Channel(v)]
		k.holder, k.since = source, b.now
	}
	c := first + Channel(cur.virtual)
	cur.free = b.now + b.flitTime(c)
	if b.trace != nil {
		b.trace.Sent(b.now, c, b.packets[cur.packet].Number, cur.gone, b.now)
	}
	b.arrive(c, cur.packet, cur.gone)
	if cur.gone++; cur.gone == cur.length {
		b.injected(c, cur)
	}
}

// idleFrom returns the cycle from which one of the idle injection ports of a node is free.
func (b *Routers) idleFrom(node topology.Node) int64 {
	free := never
	for _, p := range b.ports(node) {
		if p.packet == none {
			free = min(free, p.free)
		}
	}
	return free
}

// injected ends the hold of injection channel c, whose packet's tail was sent.
func (b *Routers) injected(c Channel, cur *injecting) {
	k := &b.vcs[c]
	k.holder, k.freeAt = none, cur.free
	b.use(k, c, cur.length)
	cur.packet = none
}
