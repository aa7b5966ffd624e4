package netsim

import (
	"fmt"
	"slices"

	"contend/router"
	"contend/router/topology"
)

// Cycle is a point in time, counted in network clock cycles from 0.
type Cycle = int64

// Config describes a network. Take Default and change what differs.
type Config struct {
	// Topology is the machine: nodes, routers and the links between them.
	Topology topology.Topology
	// PacketFlits (L) is the number of flits of a full packet; longer
	// messages are cut. At least 1.
	PacketFlits int
	// BufferFlits (B) is the depth of the FIFO of a virtual channel. At
	// least 1, and at least PacketFlits unless Switching is Wormhole.
	BufferFlits int
	// VirtualChannels (V) is the number of virtual channels of a network channel; 0 means as many as
	// the routing needs, such as 2 for datelines where a dimension wraps. With Route 0 means 1. At
	// most 64.
	VirtualChannels int
	// NodeVirtualChannels is the number of virtual channels of an injection or ejection channel; 0
	// means as many as a network channel has, which is the maximum.
	NodeVirtualChannels int
	// RoutingCycles (R) is the time that a head spends at the front of a FIFO before it requests a
	// channel. At least 0.
	RoutingCycles int
	// VCAllocCycles (A) is the part of R between the grant of a virtual channel and when the head may
	// be sent: it requests one after R - A cycles. 0: both happen in one cycle, as in routers where
	// heads request the switch speculatively. Not with store-and-forward.
	VCAllocCycles int
	// LinkCycles (D) is the time of a flit to the other end of a link. At least 1.
	LinkCycles int
	// FlitCycles (F) is the time between two flits on one physical channel. At least 1.
	FlitCycles int
	// CreditCycles (C) is the time from when a flit leaves a FIFO until the sender can use its place.
	// At least 1.
	CreditCycles int
	// NodeLinkCycles and NodeFlitCycles are D and F of the channels from and to nodes; 0 means
	// LinkCycles and FlitCycles. If the D of a link differs from LinkCycles its C differs from
	// CreditCycles by as much, and is at least 1.
	NodeLinkCycles, NodeFlitCycles int
	// NodeCreditCycles is C of the channels from and to nodes, with OwnLinks too; 0 means that it
	// follows from their D.
	NodeCreditCycles int
	// EjectionCreditCycles, if not 0, gives nodes FIFOs of BufferFlits for each virtual channel of an
	// ejection channel, from which a flit is taken as it arrives, and is C of these channels. 0: nodes
	// always accept. It needs the cycle-driven engine, and not LinksFail.
	EjectionCreditCycles int
	// ClassLinkCycles and ClassFlitCycles are D and F of each class of links between routers, in
	// the order of topology.Classed, 0 as above; empty means 0 for each. The delay that a
	// topology.Timed gives for a link, and the time that a topology.Paced gives, replace those of the
	// class.
	ClassLinkCycles, ClassFlitCycles []int
	// OwnLinks, if set, returns D and F of each link, 0 as above, and replaces the other sources.
	OwnLinks func(w *router.Wiring, l router.Link) (linkCycles, flitCycles int)
	// SourceQueues says whether messages wait in one queue of their interface or in one for each
	// destination; 0 means one.
	SourceQueues SourceQueues
	// Congestion is the congestion control of the queues for destinations, which it needs: *DCQCN,
	// *IBCCA or *Throttle; nil means none.
	Congestion CongestionControl
	// InjectionPorts is the maximum number of packets that a node injects at once; 0 means 1.
	InjectionPorts int
	// FlowsPerPair is the number of flows between two network interfaces, such as queue pairs,
	// which their messages take in turn: a routing with the trait router.Traits.Flows gives each
	// a path. 0 means 1, FlowPerMessage one for each message. Without effect on other routings.
	FlowsPerPair int
	// Rail is the rule by which a message takes a network interface of its node, on a
	// topology.Railed; 0 means each in turn. InjectionPorts and the pace are those of an interface.
	Rail RailChoice
	// InjectionFlitCycles is the time of a flit at the rate of a node that is slower than its link:
	// once the node has begun a packet of L flits it begins no other for L times as long. The packet
	// itself travels at the rate of links. At least FlitCycles, in steps of 1/65536; 0 means that
	// links set the pace.
	InjectionFlitCycles float64
	// Switching says how much of a packet a router stores before it sends the head on; 0 means
	// wormhole switching.
	Switching router.Switching
	// Arbiter says which of several waiting heads gets a channel; 0 means the first to come.
	Arbiter router.Arbiter
	// VCSelect says which of several free virtual channels of a link a head takes; 0 means the one
	// with the most credits.
	VCSelect router.VCSelect
	// InputSpeedup (S) is the maximum number of flits that an input port of a router, a physical
	// channel that ends at it, sends every FlitCycles over all its virtual channels; 0: one from each
	// of them. Without effect with one virtual channel. 0 to 64.
	InputSpeedup int
	// HeadersYield lets an input port pass over a head while another of its virtual channels has a
	// body or tail flit for the same output; without effect if InputSpeedup is 0.
	HeadersYield bool
	// AtomicVCs grants a virtual channel only while its FIFO is known to be empty. It needs the
	// cycle-driven engine.
	AtomicVCs bool
	// HeadersSpeculate lets a head that is refused a free virtual channel, where the Arbiter is
	// Matching, request the switch all the same, and waste what it wins. Without effect with
	// InputFirst, with VCAllocCycles and with routings that offer several links; not with LinksFail.
	HeadersSpeculate bool
	// PacketsHoldLinks lets a link go on with the packet of its last flit while that has a flit to
	// send; without effect unless InputSpeedup is 0.
	PacketsHoldLinks bool
	// SwitchAllocator says from which of its virtual channels an input port sends, and to which
	// output; 0 means that allocation begins at the inputs. Without effect with one virtual channel.
	// All but router.InputFirst need an InputSpeedup of at least 1.
	SwitchAllocator router.SwitchAllocator
	// Routing is the name of a routing of Routes that suits the topology; "" or "auto" means the
	// default of the topology: see topology.Routed.
	Routing string
	// Routes are the routings that Routing may name; nil means routes.Builtin().
	Routes []router.Maker
	// Route, if set, makes the routing and replaces Routing and Routes.
	Route func(w *router.Wiring, seed uint64) (router.Routing, error)
	// RoutingSeed seeds the routings that draw.
	RoutingSeed uint64
	// MessageFlits, if not 0, promises the length of every message, so that the worm engine can use
	// its closed form. Send panics at others.
	MessageFlits int
	// MessageMultiple, if not 0, promises that the length of every message is a multiple of it, for
	// the same purpose. Send panics at others.
	MessageMultiple int
	// Engine names the engine: "" or "auto" for the worm engine where it is
	// exact and the cycle-driven one elsewhere, "cycle", "worm". The results
	// do not depend on it.
	Engine string

	// LinksFail lets links fail and be repaired: see Network.Fail. It needs the cycle-driven engine.
	LinksFail bool
	// ResendCycles is the time from when a packet is injected until its source, if the packet is
	// lost, sends it again: 0 to 1<<40. Without effect unless LinksFail.
	ResendCycles Cycle
	// SlowestBandwidth is the minimum share that Network.SetBandwidth may set; 0 and 1 mean that it is
	// not called. It needs the cycle-driven engine.
	SlowestBandwidth float64
	// Drops allows Network.Drop. The worm engine, which decides ahead when packets leave their source
	// queues, is then not exact.
	Drops bool
	// Threads is the number of threads that may step a network of the cycle-driven engine side by
	// side; 0 means 1. The results do not depend on it. Record, RecordWaits and Trace need one.
	Threads int
	// FlitByFlit keeps the worm engine from using its closed form, so that the two
	// can be compared.
	FlitByFlit bool
}

// Default returns the defaults: packets of 8 flits, FIFOs of 2, routing in 2
// cycles, everything else in 1, wormhole switching, an input speedup of 1, as
// many virtual channels from and to nodes as between routers.
func Default(t topology.Topology) Config {
	return Config{Topology: t, PacketFlits: 8, BufferFlits: 2, RoutingCycles: 2, LinkCycles: 1,
		FlitCycles:   1,
		CreditCycles: 1, InputSpeedup: 1}
}

// A ConfigError says which field of a Config is wrong.
type ConfigError = topology.ConfigError

// bad returns the error for a field: its problem, and what would be right.
func bad(field, right, problem string, args ...any) *ConfigError {
	return &ConfigError{Field: field, Problem: fmt.Sprintf(problem, args...), Right: right}
}

// MaxThreads is the maximum of Config.Threads.
const MaxThreads = 64

// maxCycles is the maximum of the times: the calendar is as long as their sum.
const maxCycles = 1 << 16

// resolve fills in the defaults, or returns an error for a field out of its bounds.
func (c *Config) resolve() error {
	if c.Topology == nil {
		return fmt.Errorf("netsim: no topology")
	}
	if err := c.resolveRouting(); err != nil {
		return err
	}
	if c.NodeVirtualChannels == 0 {
		c.NodeVirtualChannels = c.VirtualChannels
	}
	if c.InjectionPorts == 0 {
		c.InjectionPorts = 1
	}
	for _, k := range []struct {
		field      string
		value, low int
		high       int
	}{
		{"PacketFlits", c.PacketFlits, 1, 1 << 30},
		{"BufferFlits", c.BufferFlits, 1, 1<<15 - 1},
		{"VirtualChannels", c.VirtualChannels, 1, 64},
		{"NodeVirtualChannels", c.NodeVirtualChannels, 1, c.VirtualChannels},
		{"RoutingCycles", c.RoutingCycles, 0, maxCycles},
		{"VCAllocCycles", c.VCAllocCycles, 0, c.RoutingCycles},
		{"LinkCycles", c.LinkCycles, 1, maxCycles},
		{"FlitCycles", c.FlitCycles, 1, maxCycles},
		{"CreditCycles", c.CreditCycles, 1, maxCycles},
		{"NodeLinkCycles", c.NodeLinkCycles, 0, maxCycles},
		{"NodeFlitCycles", c.NodeFlitCycles, 0, maxCycles},
		{"NodeCreditCycles", c.NodeCreditCycles, 0, maxCycles},
		{"EjectionCreditCycles", c.EjectionCreditCycles, 0, maxCycles},
		{"InjectionPorts", c.InjectionPorts, 1, 64},
		{"InputSpeedup", c.InputSpeedup, 0, 64},
		{"Threads", c.Threads, 0, MaxThreads},
	} {
		if k.value < k.low || k.value > k.high {
			return bad(k.field, fmt.Sprintf("it must be %d to %d", k.low, k.high), "is %d", k.value)
		}
	}
	if err := c.resolveLinks(); err != nil {
		return err
	}
	f := c.linkTiming(c.NodeLinkCycles, c.NodeFlitCycles).Flit
	if g := c.InjectionFlitCycles; g != 0 && !(g >= float64(f) && g <= maxCycles) {
		return bad("InjectionFlitCycles", fmt.Sprintf("it must be 0, or from %d, the flit time of a "+
			"link, to %d", f, maxCycles), "is %v", g)
	}
	if c.Switching != router.Wormhole && c.BufferFlits < c.PacketFlits {
		return bad("BufferFlits", fmt.Sprintf("virtual cut-through and store-and-forward need room "+
			"for a whole packet, %d flits", c.PacketFlits), "is %d", c.BufferFlits)
	}
	if c.Switching == router.StoreAndForward && c.VCAllocCycles > 0 {
		return bad("VCAllocCycles", "store-and-forward needs 0", "is %d", c.VCAllocCycles)
	}
	if c.SwitchAllocator > router.SeparableOutputFirst {
		return bad("SwitchAllocator", "give InputFirst, ISLIP, SeparableInputFirst or "+
			"SeparableOutputFirst", "is %d", c.SwitchAllocator)
	}
	if c.SwitchAllocator != router.InputFirst && c.InputSpeedup == 0 {
		return bad("SwitchAllocator", "all but InputFirst need an InputSpeedup of at least 1",
			"is %d, and InputSpeedup 0", c.SwitchAllocator)
	}
	if c.EjectionCreditCycles > 0 && c.LinksFail {
		return bad("EjectionCreditCycles", "give 0 where links fail", "is %d", c.EjectionCreditCycles)
	}
	if c.HeadersSpeculate && c.LinksFail { // heads then have a choice of links
		return bad("HeadersSpeculate", "leave it out where links fail", "is set")
	}
	if c.SourceQueues > QueuePerDestination {
		return bad("SourceQueues", "give OneQueue or QueuePerDestination", "is %d", c.SourceQueues)
	}
	if err := c.checkCongestion(); err != nil {
		return err
	}
	if c.Rail > RailByMessage {
		return bad("Rail", "give RailInTurn, RailByDestination, RailByPair or RailByMessage", "is %d",
			c.Rail)
	}
	if c.ResendCycles < 0 || c.ResendCycles > 1<<40 {
		return bad("ResendCycles", "it must be 0 to 1<<40", "is %d", c.ResendCycles)
	}
	if err := c.checkBandwidth(); err != nil {
		return err
	}
	if c.FlowsPerPair == 0 {
		c.FlowsPerPair = 1
	}
	if k := c.FlowsPerPair; k != FlowPerMessage && (k < 1 || k > maxFlows) {
		return bad("FlowsPerPair", fmt.Sprintf("it must be 1 to %d, or FlowPerMessage", maxFlows),
			"is %d", k)
	}
	if c.Engine == "" {
		c.Engine = "auto"
	}
	if !slices.Contains([]string{"auto", "cycle", "worm"}, c.Engine) {
		return bad("Engine", "there are auto, cycle and worm", "is %q", c.Engine)
	}
	return nil
}

// Resolved returns the configuration with its defaults filled in, or an error that names a wrong
// field.
func (c Config) Resolved() (Config, error) {
	err := c.resolve()
	return c, err
}
