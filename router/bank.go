package router

import "contend/netsim/topology"

// Switching says how much of a packet a router needs to have, or to have room
// for, before its header goes on.
type Switching uint8

// The three kinds of switching.
const (
	// Wormhole sends a header on when there is room for one flit.
	Wormhole Switching = iota
	// VirtualCutThrough sends a header on when there is room for its packet.
	VirtualCutThrough
	// StoreAndForward lets a header ask for a channel only when its
	// packet's tail has arrived.
	StoreAndForward
)

// Arbiter says which of several waiting headers gets a free channel.
type Arbiter uint8

// The two arbiters.
const (
	// FirstCome takes the header that has been ready longest, then the one
	// of the lowest input channel.
	FirstCome Arbiter = iota
	// RoundRobin takes the first input channel after the one that got the
	// channel last.
	RoundRobin
)

// Timing is how long things take, in cycles, and how much fits, in flits.
type Timing struct {
	Routing, Link, Flit, Credit int64
	// Pace is the time between two flits at a node's own rate, in cycles
	// over PaceUnit; 0 for the link's rate. See Bank.rest.
	Pace      int64
	Buffer    int32
	Switching Switching
	Arbiter   Arbiter
}

// Packet is one packet on its way.
type Packet struct {
	// Message is the caller's number for it.
	Message int32
	Length  int32
	To      topology.Node
	From    topology.Node
	// Job is whose packet it is, to tell a job's own contention from that of others.
	Job int32
	// Hops counts the network channels its header has been sent on.
	Hops int32
	// Injected is the cycle its header was sent on the injection channel,
	// Delivered the one its tail reached the node.
	Injected, Delivered int64
	// Blocked is the sum over routers of the cycles its header, ready, had
	// to wait; Foreign the part of it in which another job's packet held
	// the channel it wanted.
	Blocked, Foreign int64
	// Number is the packet's own: the message's first number, and on.
	Number int64
}

// Usage is what a physical channel was used for.
type Usage struct {
	// Flits were carried.
	Flits int64
	// Held cycles some packet held a virtual channel of it; summed over
	// its virtual channels.
	Held int64
	// Own and Foreign are the cycles ready headers waited for a virtual
	// channel of it that was held, its tail not yet sent, by a packet of
	// their own and of another job.
	Own, Foreign int64
}

// none marks the absence of a packet, channel or queue entry.
const none = -1

// source is the holder of an injection channel in use.
const source = -2

// never is later than any cycle.
const never = int64(1) << 62

// The states of the packet at the head of a FIFO.
const (
	empty    = iota // there is none
	routing         // its header is being routed
	waiting         // its header asks for a channel
	granted         // it holds a channel
	arriving        // store and forward: routed, the tail is not here yet
)

// channel is the state of one virtual channel: who holds it, the packet at the
// head of the FIFO at its far end, and, in the first one of a physical channel,
// what its virtual channels share. Sixty-four bytes, one cache line.
type channel struct {
	free    int64 // cycle from which the physical channel may carry the next flit
	next    int64 // earliest cycle the physical channel is to be looked at
	ready   int64 // cycle from which the header at the head of the FIFO may ask, or asks
	freeAt  int64 // cycle from which the channel may be granted again, if not held
	holder  int32 // input channel whose packet holds this one, source or none
	out     int32 // channel the packet at the head of the FIFO holds, or none
	packet  int32 // that packet
	gone    int32 // flits of it sent on
	length  int32
	lead    int32 // channel under which the sender is looked at: the first of the physical channel, or of the node's injection channels
	head    int16 // FIFO ring: index of the oldest flit
	count   int16 // flits in it
	many    uint8 // virtual channels of the physical channel
	turn    uint8 // the one that sent last
	state   uint8
	sink    bool // ends at a node, which always accepts
	injects bool // comes from a node
}

// claim is the rest of what is known of a channel: that which changes once a
// packet. One cache line too.
type claim struct {
	since int64 // cycle of the last grant
	tail  int64 // cycle the tail of the last packet that has left it was sent in
	flits int64 // carried
	held  int64 // cycles it was held
	slot  int64 // closed form: cycle the place for the next header is left in, never where not known
	left  int64 // closed form: cycle the last packet's tail left the FIFO in
	late  int32 // closed form: packet that holds the channel, whose header waits for the slot, or none
	job   int32 // whose packet the last one was
	next  int32 // next in the list of headers waiting at the same router
}

// flit is one place of a FIFO: a flit and the cycle from which it is there, or
// the cycle its last flit left in.
type flit struct {
	time   int64
	packet int32
	index  int32
}

// entry is a message waiting at its node.
type entry struct {
	message  int32
	flits    int32 // still to be cut into packets
	number   int64 // of its next packet
	from, to topology.Node
	job      int32
	next     int32
}

// injecting is the packet a node has on an injection channel.
type injecting struct {
	packet, gone, length int32
}

// Bank is the state of all routers of a machine.
type Bank struct {
	w        *Wiring
	routing  Routing
	order    *DimensionOrder // routing, where that offers one channel only
	timing   Timing
	most     int32 // flits of a full packet
	now      int64
	channels []channel
	claims   []claim
	fifos    []flit // channel c's from c·Buffer

	waited [][2]int64 // of each link, the cycles headers waited for packets of their own job and of others

	// Headers that wait: a list a router, in the order they are served.
	waitHead  []int32
	nextGrant []int64
	choices   []Channel // the channels each waiting header may take: stride a channel
	offered   []int32   // how many
	stride    int
	granted   []int32 // input channel that got a channel last, for round-robin

	// Source queues.
	injecting            []injecting // the packet on each injection port, none where idle
	queueHead, queueTail []int32
	entries              []entry
	freeEntry            int32
	restsUntil           []int64 // cycle from which a node may begin a packet; nil where links set the pace

	packets    []Packet
	freePacket []int32
	inFlight   int

	wheel  wheel
	worms  bool
	fresh  []Channel // channels granted in this cycle: worm engine only
	closed *closed   // of the worm engine, where the closed form is exact

	delivered []Packet // those whose tail arrived in the current cycle
	trace     Tracer
}

// Tracer is told of every flit that is sent: for tests.
type Tracer interface {
	// Sent says that flit index of the packet with the given number was
	// sent on channel c in a cycle; q is the cycle a header was ready in.
	Sent(cycle int64, c Channel, packet int64, index int32, q int64)
}

// WormsAreExact reports whether the worm engine computes the same flit times as
// the cycle-driven one: with wormhole switching, one virtual channel and one
// injection port every flit time follows from the grants alone.
func WormsAreExact(w *Wiring, t Timing) bool {
	return t.Switching == Wormhole && w.VirtualChannels == 1 && w.InjectionPorts == 1
}

// Engine says how the times of flits are found.
type Engine uint8

// The engines. All give the same times where they are exact.
const (
	CycleDriven Engine = iota
	Worms              // see WormsAreExact
	ClosedForm         // see ClosedFormIsExact
)

// NewBank returns idle routers.
func NewBank(w *Wiring, x Routing, t Timing, packetFlits int32, engine Engine) *Bank {
	if engine == Worms && !WormsAreExact(w, t) || engine == ClosedForm && !ClosedFormIsExact(w, t) {
		panic("router: the engine is not exact here")
	}
	n := w.Channels()
	b := &Bank{
		w: w, routing: x, timing: t, most: packetFlits,
		channels: make([]channel, n),
		claims:   make([]claim, n),
		fifos:    make([]flit, n*int(t.Buffer)),
		waited:   make([][2]int64, w.Links()),
		waitHead: make([]int32, w.Topology.Routers()), nextGrant: make([]int64, w.Topology.Routers()),
		stride:    x.Choices(),
		queueHead: make([]int32, w.Topology.Nodes()), queueTail: make([]int32, w.Topology.Nodes()),
		freeEntry: none,
	}
	b.injecting = make([]injecting, w.Topology.Nodes()*w.InjectionPorts)
	for i := range b.injecting {
		b.injecting[i].packet = none
	}
	b.choices = make([]Channel, n*b.stride)
	b.offered = make([]int32, n)
	if d, ok := x.(*DimensionOrder); ok && b.stride == 1 {
		b.order = d
		for i := range b.offered {
			b.offered[i] = 1
		}
	}
	if t.Arbiter == RoundRobin {
		b.granted = make([]int32, n)
	}
	if t.Pace > 0 {
		b.restsUntil = make([]int64, w.Topology.Nodes())
	}
	for i := range b.channels {
		l := w.link[i]
		lead := w.first[l]
		if w.kind[l] == Injection {
			lead = w.first[w.injection[w.source[l].Node]]
		}
		b.channels[i] = channel{next: never, holder: none, out: none, packet: none, lead: int32(lead),
			many: uint8(w.first[l+1] - w.first[l]), sink: w.kind[l] == Ejection, injects: w.kind[l] == Injection}
		b.claims[i] = claim{slot: -never, left: -never, late: none, next: none}
		if b.granted != nil {
			b.granted[i] = none
		}
	}
	for i := range b.fifos {
		b.fifos[i] = flit{time: -never, packet: none}
	}
	for r := range b.waitHead {
		b.waitHead[r], b.nextGrant[r] = none, never
	}
	for i := range b.queueHead {
		b.queueHead[i], b.queueTail[i] = none, none
	}
	b.wheel = newWheel(t.Routing + t.Link + t.Flit + t.Credit + 2)
	if b.worms = engine != CycleDriven; b.worms {
		b.wheel = newWheel(max(wormHorizon, b.wheel.mask))
	}
	if engine == ClosedForm {
		b.closed = newClosed(packetFlits, t.Buffer)
	}
	return b
}

// Now returns the current cycle.
func (b *Bank) Now() int64 { return b.now }

// Usage returns what link l was used for so far; holds that have not ended are
// not in it.
func (b *Bank) Usage(l Link) Usage {
	u := Usage{Own: b.waited[l][0], Foreign: b.waited[l][1]}
	for c := b.w.first[l]; c < b.w.first[l+1]; c++ {
		u.Flits += b.claims[c].flits
		u.Held += b.claims[c].held
	}
	return u
}

// ResetUsage forgets what the links were used for: the end of a warm-up.
func (b *Bank) ResetUsage() {
	clear(b.waited)
	for c := range b.claims {
		b.claims[c].flits, b.claims[c].held = 0, 0
	}
}

// Trace tells t of every flit sent from now on.
func (b *Bank) Trace(t Tracer) { b.trace = t }

// Offer puts a message at the end of its node's source queue, now. Its packets
// are numbered from number on.
func (b *Bank) Offer(message int32, number int64, from, to topology.Node, flits, job int32) {
	e := b.freeEntry
	if e == none {
		e = int32(len(b.entries))
		b.entries = append(b.entries, entry{})
	} else {
		b.freeEntry = b.entries[e].next
	}
	b.entries[e] = entry{message: message, number: number, flits: flits, from: from, to: to, job: job, next: none}
	first := b.queueHead[from] == none
	if first {
		b.queueHead[from] = e
	} else {
		b.entries[b.queueTail[from]].next = e
	}
	b.queueTail[from] = e
	switch c := b.w.Injection(from); {
	case b.closed != nil:
		b.injectHeader(c)
	case b.worms:
		if first {
			b.settle(c)
		}
	case first || b.w.InjectionPorts > 1:
		b.try(c, b.now)
	}
}

// newPacket cuts the next packet from the source queue of a node, whose header
// is sent in a cycle.
func (b *Bank) newPacket(node topology.Node, cycle int64) int32 {
	e := &b.entries[b.queueHead[node]]
	length := min(e.flits, b.most)
	var p int32
	if n := len(b.freePacket); n > 0 {
		p = b.freePacket[n-1]
		b.freePacket = b.freePacket[:n-1]
	} else {
		p = int32(len(b.packets))
		b.packets = append(b.packets, Packet{})
	}
	b.packets[p] = Packet{Message: e.message, Length: length, From: e.from, To: e.to, Job: e.job, Injected: cycle, Number: e.number}
	e.number++
	b.inFlight++
	b.rest(node, length, cycle)
	if e.flits -= length; e.flits == 0 {
		i := b.queueHead[node]
		b.queueHead[node] = e.next
		e.next, b.freeEntry = b.freeEntry, i
	}
	return p
}

// upcoming returns the length of the next packet of a node's source queue.
func (b *Bank) upcoming(node topology.Node) int32 {
	return min(b.entries[b.queueHead[node]].flits, b.most)
}
