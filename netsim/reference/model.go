// Package reference is the network model of package netsim in the plainest code: every cycle
// computes all state from the quantities that the rules name. It shares only the wiring and the
// routing with the engines. The tests of package netsim compare the engines with it, packet for
// packet and flit for flit.
//
// Example: on a line of five nodes node 0 sends 20 flits to node 2 in cycle 0, and node 1 sends 8
// flits to node 3 in cycle 4. These are 4 packets and 112 flits on all channels: 20 flits on 4
// channels each, and 8 on 4. The cycle-driven engine, also with several threads, and the worm
// engine, also in its closed form, send each of them in the same cycle as Model (ExampleScenario).
package reference

import (
	"contend/netsim"
	"contend/router"
	"contend/router/topology"
)

// Cycle is a point in time, as in package netsim.
type Cycle = netsim.Cycle

// Model is a slow network that follows the rules in the documentation of package netsim literally.
type Model struct {
	c            netsim.Config
	w            *router.Wiring
	x            router.Routing
	now          Cycle
	vcs          []refVC
	links        []refLink
	inputs       []refInput     // by input port
	portsPerLink int            // input ports of the crossbar that a link ends at
	queue        [][]*refPacket // by node
	ports        []*refPacket   // by injection link
	timings      []router.LinkTiming
	lastVC       []int   // by injection link: the virtual channel of its last packet
	restsUntil   []Cycle // by node: cycle from which it may begin a packet
	// messages counts the messages sent by each node of the machine. In all other fields each network
	// interface is a node.
	messages        []int
	messagesBetween map[[2]topology.Node]int // messages between two nodes of the machine
	flows           map[[2]topology.Node]int // messages between two network interfaces
	done            []*refPacket
	count           int64
	sent            []Sending
	speculating     []router.Channel        // inputs whose heads may request the switch in vain
	vain            map[router.Channel]bool // inputs whose heads do so in this cycle, true if they win
	pointer         map[router.Channel]int  // of each class of VCs, by the first of it
}

// refVC is a virtual channel with the FIFO at its far end, and the packet at the front of the FIFO.
type refVC struct {
	fifo       []refFlit
	departures []Cycle          // when the n-th flit left the far FIFO
	sent       int              // flits ever sent
	holder     *refPacket       // packet that holds the channel
	freeAt     Cycle            // cycle from which the channel may be granted again
	headAt     Cycle            // h of the packet at the front
	packet     *refPacket       // at the front
	offered    []router.Channel // channels that routing offers it, from q on
	escapes    []router.Channel // of these the escape channels
	outputVC   router.Channel
	mayBeSent  Cycle          // from when on it may be sent
	lastIn     router.Channel // input granted the channel last, for round-robin and matching
	lastOut    router.Channel // channel granted to its heads last, for matching
}

// refLink is a physical channel.
type refLink struct {
	nextSend Cycle // first cycle in which it may carry the next flit
	nextHead Cycle // first cycle in which it may carry the next head, with PacketsHoldLinks
	lastVC   int   // virtual channel that sent last
	last     int   // input port that it was matched with last
}

// refFlit is a flit in a FIFO or on the way to it.
type refFlit struct {
	p     *refPacket
	index int   // in its packet, from 0
	at    Cycle // cycle from which it is at the far end
}

// refPacket is a packet from its message on.
type refPacket struct {
	from, to                              topology.Node
	length                                int
	created, injected, delivered, blocked Cycle
	turn                                  Cycle // its turn came, or -1
	number                                int64
	hops                                  int
	flitsSent                             int // flits injected
	header                                router.Header
}

// New returns an idle network.
func New(c netsim.Config) (*Model, error) {
	c, err := c.Resolved()
	if err != nil {
		return nil, err
	}
	w, x, err := c.Wire()
	if err != nil {
		return nil, err
	}
	r := &Model{c: c, w: w, x: x, vcs: make([]refVC, w.Channels()),
		links: make([]refLink, w.Links()), portsPerLink: 1,
		lastVC: make([]int, w.Links()), timings: c.LinkTimings(w),
		queue: make([][]*refPacket, w.Nodes()), ports: make([]*refPacket, w.Links()),
		restsUntil: make([]Cycle, w.Nodes()), messages: make([]int, c.Topology.Nodes()),
		messagesBetween: map[[2]topology.Node]int{}, flows: map[[2]topology.Node]int{},
		pointer: map[router.Channel]int{}}
	if c.LinksFail && c.VirtualChannels == 1 { // ports are not limited: the other VC is for escape paths
		r.c.SwitchAllocator, r.c.InputSpeedup = router.InputFirst, 0
	}
	if r.c.SwitchAllocator != router.InputFirst {
		r.portsPerLink = c.InputSpeedup
	}
	r.inputs = make([]refInput, w.Links()*r.portsPerLink)
	for i := range r.vcs {
		r.vcs[i].outputVC, r.vcs[i].lastIn, r.vcs[i].lastOut = -1, -1, -1
	}
	for l := range r.lastVC {
		r.links[l].last = -1
		r.lastVC[l] = c.NodeVirtualChannels - 1
	}
	for i := range r.inputs {
		r.inputs[i].last = -1
	}
	return r, nil
}

// Fail lets links fail before the first cycle. All messages must have a path.
func (r *Model) Fail(links ...router.Link) {
	failed := make([]bool, r.w.Links())
	for _, l := range links {
		failed[l] = true
	}
	r.x.(router.Leftover).SetFailed(failed, true)
}

// Send queues a message at a network interface of its node, now.
func (r *Model) Send(m netsim.Message) {
	sent := r.messages[m.From]
	rail := sent % r.w.Rails()
	switch r.c.Rail {
	case netsim.RailByDestination:
		rail = int(m.To) % r.w.Rails()
	case netsim.RailByMessage:
		rail = int(m.Rail) % r.w.Rails()
	case netsim.RailByHost:
		if rail = 0; r.w.Rails() > 1 {
			from, _ := r.w.Attach(m.From)
			if to, _ := r.w.Attach(m.To); from != to {
				rail = 1 + int(m.To)%(r.w.Rails()-1)
			}
		}
	case netsim.RailByPair:
		rail = r.messagesBetween[[2]topology.Node{m.From, m.To}] % r.w.Rails()
	}
	r.messages[m.From]++
	r.messagesBetween[[2]topology.Node{m.From, m.To}]++
	m.From += topology.Node(rail * r.c.Topology.Nodes())
	m.To += topology.Node(rail * r.c.Topology.Nodes())
	flow := r.flow(m.From, m.To, sent)
	identity := r.identity(m.From, sent)
	for left := int(m.Flits); left > 0; left -= r.c.PacketFlits {
		r.queue[m.From] = append(r.queue[m.From], &refPacket{from: m.From, to: m.To,
			length: min(left, r.c.PacketFlits), created: r.now, number: r.count, turn: -1,
			header: router.Header{Source: m.From, Destination: m.To, Packet: identity,
				Flow: flow}})
		r.count++
		identity++
	}
}

// identity returns the identity of the first packet of the n-th message of the node of network
// interface from, by which routings draw.
func (r *Model) identity(from topology.Node, n int) int64 {
	return router.Identity(uint64(from)%uint64(r.c.Topology.Nodes()), int64(n))
}

// flow returns the flow of the n-th message of a node, between two network interfaces.
func (r *Model) flow(from, to topology.Node, n int) int32 {
	if !router.TraitsOf(r.w, r.x).Flows {
		return 0
	}
	if r.c.FlowsPerPair == netsim.FlowPerMessage {
		return int32(r.identity(from, n) % (1 << 31))
	}
	ends := [2]topology.Node{from, to}
	sent := r.flows[ends]
	r.flows[ends]++
	return int32(sent % r.c.FlowsPerPair)
}

// source returns the network interface that an injection link leaves.
func (r *Model) source(l router.Link) topology.Node {
	from, _ := r.w.Ends(l)
	return from.Node + topology.Node(from.Rail*r.c.Topology.Nodes())
}

// vcsOf returns how many virtual channels a link has.
func (r *Model) vcsOf(l router.Link) int { return int(r.w.VCs(l)) }

// Rule 4 of the reference model: the call of the routing, and its view.

// route computes the route of the head at the front of FIFO i, which requests a channel at router
// n, unless it is known.
func (r *Model) route(n topology.Router, i router.Channel) {
	v := &r.vcs[i]
	if v.offered != nil {
		return
	}
	before, whole := v.packet.header, router.Whole(r.x)
	v.offered = r.x.Route(nil, n, i, &v.packet.header, view{r})
	if _, ok := whole.(router.Branching); ok {
		before = v.packet.header
	}
	v.escapes = v.offered
	if _, ok := whole.(router.Escaping); ok {
		v.escapes = r.x.(router.Escaping).Escape(nil, n, i, &before)
	}
}

// view is the view of a routing at the end of the cycle before.
type view struct{ r *Model }

// Free implements router.View.
func (v view) Free(o router.Channel) bool { return v.r.free(o) }

// Credits implements router.View.
func (v view) Credits(o router.Channel) int32 {
	if v.r.w.Kind(v.r.w.LinkOf(o)) == router.Ejection && v.r.c.EjectionCreditCycles == 0 {
		return int32(v.r.c.BufferFlits)
	}
	return int32(v.r.credits(o))
}

// Queued implements router.View.
func (v view) Queued(o router.Channel) int32 {
	n := 0
	here, _ := v.r.w.Ends(v.r.w.LinkOf(o))
	for i := range router.Channel(len(v.r.vcs)) {
		in := &v.r.vcs[i]
		if v.r.router(i) != here.Router ||
			v.r.w.Kind(v.r.w.LinkOf(i)) == router.Ejection || in.packet == nil {
			continue
		}
		q, waits := v.r.requesting(i)
		waits = waits && q < v.r.now && in.offered[0] == o
		if in.outputVC != o && !waits {
			continue
		}
		for _, f := range in.fifo {
			if f.p == in.packet {
				n++
			}
		}
	}
	return int32(n)
}

// Rule 6 of the reference model: source queues and injection channels.

// noteTurns sets the turn of packets that are the first of their source queues, with an injection
// channel free.
func (r *Model) noteTurns() {
	for l := range router.Link(r.w.Links()) {
		if r.w.Kind(l) != router.Injection || r.ports[l] != nil || r.links[l].nextSend > r.now {
			continue
		}
		from := r.source(l)
		if q := r.queue[from]; len(q) > 0 && q[0].turn < 0 && r.now >= r.restsUntil[from] {
			q[0].turn = r.now
		}
	}
}

// injectionVC returns the virtual channel of injection link l on which the next flit of packet p
// may be sent, or false. A head takes the first with credits after the channel of the packet
// before.
func (r *Model) injectionVC(l router.Link, p *refPacket) (int, bool) {
	if p == nil {
		return 0, false
	}
	n, last := r.vcsOf(l), r.lastVC[l]
	if p.flitsSent > 0 {
		return last, r.hasCredits(r.w.First(l)+router.Channel(last), 1)
	}
	need := r.creditsNeeded(p, 0)
	if r.c.AtomicVCs {
		need = r.c.BufferFlits
	}
	for k := range n {
		if v := (last + 1 + k) % n; r.hasCredits(r.w.First(l)+router.Channel(v), need) {
			return v, true
		}
	}
	return 0, false
}
