package netsim

import (
	"fmt"
	"math"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// Message is one transfer between two nodes.
type Message struct {
	// From sends the message, To receives it. They may be the same node.
	From, To topology.Node
	// Flits is its length, at least 1.
	Flits int32
	// Job tells whose message it is; blocking by packets of another job is
	// counted apart.
	Job int32
	// User comes back with the delivery.
	User int32
	// Rail is the network interface of its node that it takes with RailByMessage.
	Rail uint8
}

// Delivery says that a message has arrived, all packets of it.
type Delivery struct {
	Message
	// Created is the cycle it was sent in, Delivered that in which its last
	// tail arrived.
	Created, Delivered Cycle
	// Packets is the number of packets the message was cut into, at least 1.
	Packets int32
	// The sums, over its packets, of what netsim measures of each: see the
	// package documentation.
	Latency, NetworkLatency, EntryWait, Blocked, Foreign, Hops Cycle
}

// Network is a network in operation.
type Network struct {
	config      Config
	wiring      *router.Wiring
	routing     router.Routing
	routers     *router.Routers
	rails       rails
	flows       flows
	nodes       topology.Node // of the machine
	processes   []process     // of each node
	messages    []message     // those of several packets
	free        []int32
	pending     int
	delivered   []Delivery
	totals      Totals
	packetsSent int64 // packets, in the order their messages were sent
	watch       func(*router.Arrival)
	path        pathScratch
	arriving    int // the packet that watch is told of, of those of an Advance
}

// lonely is what LonelyWay needs: it is asked of each packet.
type pathScratch struct {
	timings       []router.LinkTiming // of each link
	links         []router.Link
	timingsOfPath []router.LinkTiming
}

// message adds up what the packets of a message met with. A message of one packet
// needs none: there may be many of those at a time.
type message struct {
	missing int32 // packets
	Delivery
}

// none marks a message of one packet.
const none = -1

// New returns an idle network. It does not look for deadlock: see
// Config.CheckDeadlock.
func New(c Config) (*Network, error) {
	if err := c.resolve(); err != nil {
		return nil, err
	}
	w, x, err := c.Wire()
	if err != nil {
		return nil, err
	}
	t := c.timing(w)
	engine := c.engine(w, x, t)
	if c.Engine == "worm" && engine == router.CycleDriven {
		return nil, bad("Engine", "take auto or cycle", "is worm, which is exact only with "+
			"wormhole switching, one virtual channel, one injection port and a routing that does not "+
			"depend on load")
	}
	return &Network{config: c, wiring: w, routing: x, rails: newRails(c.Topology, c.Rail),
		processes: newProcesses(c.Topology.Nodes()),
		flows:     newFlows(c.FlowsPerPair, router.TraitsOf(w, x).Flows),
		nodes:     topology.Node(c.Topology.Nodes()),
		routers:   router.New(w, x, t, int32(c.PacketFlits), engine)}, nil
}

// timing returns the times and sizes of a network as package router has them.
func (c *Config) timing(w *router.Wiring) router.Timing {
	return router.Timing{
		Routing:    Cycle(c.RoutingCycles - c.VCAllocCycles),
		Allocation: Cycle(c.VCAllocCycles), Link: Cycle(c.LinkCycles), Flit: Cycle(c.FlitCycles),
		Credit: Cycle(c.CreditCycles),
		Pace:   int64(math.Round(c.InjectionFlitCycles * router.PaceUnit)), Buffer: int32(c.BufferFlits),
		Switching: c.Switching, Arbiter: c.Arbiter,
		VCSelect: c.VCSelect, InputSpeedup: int32(c.InputSpeedup),
		HeadersYield: c.HeadersYield, SwitchAllocator: c.SwitchAllocator,
		Links: c.LinkTimings(w),
	}
}

// engine picks the fastest engine that is exact.
func (c *Config) engine(w *router.Wiring, x router.Routing, t router.Timing) router.Engine {
	if c.Engine == "cycle" || !router.WormsAreExact(w, x, t) {
		return router.CycleDriven
	}
	if !c.FlitByFlit && router.ClosedFormIsExact(w, x, t, c.packetLengths()...) {
		return router.ClosedForm
	}
	return router.Worms
}

// packetLengths returns numbers of which every packet's length is a multiple.
func (c *Config) packetLengths() []int32 {
	switch {
	case c.MessageFlits > 0:
		lengths := []int32{int32(c.MessageFlits % c.PacketFlits)}
		if c.MessageFlits >= c.PacketFlits {
			lengths = append(lengths, int32(c.PacketFlits))
		}
		return lengths
	case c.MessageMultiple > 0: // what is left of a message after full packets
		a, b := c.MessageMultiple, c.PacketFlits
		for b > 0 {
			a, b = b, a%b
		}
		return []int32{int32(a)}
	}
	return []int32{1} // anything may come
}

// Config returns the configuration with its defaults filled in.
func (n *Network) Config() Config { return n.config }

// Now returns the current cycle.
func (n *Network) Now() Cycle { return n.routers.Now() }

// Send queues a message at its node, now. It panics on a node the machine does
// not have, on an empty message, and on one of another length than the configuration
// promises: a caller's bug.
func (n *Network) Send(m Message) {
	if m.From < 0 || m.From >= n.nodes || m.To < 0 || m.To >= n.nodes {
		panic(fmt.Sprintf("netsim: message from node %d to %d in a machine of %d", m.From, m.To,
			n.nodes))
	}
	if m.Flits < 1 {
		panic(fmt.Sprintf("netsim: message of %d flits, want at least 1", m.Flits))
	}
	if k := n.config.MessageFlits; k > 0 && int(m.Flits) != k {
		panic(fmt.Sprintf("netsim: message of %d flits, want %d", m.Flits, k))
	}
	if k := n.config.MessageMultiple; k > 0 && int(m.Flits)%k != 0 {
		panic(fmt.Sprintf("netsim: message of %d flits, want a multiple of %d", m.Flits, k))
	}
	i, packets := int32(none), int32(1)
	if most := int32(n.config.PacketFlits); m.Flits > most {
		packets = (m.Flits-1)/most + 1
		i = n.newMessage(message{missing: packets, Delivery: Delivery{Message: m}})
	}
	p, rail := &n.processes[m.From], n.rails.offset(&m)
	identity := p.next()
	n.routers.Offer(router.Offer{From: rail + m.From, To: rail + m.To, Flits: m.Flits, Job: m.Job,
		Message: i, User: m.User, Number: n.packetsSent, Identity: identity,
		Flow: n.flows.next(rail+m.From, rail+m.To, p.id, identity)})
	n.packetsSent += int64(packets)
	n.pending++
}

func (n *Network) newMessage(m message) int32 {
	if k := len(n.free); k > 0 {
		i := n.free[k-1]
		n.free = n.free[:k-1]
		n.messages[i] = m
		return i
	}
	n.messages = append(n.messages, m)
	return int32(len(n.messages) - 1)
}

// Advance moves time on to the first cycle in which messages arrive, or to
// until if that comes first, and returns the time reached and those messages,
// in the order they were sent. They are valid until the next call. What is sent now takes part in
// the current cycle.
//
// The error, a *router.StuckError, says that no flit can ever move again.
func (n *Network) Advance(until Cycle) (Cycle, []Delivery, error) {
	n.delivered = n.delivered[:0]
	for len(n.delivered) == 0 && n.routers.Now() < until {
		packets, err := n.routers.Advance(until)
		if err != nil {
			return n.routers.Now(), nil, err
		}
		for i := range packets {
			n.arriving = i
			n.arrived(&packets[i])
		}
	}
	return n.routers.Now(), n.delivered, nil
}

func (n *Network) arrived(p *router.Arrival) {
	n.rails.nodesOf(p)
	if n.watch != nil {
		n.watch(p)
	}
	if p.Message == none {
		n.delivered = append(n.delivered, Delivery{})
		d := &n.delivered[len(n.delivered)-1] // field by field: the processor would wait for a copy
		d.From, d.To, d.Flits, d.Job, d.User = p.From, p.To, p.Length, p.Job, p.User
		d.add(p)
	} else {
		m := &n.messages[p.Message]
		m.add(p)
		if m.missing--; m.missing > 0 {
			return
		}
		n.delivered = append(n.delivered, m.Delivery)
		n.free = append(n.free, p.Message)
	}
	n.pending--
	n.totals.AddDelivery(&n.delivered[len(n.delivered)-1])
}

// add adds a packet that arrives now.
func (d *Delivery) add(p *router.Arrival) {
	d.Created, d.Delivered = p.Created, p.Delivered
	d.Packets++
	d.Latency += p.Delivered - p.Created
	d.NetworkLatency += p.Delivered - p.Injected
	d.EntryWait += p.Injected - p.Turn
	d.Blocked += p.Blocked
	d.Foreign += p.Foreign
	d.Hops += Cycle(p.Hops)
}

// Watch has f told of every packet that arrives. It is valid during the call only.
func (n *Network) Watch(f func(p *router.Arrival)) { n.watch = f }

// Number returns the number in router.Wait of the packet of which Watch tells now.
func (n *Network) Number() int32 { return n.routers.NumberOf(n.arriving) }

// Trace has t told of every flit sent.
func (n *Network) Trace(t router.Tracer) { n.routers.Trace(t) }

// Record has r told when channels carry flits. It is called before the first message, and takes
// the place of Trace.
func (n *Network) Record(r router.Recorder) { n.routers.Record(r) }

// RecordRest tells the Recorder of flits that were sent so far and that it has not been told of:
// those of packets on their way. It is called at the end of a run.
func (n *Network) RecordRest() { n.routers.RecordRest() }

// RecordWaits has r told of every wait of a ready header, and for which packet. It is called
// before the first message.
func (n *Network) RecordWaits(r router.WaitRecorder) { n.routers.RecordWaits(r) }

// TellWaits tells the WaitRecorder of all waits so far.
func (n *Network) ReportWaits() { n.routers.ReportWaits() }

// WaitsToldUntil returns a cycle up to which the WaitRecorder knows all waits after TellWaits.
func (n *Network) WaitsReportedUntil() Cycle { return n.routers.WaitsReportedUntil() }

// ForgetWaits says that only waits from a cycle on matter; see router.Routers.
func (n *Network) ForgetWaits(before Cycle) []int32 { return n.routers.ForgetWaits(before) }

// Pending returns how many messages have been sent and have not arrived.
func (n *Network) Pending() int { return n.pending }

// Wiring returns the channels of the network.
func (n *Network) Wiring() *router.Wiring { return n.wiring }

// LinkTimings returns how long things take on each link, by its number.
func (n *Network) LinkTimings() []router.LinkTiming { return n.config.LinkTimings(n.wiring) }

// Footprint returns what finds the links that packets between two nodes may use.
func (n *Network) Footprint() *deadlock.Footprint {
	return deadlock.NewFootprint(n.wiring,
		n.routing)
}

// SoleWay returns how long things take on the links from one node to another, where the
// routing leaves packets no choice between links; else it reports false.
func (n *Network) SolePath(from, to topology.Node) (way []router.LinkTiming, sole bool) {
	links, sole := router.SolePath(n.wiring, n.routing, from, to)
	return n.timesOf(links), sole
}

// LonelyWay returns how long things take on the links of a packet, of which h says where it comes
// from and goes to, its number and its flow, and that is alone on the network. It is valid until
// the next call.
func (n *Network) UncontendedPath(h router.Header) []router.LinkTiming {
	x := &n.path
	if x.timings == nil {
		x.timings = n.LinkTimings()
	}
	x.timingsOfPath = x.timingsOfPath[:0]
	for _, l := range n.UncontendedLinks(h) {
		x.timingsOfPath = append(x.timingsOfPath, x.timings[l])
	}
	return x.timingsOfPath
}

// DrawsWays reports whether the ways that LonelyWay finds between two nodes depend on the packet.
func (n *Network) DrawsPaths() bool { return n.config.drawsPaths() }

// LonelyLinks returns the links of LonelyWay. They are valid until the next call of either.
func (n *Network) UncontendedLinks(h router.Header) []router.Link {
	x := &n.path
	x.links = router.UncontendedPath(x.links[:0], n.wiring, n.routing, h, int32(n.config.BufferFlits))
	return x.links
}

// timesOf returns how long things take on links.
func (n *Network) timesOf(links []router.Link) (way []router.LinkTiming) {
	for _, l := range links {
		way = append(way, n.config.timingOf(n.wiring, l))
	}
	return way
}

// LoadMatters reports whether the links that a packet takes may depend on what else is on the
// network.
func (n *Network) LoadMatters() bool { return router.LoadMatters(n.wiring, n.routing) }

// Usage returns what link l was used for since the start or ResetUsage.
func (n *Network) Usage(l router.Link) router.Usage { return n.routers.Usage(l) }

// ResetUsage starts the count of Usage and Totals afresh.
func (n *Network) ResetUsage() {
	n.routers.ResetUsage()
	n.totals = Totals{}
}

// Totals returns the sums over all messages delivered since the start or
// ResetUsage.
func (n *Network) Totals() Totals { return n.totals }
