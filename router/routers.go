package router

import (
	"contend/router/topology"
	"slices"
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
	self        [1]*Routers  // these
	divided     *parts       // nil if the routers are not divided
	part        uint8        // which part these are
	outbox      [2][]mailbox // in even and odd cycles, by part
	vcs         []vcState
	newGrants   []Channel // VCs granted in this cycle, which the engine handles together

	// Routing.
	routing   Routing
	outputVC  func(r topology.Router, in Channel, k *Packet) Channel       // see OutputTables
	outputVCs func(r topology.Router, to topology.Node) (first, n Channel) // see OutputTables
	mesh2D    []MeshRouter                                                 // see OutputTables
	branching bool                                                         // routing is Branching
	view      View                                                         // passed to Route

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

	// VC allocation.
	queuePerVC bool           // each head waits for one VC, first come, first served
	requests   []requestQueue // by router, or with vcSets by link; nil with queuePerVC
	vcSets     []uint64       // by head: VCs that it may take, of its only output link; else nil
	choices    []Channel      // without vcSets: the VCs offered to each head, stride a head
	offered    []int32        // without vcSets: how many VCs are offered to each head
	stride     int
	lastPort   []int32   // input port that got each VC last; nil unless the arbiter is RoundRobin
	knowsHeld  bool      // buffers.held has the VCs that are not free
	matching   *matcher  // of VCs and heads; nil unless the arbiter is Matching
	selector   *selector // chooses among free VCs; nil: the first

	// Escape channels.
	escaping    Escaping
	escapes     []bool    // which of choices are escape channels; nil if the routing has none
	escapesLast bool      // escape channels are granted only if no other is free
	scratch     []Channel // of markEscapes and usable
	usableTo    int32     // FIFO of the head for which usable filled scratch
	routedHead  Header    // scratch of route

	// Results.
	loads          []load     // by link
	waited         [][2]int64 // by link: waits for packets of the same job, of others
	delivered      []Arrival  // packets whose tails arrived in this cycle
	arrivedPackets []int32    // their indices, in the order of delivered
	trace          Tracer
	waits          *waits   // nil if there is no WaitRecorder
	failing        *failing // nil if no link may fail

	poll func() error // see Poll; nil: nobody is asked
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
		marker: newMarker(t.Marking, w.Links()),
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
		b.newRequests(traits.OneLink && !escapes)
	}
	if b.outputVC == nil {
		b.choices = make([]Channel, b.stride*max(1, len(b.offered)))
		b.view = view{b}
		_, b.branching = Whole(x).(Branching)
	}
	if escapes {
		b.escapes, b.escapesLast = make([]bool, n*b.stride), traits.EscapesLast
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
func (b *Routers) newRequests(oneLink bool) {
	n := len(b.vcs)
	if b.timing.Arbiter == RoundRobin {
		b.lastPort = filled(n)
	}
	if b.timing.Arbiter == Matching {
		b.matching = newMatcher(n, n)
	}
	if oneLink {
		b.vcSets, b.requests = make([]uint64, n), newQueues(b.w.Links())
		b.outputVCs = outputTablesOf(b.routing).OutputVCs
		return
	}
	b.offered, b.requests = make([]int32, n), newQueues(b.w.Topology.Routers())
}

// newQueues returns n empty queues.
func newQueues(n int) []requestQueue { return slices.Repeat([]requestQueue{{none, never}}, n) }

// newPorts makes the injection ports.
func (b *Routers) newPorts() {
	b.injecting = make([]injecting, b.w.Nodes()*b.w.InjectionPorts)
	for i := range b.injecting {
		b.injecting[i] = injecting{packet: none, vc: int32(b.w.NodeVirtualChannels - 1), next: never}
	}
}

// filled returns n times none.
func filled(n int) []int32 { return slices.Repeat([]int32{none}, n) }

// Now returns the current cycle.
func (b *Routers) Now() int64 { return b.now }

// Usage returns what link l was used for so far, without holds that have not ended.
func (b *Routers) Usage(l Link) Usage {
	return Usage{Flits: b.loads[l].flits, Held: b.loads[l].held, Own: b.waited[l][0],
		Foreign: b.waited[l][1]}
}

// ResetUsage resets Usage: the end of a warm-up.
func (b *Routers) ResetUsage() {
	clear(b.waited)
	clear(b.loads)
}

// Trace reports every flit sent from now on to t.
func (b *Routers) Trace(t Tracer) { b.trace = t }
