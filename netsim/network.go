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
	// Job is the job that it belongs to; blocking by packets of other jobs is counted apart.
	Job int32
	// User is any value of the caller, which the delivery returns.
	User int32
	// Rail is the network interface of the message with RailByMessage.
	Rail uint8
}

// Delivery reports that all packets of a message have arrived.
type Delivery struct {
	Message
	// Created is the cycle in which the message was sent, Delivered the cycle in which its last tail
	// arrived.
	Created, Delivered Cycle
	// Packets is the number of packets the message was cut into, at least 1.
	Packets int32
	// The sums over its packets of the measurements in the package documentation.
	Latency, NetworkLatency, EntryWait, Blocked, Foreign, Hops Cycle
	// Marked is the number of its packets that congestion control has marked. Notifications are those
	// that have reached its source, and Rests is the time for which packets there have waited for their
	// rates, since packets from there arrived that are counted elsewhere.
	Marked, Notifications int64
	Rests                 Cycle
	OnEscapePaths         int32 // packets that took escape paths
}

// Network is a network in operation.
type Network struct {
	config      Config
	wiring      *router.Wiring
	routing     router.Routing
	routers     *router.Routers
	rails       rails
	flows       flows
	nodes       topology.Node  // nodes of the machine
	processes   []process      // by node
	messages    []message      // messages of several packets
	free        []int32        // unused indices of messages
	pending     int            // messages sent and not delivered
	delivered   []Delivery     // deliveries of the last Advance
	entered     []router.Entry // entries of the last Advance
	totals      Totals
	failing     *failing              // nil if no link may fail
	packetsSent int64                 // packets of all messages sent
	pairs       *queuePairs           // nil if interfaces have one queue each
	sampler     *sampler              // nil without samples
	left        []router.Entry        // scratch
	poll        func() error          // see Poll; nil: not called
	watch       func(*router.Arrival) // receives every packet that arrives; nil: not called
	path        pathScratch
	arriving    int   // index of the packet that watch receives, in the list of router.Advance
	partial     int64 // PartialFlits
}

// message is a message of several packets until the last one arrives.
type message struct {
	missing  int32 // packets that have not arrived
	Delivery       // of the packets that have
}

// none is the index of a message of one packet.
const none = -1

// New returns an idle network. It does not check the routing for deadlock: see
// Config.CheckDeadlock.
func New(c Config) (*Network, error) {
	if err := c.resolve(); err != nil {
		return nil, err
	}
	w, x, err := c.Wire()
	if err != nil {
		return nil, err
	}
	if c.Engine == "worm" && c.changes() {
		return nil, bad("Engine", "take auto or cycle", "is worm, which decides ahead of time, and "+
			"links may fail or slow down, or messages be withdrawn from source queues")
	}
	if c.Engine == "worm" && !router.WormsAreExact(w, x, c.timing(w)) {
		return nil, bad("Engine", "take auto or cycle", "is worm, which is exact only with "+
			"wormhole switching, one virtual channel, one injection port and a routing that does not "+
			"depend on load")
	}
	if c.Engine == "packet" && !router.PacketsAreExact(w, x, c.timing(w), int32(c.PacketFlits)) {
		return nil, bad("Engine", "take auto or cycle", "is packet, which is exact only with virtual "+
			"cut-through, packets that hold links, buffers of at least a packet, at most 32 virtual "+
			"channels and links of constant bandwidth")
	}
	n := &Network{config: c, wiring: w, routing: x, rails: newRails(c.Topology, c.Rail),
		processes: newProcesses(c.Topology.Nodes()),
		flows:     newFlows(c.FlowsPerPair, router.TraitsOf(w, x).Flows),
		nodes:     topology.Node(c.Topology.Nodes()),
		routers:   c.newRouters(w, x)}
	n.pairs, n.failing = newQueuePairs(n), newFailing(n)
	return n, n.divide()
}

// newRouters returns idle routers with the fastest engine that is exact.
func (c *Config) newRouters(w *router.Wiring, x router.Routing) *router.Routers {
	t := c.timing(w)
	b := router.New(w, x, t, int32(c.PacketFlits), c.engine(w, x, t))
	if c.SourceQueues == QueuePerDestination {
		b.ReportEntries()
	}
	return b
}

// timing returns the timing for package router.
func (c *Config) timing(w *router.Wiring) router.Timing {
	return router.Timing{
		Rules:   c.Rules,
		Routing: Cycle(c.RoutingCycles - c.VCAllocCycles), Allocation: Cycle(c.VCAllocCycles),
		Link: Cycle(c.LinkCycles), Flit: Cycle(c.FlitCycles), Credit: Cycle(c.CreditCycles),
		Links:  c.LinkTimings(w),
		Pace:   int64(math.Round(c.InjectionFlitCycles * router.PaceUnit)),
		Buffer: int32(c.BufferFlits), InputSpeedup: int32(c.InputSpeedup),
		Marking:            c.marking(w),
		CountsQueues:       c.CountsQueues,
		NodesReturnCredits: c.EjectionCreditCycles > 0, SlowestFlit: c.slowestFlit(w),
	}
}

// changes reports whether links or source queues may change during a run, or queues are counted,
// which the worm engine, deciding ahead of time, does not support.
func (c *Config) changes() bool { return c.Drops || c.LinksFail || c.CountsQueues || c.slows() }

// engine picks the fastest engine that is exact.
func (c *Config) engine(w *router.Wiring, x router.Routing, t router.Timing) router.Engine {
	auto := c.Engine == "auto"
	switch {
	case c.Engine == "packet" || auto && c.PacketFlits > 1 &&
		(w.VirtualChannels > 1 || !c.Snapshots || c.LinksFail) &&
		router.PacketsAreExact(w, x, t, int32(c.PacketFlits)):
		return router.Packets
	case c.Engine == "cycle" || c.changes() || !router.WormsAreExact(w, x, t):
		return router.CycleDriven
	case !c.FlitByFlit && router.ClosedFormIsExact(w, x, t, c.packetLengths()...):
		return router.ClosedForm
	}
	return router.Worms
}

// packetLengths returns numbers such that the length of every packet is a multiple of one of them.
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

// Send queues a message at its node, now. It panics if the machine lacks a node, if the message is
// empty, or if its length breaks a promise of the configuration: a caller's bug.
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
	o := router.Offer{From: rail + m.From, To: rail + m.To, Flits: m.Flits, Job: m.Job,
		Message: i, User: m.User, Number: n.packetsSent, Identity: identity, Created: n.Now(),
		Flow: n.flows.next(rail+m.From, rail+m.To, p.id, identity)}
	if n.pairs != nil {
		n.pairs.send(o)
	} else if !n.failing.isCut(o.From, o.To) {
		n.routers.Offer(o)
	} else {
		n.failing.hold(o)
	}
	n.packetsSent += int64(packets)
	n.pending++
}

// newMessage keeps a message of several packets and returns its index.
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

// Advance advances to the first cycle in which messages arrive, or to until if that comes first. It
// returns the cycle reached and the messages, in the order in which they were sent, which are valid
// until the next call. Messages sent now take part in the current cycle.
//
// After ReportEntries it also returns in the cycles of entries, which Entries has.
//
// The error is a *router.StuckError if no flit can ever move again, an *UnreachableError if a
// message can never arrive, or the error of the function given to Poll.
func (n *Network) Advance(until Cycle) (Cycle, []Delivery, error) {
	n.delivered, n.entered = n.delivered[:0], n.entered[:0]
	if n.failing != nil {
		n.entered, n.failing.entered = append(n.entered, n.failing.entered...), n.failing.entered[:0]
		if err := n.failing.serve(); err != nil {
			return n.Now(), nil, err
		}
	}
	for len(n.delivered)+len(n.entered) == 0 && n.routers.Now() < until {
		limit := until
		if n.failing != nil {
			limit = min(limit, n.failing.next())
		}
		if n.pairs != nil {
			limit = n.pairs.until(limit)
		}
		if n.sampler != nil {
			limit = n.sampler.until(limit)
		}
		packets, err := n.routers.Advance(limit)
		if err != nil {
			return n.routers.Now(), nil, err
		}
		for i := range packets {
			n.arriving = i
			n.arrived(&packets[i])
		}
		if n.pairs == nil {
			n.entered = n.routers.Entries(n.entered)
		} else {
			n.left = n.routers.Entries(n.left[:0])
			n.entered = n.pairs.serve(n.left, n.entered)
		}
		if n.failing != nil {
			n.entered = n.failing.withoutLost(n.entered)
			if err := n.failing.serve(); err != nil {
				return n.Now(), nil, err
			}
		}
		if n.sampler != nil {
			n.sampler.serve(n.Now())
		}
	}
	for i := range n.entered {
		n.entered[i].Node %= n.nodes // of a network interface
	}
	return n.routers.Now(), n.delivered, nil
}

// ReportEntries makes Advance return also when messages that are sent from now on leave the source
// queue of their node.
func (n *Network) ReportEntries() {
	if n.pairs != nil {
		n.pairs.reports = true
	} else {
		n.routers.ReportEntries()
	}
}

// Entries returns the messages that left the source queues of their nodes by the cycle that Advance
// reached. They are valid until the next call of Advance.
func (n *Network) Entries() []router.Entry { return n.entered }

// arrived handles a packet that arrives.
func (n *Network) arrived(p *router.Arrival) {
	if n.failing != nil && !n.failing.counts(p) {
		return
	}
	if n.config.Congestion != nil {
		n.pairs.arrived(p)
	}
	n.rails.nodesOf(p)
	if n.watch != nil {
		n.watch(p)
	}
	n.complete(p)
}

// complete adds a packet to its message, and the message to delivered if it is the last one.
func (n *Network) complete(p *router.Arrival) {
	if p.Message == none {
		n.delivered = append(n.delivered, Delivery{})
		d := &n.delivered[len(n.delivered)-1] // field by field: the processor would wait for a copy
		d.From, d.To, d.Flits, d.Job, d.User = p.From, p.To, p.Length, p.Job, p.User
		d.add(p, n.pairs)
	} else {
		m := &n.messages[p.Message]
		m.add(p, n.pairs)
		if m.missing--; m.missing > 0 {
			n.partial += int64(p.Length)
			return
		}
		n.partial -= int64(m.Flits - p.Length)
		n.delivered = append(n.delivered, m.Delivery)
		n.free = append(n.free, p.Message)
	}
	n.pending--
	n.totals.AddDelivery(&n.delivered[len(n.delivered)-1])
}

// add adds a packet that arrives now.
func (d *Delivery) add(p *router.Arrival, q *queuePairs) {
	d.Created, d.Delivered = p.Created, p.Delivered
	d.Packets++
	d.Latency += p.Delivered - p.Created
	d.NetworkLatency += p.Delivered - p.Injected
	d.EntryWait += p.Injected - p.Turn
	d.Blocked += p.Blocked
	d.Foreign += p.Foreign
	d.Hops += Cycle(p.Hops)
	if p.OnEscapePath {
		d.OnEscapePaths++
	}
	if p.Marked {
		d.Marked++
	}
	if q != nil {
		k := q.delaysOf(p.From)
		d.Notifications, d.Rests = d.Notifications+k.notifications, d.Rests+k.rests
		*k = delays{}
	}
}

// Poll makes Advance call f at once and then after each fraction of a millisecond of work, for any
// time until a message arrives. Once f returns an error, Advance returns it, and may be called
// again to continue.
func (n *Network) Poll(f func() error) {
	n.poll = f
	n.routers.Poll(f)
}

// renewRouters replaces the routers by new ones, before the first message.
func (n *Network) renewRouters() {
	n.routers = n.config.newRouters(n.wiring, n.routing)
	n.routers.Poll(n.poll)
}

// Watch calls f for every packet that arrives. The packet is valid during the call only.
func (n *Network) Watch(f func(p *router.Arrival)) { n.watch = f }

// Number returns the number in router.Wait of the packet that Watch passes on now.
func (n *Network) Number() int32 { return n.routers.NumberOf(n.arriving) }

// Trace reports every flit sent to t. It is called before the first message.
func (n *Network) Trace(t router.Tracer) {
	n.stepInOneThread()
	n.routers.Trace(t)
}

// Record reports to r when channels carry flits. It is called before the first message and before
// RecordWaits, and replaces Trace. The worm engine takes the place of its closed form, which moves
// no body flits.
func (n *Network) Record(r router.Recorder) {
	n.config.FlitByFlit, n.config.Threads = true, 1
	n.renewRouters()
	n.routers.Record(r)
}

// RecordWaits reports to r every wait of a ready head, and the packet it waited for. It is called
// before the first message.
func (n *Network) RecordWaits(r router.WaitRecorder) {
	n.stepInOneThread()
	n.routers.RecordWaits(r)
}

// ReportWaits reports all waits so far to the WaitRecorder.
func (n *Network) ReportWaits() { n.routers.ReportWaits() }

// WaitsReportedUntil returns a cycle up to which the WaitRecorder has received all waits once
// ReportWaits has returned.
func (n *Network) WaitsReportedUntil() Cycle { return n.routers.WaitsReportedUntil() }

// ForgetWaits declares that the caller needs only waits from a cycle on; see router.Routers.
func (n *Network) ForgetWaits(before Cycle) []int32 { return n.routers.ForgetWaits(before) }

// Pending returns the number of messages that have been sent and have not arrived.
func (n *Network) Pending() int { return n.pending }

// Wiring returns the channels of the network.
func (n *Network) Wiring() *router.Wiring { return n.wiring }

// LinkTimings returns the delays of each link, by its number.
func (n *Network) LinkTimings() []router.LinkTiming { return n.config.LinkTimings(n.wiring) }

// Footprint returns a finder of the links that packets between two nodes may use.
func (n *Network) Footprint() *deadlock.Footprint {
	return deadlock.NewFootprint(n.wiring, n.routing)
}

// LoadMatters reports whether the links that a packet takes may depend on the load of the network.
func (n *Network) LoadMatters() bool { return router.LoadMatters(n.wiring, n.routing) }

// Usage returns the use of link l since the start or ResetUsage.
func (n *Network) Usage(l router.Link) router.Usage { return n.routers.Usage(l) }

// ResetUsage resets Usage and Totals.
func (n *Network) ResetUsage() {
	n.routers.ResetUsage()
	n.totals = Totals{}
	if n.failing != nil {
		n.failing.total = Failures{}
	}
}

// PartialFlits returns the number of flits that have arrived of messages that have not arrived
// whole, by packets.
func (n *Network) PartialFlits() int64 { return n.partial }

// Totals returns the sums over all messages delivered since the start or
// ResetUsage.
func (n *Network) Totals() Totals { return n.totals }
