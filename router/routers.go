package router

import (
	"slices"

	"contend/router/topology"
)

// injecting is the state of an injection port.
type injecting struct {
	packet    int32 // the packet that the port sends, or none
	flitsSent int32 // of the packet
	length    int32 // of the packet
	vc        int32 // VC of the injection channel that the packet, or the last one, takes
	free      int64 // cycle from which the port may send the next flit
	next      int64 // of the node's first port: cycle of the node's next scheduled injection, or never
	slot      int32 // of that VC, in the cycle-driven engine
}

// Routers is the state of all routers of a machine.
type Routers struct {
	w           *Wiring
	timing      Timing
	linkTimings []LinkTiming // of each VC's link; nil if links are equal
	packetFlits int32        // maximum length of a packet
	now         int64
	effort      int // since the last call of poll
	engine      engine
	calendar    calendar
	self        [1]*Routers  // the routers themselves
	divided     *parts       // nil if the routers are not divided
	part        uint8        // the number of this part
	outbox      [2][]mailbox // in even and odd cycles, by part
	vcs         []vcState
	newGrants   []Channel // VCs granted in this cycle, which the engine handles together

	// Routing.
	routing  Routing
	outputVC func(r topology.Router, in Channel, k *Packet) Channel // see OutputTables
	// see OutputTables
	outputRun func(r topology.Router, in Channel, h *Header, v View) (first, n Channel)
	mesh2D    []MeshRouter // see OutputTables
	// see OutputTables; nil but in the packet engine
	outputLinks func(r topology.Router, to topology.Node) (links []Channel, from int)
	branching   bool // routing is Branching
	view        View // passed to Route

	// Source queues.
	injecting  []injecting // by injection port; nil in the closed form
	queues     []queue     // by node
	entries    *entries    // nil unless they are reported
	restsUntil []int64     // cycle from which a node may begin a packet; nil if links set the pace

	// Packets.
	packets    []Packet
	heads      []Header // of packets; nil if the routing is Stateless
	flows      []int32  // of packets; nil if the routing does not read them
	stateless  bool     // see Traits
	notes      []note   // of packets
	freePacket []int32  // unused indices of packets
	inFlight   int

	// Of the cycle-driven engine.
	buffers *buffers
	marker  *marker // nil unless packets are marked
	// Of the worm engine.
	channels   []channel
	trains     trains
	linkFreeAt []int64 // cycle from which each link is free
	// Of the closed form.
	closed *closed
	// Of the packet engine.
	byPacket  *packetState
	openLinks *openLinks // nil without escape channels

	// VC allocation.
	queuePerVC bool           // each head waits for one VC, first come, first served
	requests   []requestQueue // by router, or with vcSets by link; nil with queuePerVC
	vcSets     []uint64       // see vcSet; empty in the packet engine, nil if heads have several links
	linkGroups *linkGroups    // with vcSets, if heads wait for groups of links; else nil
	choices    []Channel      // without vcSets: the VCs offered to each head, stride a head
	offered    []int32        // without vcSets: how many VCs are offered to each head
	// Of the packet engine without vcSets: heads have places in choices only while they wait, and the
	// unused places. Few heads wait at a time, so their choices stay in the caches.
	placed     bool
	freePlaces []int32
	stride     int
	lastPort   []int32   // input port that got each VC last; nil unless the arbiter is RoundRobin
	knowsHeld  bool      // buffers.held has the VCs that are not free
	matching   *matcher  // of VCs and heads; nil unless the arbiter is Matching
	selector   *selector // chooses among free VCs; nil: the first

	// Escape channels.
	escaping    Escaping
	escapeVCs   Channel   // see Traits
	escapes     []bool    // which of choices are escape channels; nil if escapeVCs tells it
	escapesLast bool      // escape channels are granted only if no other is free
	scratch     []Channel // of markEscapes and usable
	usableTo    int32     // FIFO of the head for which usable filled scratch
	routedHead  Header    // scratch of route

	// Results.
	loads          []load     // by link; nil in the packet engine
	waited         [][2]int64 // by link: waits for packets of the same job, of others
	delivered      []Arrival  // packets whose tails arrived in this cycle
	sum            int64      // keeps reads ahead from being left out
	arrivedPackets []int32    // their indices, in the order of delivered
	trace          Tracer
	waits          *waits   // nil if there is no WaitRecorder
	failing        *failing // nil if no link may fail

	poll   func() error // see Poll; nil: it is not called
	frozen []*Frozen    // by link: the part of a frozen link; nil before the first Freeze
}

// Tracer receives every flit that is sent: for tests.
type Tracer interface {
	// Sent reports that flit index of the packet with the given number was sent on channel c in a
	// cycle; q is the cycle in which its head was ready.
	Sent(cycle int64, c Channel, packet int64, index int32, q int64)
}

// WormsAreExact reports whether the worm engine computes the same flit times as the cycle-driven
// one: with wormhole switching, one VC, one injection port and an oblivious routing every flit time
// follows from the grants alone.
func WormsAreExact(w *Wiring, x Routing, t Timing) bool {
	k := TraitsOf(w, x)
	_, escapes := x.(Escaping)
	return t.Switching == Wormhole && t.Allocation == 0 && !t.Marking.Marks() &&
		!t.NodesReturnCredits && !t.AtomicVCs &&
		t.Arbiter != Matching && w.VirtualChannels == 1 && w.InjectionPorts == 1 &&
		k.Oblivious && !escapes
}

// New returns idle routers.
func New(w *Wiring, x Routing, t Timing, packetFlits int32, engine Engine) *Routers {
	t = t.normalized()
	if engine == Worms && !WormsAreExact(w, x, t) ||
		engine == ClosedForm && !ClosedFormIsExact(w, x, t) ||
		engine == Packets && !PacketsAreExact(w, x, t, packetFlits) {
		panic("router: the engine is not exact here")
	}
	n, traits := w.Channels(), TraitsOf(w, x)
	b := &Routers{
		w: w, routing: x, timing: t, linkTimings: t.ofChannels(w), packetFlits: packetFlits,
		vcs:    make([]vcState, n),
		waited: make([][2]int64, w.Links()),
		stride: traits.Choices, selector: newSelector(w, traits, t),
		queues: make([]queue, w.Nodes()),
		marker: newMarker(t.Marking, w.Links()),
	}
	if engine != Packets {
		b.loads = make([]load, w.Links())
	}
	b.stateless = traits.Stateless
	if traits.Flows {
		b.flows = []int32{}
	}
	if b.stride == 1 && t.Arbiter == FirstCome && !t.AtomicVCs {
		tables := outputTablesOf(x)
		b.outputVC, b.mesh2D = tables.OutputVC, tables.Mesh
	}
	if t.Pace > 0 {
		b.restsUntil = make([]int64, w.Nodes())
	}
	var escapes bool
	b.escaping, escapes = Whole(x).(Escaping)
	b.failing = newFailing(w, x)
	b.queuePerVC = b.stride == 1 && t.Arbiter == FirstCome && !escapes && b.failing == nil &&
		!t.AtomicVCs
	if !b.queuePerVC {
		b.newRequests(traits.OneLink && !escapes, engine)
	}
	if b.outputVC == nil {
		heads := max(1, len(b.offered))
		if b.offered != nil && engine == Packets {
			b.placed, heads = true, 0
		}
		b.choices = make([]Channel, b.stride*heads)
		b.view = view{b}
		_, b.branching = Whole(x).(Branching)
	}
	if escapes {
		b.escapeVCs, b.escapesLast = Channel(traits.EscapeVCs), traits.EscapesLast
		if b.escapeVCs == 0 && !b.placed {
			b.escapes = make([]bool, n*b.stride)
		}
	}
	for i := range b.vcs {
		l := w.link(Channel(i))
		b.vcs[i] = vcState{tailLeft: -never, holder: none, packet: none, outputVC: none, next: none,
			firstWaiting: none, router: int32(w.Enters(Channel(i))), flags: b.flagsOf(w.kind[l])}
	}
	b.calendar = newCalendar(b.start(engine))
	b.self[0] = b
	return b
}

// flagsOf returns the flags of the VCs of a link.
func (b *Routers) flagsOf(k Kind) uint8 {
	flags := uint8(0)
	if !b.queuePerVC {
		flags = choice
	}
	switch k {
	case Ejection:
		flags |= toNode
	case Injection:
		flags |= fromNode
	}
	return flags
}

// newRequests makes the state of VC allocation if heads have a choice of VCs, of one link or of
// several, or the arbiter is not FirstCome.
func (b *Routers) newRequests(oneLink bool, engine Engine) {
	n := len(b.vcs)
	if b.timing.Arbiter == RoundRobin {
		b.lastPort = filled(n)
	}
	if b.timing.Arbiter == Matching {
		b.matching = newMatcher(n, n)
	}
	tables := outputTablesOf(b.routing)
	if engine == Packets && tables.OutputLinks != nil {
		b.outputLinks, b.linkGroups = tables.OutputLinks, newLinkGroups(b.w.Links())
		oneLink = true
	}
	if oneLink {
		if engine == Packets {
			n = 0 // packetVC has them
		}
		b.vcSets, b.requests = make([]uint64, n), newQueues(b.w.Links())
		b.outputRun = tables.OutputRun
		return
	}
	b.offered, b.requests = make([]int32, n), newQueues(b.w.Topology.Routers())
}

// newQueues returns n empty queues.
func newQueues(n int) []requestQueue {
	return slices.Repeat([]requestQueue{{first: none, servedAt: never}}, n)
}

// newPorts makes the injection ports.
func (b *Routers) newPorts() {
	b.injecting = make([]injecting, b.w.Nodes()*b.w.InjectionPorts)
	for i := range b.injecting {
		b.injecting[i] = injecting{packet: none, vc: int32(b.w.NodeVirtualChannels - 1), next: never}
	}
}

// filled returns a list of n entries none.
func filled(n int) []int32 { return slices.Repeat([]int32{none}, n) }

// Now returns the current cycle.
func (b *Routers) Now() int64 { return b.now }

// Usage returns the use of link l so far, without holds that have not ended.
func (b *Routers) Usage(l Link) Usage {
	var u load
	if x := b.byPacket; x != nil {
		k := b.underWay(l)
		u = load{x.links[l].load.flits - k.flits, x.links[l].held - k.held}
	} else {
		u = b.loads[l]
	}
	return Usage{Flits: u.flits, Held: u.held, Own: b.waited[l][0], Foreign: b.waited[l][1]}
}

// ResetUsage resets Usage: the end of a warm-up.
func (b *Routers) ResetUsage() {
	clear(b.waited)
	clear(b.loads)
	if x := b.byPacket; x != nil {
		for l := range x.links {
			x.links[l].load = b.underWay(Link(l))
		}
	}
}

// Trace reports every flit sent from now on to t.
func (b *Routers) Trace(t Tracer) { b.trace = t }

// engine computes the times of flits. There are four, which give the same times where they are
// exact: cycle.go, worm.go, closed.go and packets.go. Routers does the work that they share, which
// is done in the order of time: route computation, VC allocation, source queues, measurements.
type engine interface {
	// offered handles a message that joined the source queue of a node, whose first injection VC is
	// c. first says that the queue was empty.
	offered(c Channel, node topology.Node, first bool)
	// receive takes in the flits and credits that arrive in this cycle.
	receive()
	// computeRoutes computes the routes of a list of heads (RC).
	computeRoutes(list int32)
	// granted handles the grant of VC o to the head at the front of FIFO i (VA).
	granted(o, i Channel)
	// handOver gives VC o, granted in this cycle to the head at the front of FIFO before, to the head
	// at the front of FIFO i.
	handOver(o, before, i Channel)
	// send sends flits (SA, ST, LT).
	send()
	// updatePacket brings the measurements of packet p up to date.
	updatePacket(p int32)
}

// Engine names an engine.
type Engine uint8

// The engines. All give the same times where they are exact.
const (
	CycleDriven Engine = iota
	Worms              // see WormsAreExact
	ClosedForm         // see ClosedFormIsExact
	Packets            // see PacketsAreExact
)

// start gives the routers their engine, and returns how many cycles ahead it schedules.
func (b *Routers) start(e Engine) int64 {
	switch e {
	case ClosedForm:
		b.closed = newClosed(b.packetFlits, b.timing)
		b.closed.inlined = b.closed.times == nil && b.mesh2D != nil
		b.engine = closedEngine{b}
		return b.wormHorizon()
	case Worms:
		b.newPorts()
		b.newFIFOs()
		b.engine = wormEngine{b}
		return b.wormHorizon()
	case Packets:
		b.newPorts()
		b.engine = newPacketEngine(b)
		return b.wormHorizon()
	}
	b.newPorts()
	b.engine = newCycleEngine(b)
	return b.timing.span(1)
}

// Offer is a message at its source.
type Offer struct {
	From, To topology.Node // source and destination
	Flits    int32         // length
	Job      int32         // the job that the message belongs to
	Message  int32         // the caller's number of it, in Packet
	User     int32         // a value of the caller's, in Arrival
	// Number is the number of its first packet in the order of offers; its other packets have the next
	// numbers.
	Number int64
	// Identity is the identity of its first packet, for routings that draw; its other packets have the
	// next numbers.
	Identity int64
	// Flow is the number of its flow among those of the two nodes: see Header.
	Flow int32
	// Created is the cycle in which it was created: now, or an earlier one if it waited elsewhere.
	Created int64
	// Again says that it is a lost packet: it goes ahead of the source queue.
	Again bool
}

// Packet is one packet in the network: one cache line.
type Packet struct {
	Message int32         // Offer.Message
	Length  int32         // in flits
	To      topology.Node // destination
	From    topology.Node // source
	Job     int32         // Offer.Job: waits for packets of other jobs count in Foreign
	Hops    int32         // network channels on which its head has been sent
	Created int64         // Offer.Created
	// Injected is the cycle in which its head was sent on the injection channel.
	Injected int64
	// Blocked is the sum over routers of the cycles that its head, ready, waited.
	Blocked int64
	// Foreign is the part of Blocked in which a packet of another job held the VC it requested.
	Foreign int64
	// Identity is the identity by which routings draw: see Header.
	Identity int64
}

// Arrival is a packet whose tail has arrived at its node.
type Arrival struct {
	Packet
	Delivered int64 // cycle in which the tail arrived
	// Turn is the cycle from which the packet was first in the source queue and an injection channel
	// was free. From then to Injected it waited for a place in the router.
	Turn int64
	User int32 // Offer.User
	Flow int32 // Offer.Flow, if the routing reads it
	Lost bool  // it does not count: see Loss
	// OnEscapePath says that it has taken an escape path: see Leftover.
	OnEscapePath bool
	// Marked says that a router on its path has marked it: see Marking.
	Marked bool
	// Number is the packet's place in the order of offers.
	Number int64
}

// note is the part of a packet's state that is rarely used.
type note struct {
	turn   int64 // Arrival.Turn
	user   int32
	after  int32 // the packet whose head follows its tail in a FIFO
	comes  int64 // cycle in which its head arrives at the FIFO to which it was sent last
	number int64 // Arrival.Number
	// of the cycle-driven engine, if packets hold links: cycle in which its tail arrives at the FIFO
	// to which its head was sent last
	tailComes int64
}

// Usage is the use of a physical channel.
type Usage struct {
	// Flits is the number of flits that the channel carried.
	Flits int64
	// Held is the number of cycles in which packets held its VCs, summed over the VCs.
	Held int64
	// Own is the number of cycles in which ready heads waited for a VC of the channel while a packet
	// of their own job held it and had not sent its tail.
	Own int64
	// Foreign is the same for packets of other jobs.
	Foreign int64
}

// none marks the absence of a packet, channel or queue entry.
const none = -1

// source is the holder of an injection VC in use.
const source = -2

// never is later than any cycle.
const never = int64(1) << 62

// The states of a VC: those of the packet at the front of its FIFO.
const (
	idle      = iota // there is no packet
	routing          // its route is being computed
	waitingVC        // its head waits for an output VC
	active           // it holds an output VC
	arriving         // store and forward: its route is due when its tail has arrived
)

// vcState is the state of a VC in route computation and VC allocation: its holder, and the head at
// the front of its FIFO. It changes once a packet, and the closed form needs no more. One cache
// line.
type vcState struct {
	ready        int64 // cycle from which the head requests an output VC
	freeAt       int64 // cycle from which the VC may be granted again, if not held
	since        int64 // cycle of the last grant of the VC
	tailLeft     int64 // closed form: cycle in which the last packet's tail left the FIFO
	holder       int32 // input VC whose packet holds this one, source or none
	packet       int32 // packet at the front of the FIFO, or none
	outputVC     int32 // the first VC that the head may take; if active the one it holds
	next         int32 // next in the list of routed or waiting heads that this one is in
	firstWaiting int32 // of the list of heads that wait for this VC and no other, or none
	job          int32 // job of the last packet that has released the VC
	router       int32 // router at which the VC ends, or none
	state        uint8 // of the packet at the front of the FIFO
	flags        uint8 // see toNode and those after it
}

// The flags of a VC. If no flag is set and no head waits for it, nothing is due when the VC is
// released or its FIFO becomes empty.
const (
	toNode   = 1 << iota // the VC ends at a node, which always accepts
	fromNode             // the VC comes from a node
	late                 // closed form: the packet that holds the VC waits for a place for its head
	choice               // heads that request the VC wait in requests
)

// sink reports whether the VC ends at a node.
func (k *vcState) sink() bool { return k.flags&toNode != 0 }

// load is the use of a link's VCs since the start or ResetUsage.
type load struct {
	flits int64 // flits carried
	held  int64 // cycles held, summed over the VCs
}
