package router

import "contend/router/topology"

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

// The arbiters.
const (
	// FirstCome takes the header that has been ready longest, then the one
	// of the lowest input channel.
	FirstCome Arbiter = iota
	// RoundRobin takes that of the first input port after the one that got the
	// channel last, and of several of a port the first as FirstCome has them.
	RoundRobin
	// Matching has free channels and headers choose each other: see matching. It takes the place of
	// VCSelect too.
	Matching
)

// SwitchAllocator says which input ports of a router send to which of its outputs in a cycle,
// where an input port of several virtual channels sends one flit at most.
type SwitchAllocator uint8

// The two ways.
const (
	// InputFirst has every input port nominate one of its virtual channels, and every output take
	// one of those that want it.
	InputFirst SwitchAllocator = iota
	// ISLIP has every output offer itself to an input port that wants it, and every input port
	// accept one of these offers: see islip.
	ISLIP
)

// Timing is how long things take, in cycles, and how much fits, in flits.
type Timing struct {
	// Routing is the time a header at the head of a buffer takes to ask for a channel.
	Routing int64
	// Link is the time a flit takes to the other end of a link.
	Link int64
	// Flit is the time between two flits on a link.
	Flit int64
	// Credit is the time from a flit's leaving a buffer to its sender's knowing.
	Credit int64
	// Pace is the time between two flits at a node's own rate, in cycles
	// over PaceUnit; 0 for the link's rate. See Routers.rest.
	Pace int64
	// Buffer is how many flits the buffer of a virtual channel has room for.
	Buffer int32
	// Switching says how much room a header needs to go on.
	Switching Switching
	// Arbiter says which header gets a free channel.
	Arbiter Arbiter
	// VCSelect says which free virtual channel a header gets.
	VCSelect VCSelect
	// Allocation is how many cycles after the grant of its virtual channel a header may be sent; those
	// of Routing are over before it asks for one. Not with StoreAndForward.
	Allocation int64
	// InputSpeedup is how many flits an input port of several virtual channels
	// sends every Flit cycles at most; 0: one from each of them. See crossbar.
	InputSpeedup int32
	// HeadersYield has a port of a crossbar of limited input speedup pass over a
	// header while another of its virtual channels has a flit that is no header for
	// the same output.
	HeadersYield bool
	// SwitchAllocator says whose turn it is in a crossbar with an input speedup of 1.
	SwitchAllocator SwitchAllocator
	// Links has what stands in place of Link, Flit and Credit for each link, where links
	// differ; nil where they do not.
	Links []LinkTiming
}

// Offer is a message at its source.
type Offer struct {
	From, To topology.Node // source and destination
	// Flits is its length.
	Flits int32
	// Job is whose message it is.
	Job int32
	// Message is the caller's number for it, User what he wants to know of it
	// when it arrives.
	Message, User int32
	// Number is that of its first packet, in the order of offers; the others are numbered on.
	Number int64
	// Identity is that of its first packet, for routings that draw; the others are numbered on.
	Identity int64
	// Flow is the number of its flow among those of the two nodes: see Header.
	Flow int32
}

// Packet is one packet on its way: one cache line.
type Packet struct {
	// Message is the caller's number for it.
	Message int32
	// Length is how many flits it has.
	Length int32
	// To is its destination.
	To topology.Node
	// From is its source.
	From topology.Node
	// Job is whose packet it is, to tell a job's own contention from that of others.
	Job int32
	// Hops counts the network channels its header has been sent on.
	Hops int32
	// Created is the cycle its message was offered in, Injected that in which
	// its header was sent on the injection channel.
	Created, Injected int64
	// Blocked is the sum over routers of the cycles its header, ready, had
	// to wait; Foreign the part of it in which another job's packet held
	// the channel it wanted.
	Blocked, Foreign int64
	// Identity is what routings draw by: see Header.
	Identity int64
}

// Arrival is a packet whose tail has reached its node.
type Arrival struct {
	Packet
	// Delivered is the cycle its tail reached its node in.
	Delivered int64
	// Turn is the cycle its turn came at its node: it was the first of the
	// source queue, and an injection channel was free. From then to Injected
	// it waited for a place in the router.
	Turn int64
	User int32 // of its message
	Flow int32 // of its message, if the routing looks at it
	// Number is the packet's place in the order of offers: the message's first number, and on.
	Number int64
}

// note is what is rarely asked of a packet.
type note struct {
	turn   int64
	user   int32
	after  int32 // the packet whose header follows its tail in a FIFO
	comes  int64 // the cycle in which its header comes to the FIFO that it was sent to last
	number int64 // see Arrival
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

// injecting is the packet a node has on an injection port.
type injecting struct {
	packet, flitsSent, length int32
	vc                        int32 // of the injection channel, which the packet, or the last one, has
	free                      int64 // cycle from which the port may carry the next flit
	next                      int64 // of the node's first port: earliest cycle the node is to be looked at
	slot                      int32 // of that channel, in the cycle-driven engine
	sending                   bool  // it is in buffers.sending
}

// Routers is the state of all routers of a machine.
type Routers struct {
	w           *Wiring
	routing     Routing
	outputVC    func(r topology.Router, in Channel, k *Packet) Channel          // see Ways
	outputVCs   func(r topology.Router, to topology.Node) (first, many Channel) // see Ways
	mesh2D      []MeshRouter
	branching   bool // routing is Branching
	view        View // what headers see
	queuePerVC  bool // each header waits for one channel, first come, first served
	timing      Timing
	linkTimings []LinkTiming // of each channel's link; nil where all are as timing says
	packetFlits int32        // flits of a full packet
	now         int64
	vcs         []vcState
	loads       []load // of each link
	// of each link, the cycles headers waited for packets of their own job and of others
	waited [][2]int64

	buffers *buffers // of the cycle-driven engine
	// Of the worm engine: FIFOs, when flits came to their places or left them, and the cycles from
	// which links are free.
	channels   []channel
	trains     trains
	linkFreeAt []int64

	// Where headers have a choice, or take turns.
	requests []requestQueue // of each router, or where masks are of each link
	// the virtual channels of its link that each waiting header may take; nil where there may be
	// several links
	vcSets   []uint64
	choices  []Channel // where masks are not, the channels each may take: stride a channel
	offered  []int32   // how many
	stride   int
	escapes  []bool // which of them are escape channels; nil where there are none
	escaping Escaping
	// escape channels are granted only while no other is free
	escapesLast bool
	scratch     []Channel // of mark and usable
	usableTo    int32     // the FIFO at the head of which is the header that usable was asked for last
	routedHead  Header    // of route
	lastPort    []int32   // input port that got a channel last, for round-robin

	matching *matching // of the arbiter Matching
	selector *selector // which free virtual channel is taken; nil: the first

	// Source queues.
	// the packet on each injection port, none where idle; nil in the closed form
	injecting  []injecting
	queues     []queue // of each node
	restsUntil []int64 // cycle from which a node may begin a packet; nil where links set the pace

	packets    []Packet
	heads      []Header // of packets, unless routing is stateless
	flows      []int32  // of packets, where routing looks at them
	stateless  bool     // see Traits
	notes      []note
	freePacket []int32
	inFlight   int

	calendar  calendar
	engine    engine
	newGrants []Channel // channels granted in this cycle, of which the engine does not know yet
	closed    *closed   // of the closed form

	arrivedPackets []int32   // the same, by number
	delivered      []Arrival // those whose tail arrived in the current cycle
	trace          Tracer
	waits          *waits // nil where nobody is told of waits
}

// Tracer is told of every flit that is sent: for tests.
type Tracer interface {
	// Sent says that flit index of the packet with the given number was
	// sent on channel c in a cycle; q is the cycle a header was ready in.
	Sent(cycle int64, c Channel, packet int64, index int32, q int64)
}

// WormsAreExact reports whether the worm engine computes the same flit times as
// the cycle-driven one: with wormhole switching, one virtual channel, one injection
// port and a routing that looks at headers only, every flit time follows from the
// grants alone.
func WormsAreExact(w *Wiring, x Routing, t Timing) bool {
	k := TraitsOf(w, x)
	_, escapes := x.(Escaping)
	return t.Switching == Wormhole && t.Allocation == 0 && t.Arbiter != Matching &&
		w.VirtualChannels == 1 && w.InjectionPorts == 1 &&
		k.Oblivious && !escapes
}

// New returns idle routers.
func New(w *Wiring, x Routing, t Timing, packetFlits int32, engine Engine) *Routers {
	t = t.normalized()
	if engine == Worms && !WormsAreExact(w, x, t) ||
		engine == ClosedForm && !ClosedFormIsExact(w, x, t) {
		panic("router: the engine is not exact here")
	}
	n, traits := w.Channels(), TraitsOf(w, x)
	b := &Routers{
		w: w, routing: x, timing: t, linkTimings: t.ofChannels(w), packetFlits: packetFlits,
		vcs:    make([]vcState, n),
		loads:  make([]load, w.Links()),
		waited: make([][2]int64, w.Links()),
		stride: traits.Choices, selector: newSelector(w, traits, t),
		queues: make([]queue, w.Nodes()),
	}
	b.stateless = traits.Stateless
	if traits.Flows {
		b.flows = []int32{}
	}
	if b.stride == 1 && t.Arbiter == FirstCome {
		tables := outputTablesOf(x)
		b.outputVC, b.mesh2D = tables.OutputVC, tables.Mesh
	}
	if t.Pace > 0 {
		b.restsUntil = make([]int64, w.Nodes())
	}
	var escapes bool
	b.escaping, escapes = x.(Escaping)
	b.queuePerVC = b.stride == 1 && t.Arbiter == FirstCome && !escapes
	if !b.queuePerVC {
		b.newRequests(traits.OneLink && !escapes)
	}
	if b.outputVC == nil {
		b.choices = make([]Channel, b.stride*max(1, len(b.offered)))
		b.view = view{b}
		_, b.branching = x.(Branching)
	}
	if escapes {
		b.escapes, b.escapesLast = make([]bool, n*b.stride), traits.EscapesLast
	}
	for i := range b.vcs {
		l := w.link(Channel(i))
		b.vcs[i] = vcState{tailLeft: -never, holder: none, packet: none, outputVC: none, next: none, firstWaiting: none,
			router: int32(w.Enters(Channel(i))), flags: b.flagsOf(w.kind[l])}
	}
	b.calendar = newCalendar(b.start(engine))
	return b
}

// marksOf returns the marks of the channels of a link.
func (b *Routers) flagsOf(k Kind) uint8 {
	marks := uint8(0)
	if !b.queuePerVC {
		marks = choice
	}
	switch k {
	case Ejection:
		marks |= toNode
	case Injection:
		marks |= fromNode
	}
	return marks
}

// newRequests makes what is needed where headers have a choice, of virtual channels of one link or
// of more, or take turns.
func (b *Routers) newRequests(oneLink bool) {
	n := len(b.vcs)
	if b.timing.Arbiter == RoundRobin {
		b.lastPort = filled(n)
	}
	if b.timing.Arbiter == Matching {
		b.matching = newMatching(n)
	}
	if oneLink {
		b.vcSets, b.requests = make([]uint64, n), newQueues(b.w.Links())
		b.outputVCs = outputTablesOf(b.routing).OutputVCs
		return
	}
	b.offered, b.requests = make([]int32, n), newQueues(b.w.Topology.Routers())
}

// newQueues returns so many queues in which nobody waits.
func newQueues(n int) []requestQueue {
	queues := make([]requestQueue, n)
	for i := range queues {
		queues[i] = requestQueue{none, never}
	}
	return queues
}

// newPorts makes the injection ports that the closed form does without.
func (b *Routers) newPorts() {
	b.injecting = make([]injecting, b.w.Nodes()*b.w.InjectionPorts)
	for i := range b.injecting {
		b.injecting[i] = injecting{packet: none, vc: int32(b.w.NodeVirtualChannels - 1), next: never}
	}
}

// filled returns n times none.
func filled(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = none
	}
	return list
}

// Now returns the current cycle.
func (b *Routers) Now() int64 { return b.now }

// Usage returns what link l was used for so far; holds that have not ended are
// not in it.
func (b *Routers) Usage(l Link) Usage {
	return Usage{Flits: b.loads[l].flits, Held: b.loads[l].held, Own: b.waited[l][0],
		Foreign: b.waited[l][1]}
}

// ResetUsage forgets what the links were used for: the end of a warm-up.
func (b *Routers) ResetUsage() {
	clear(b.waited)
	clear(b.loads)
}

// Trace tells t of every flit sent from now on.
func (b *Routers) Trace(t Tracer) { b.trace = t }
