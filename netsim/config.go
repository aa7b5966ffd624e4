package netsim

import (
	"cmp"
	"fmt"
	"reflect"

	"contend/internal/call"
	"contend/router"
	"contend/router/topology"
)

// Cycle is a point in time, counted in network clock cycles from 0.
type Cycle = int64

// Parameters are the numbers and choices of a network. Their tags state defaults and bounds, as
// call.FieldsOf reads them. The section [network] of a study has the same fields.
type Parameters struct {
	// PacketFlits (L) is the number of flits of a full packet; longer messages are cut.
	PacketFlits int `default:"8" min:"1" max:"65535"`
	// BufferFlits (B) is the depth of the FIFO of a virtual channel. At least PacketFlits unless
	// Switching is Wormhole.
	BufferFlits int `default:"2" min:"1" max:"32767"`
	// VirtualChannels (V) is the number of virtual channels of a network channel; 0 means as many as
	// the routing needs, such as 2 for datelines where a dimension wraps. With Route 0 means 1.
	VirtualChannels int `min:"0" max:"64"`
	// NodeVirtualChannels is the number of virtual channels of an injection or ejection channel; 0
	// means as many as a network channel has, which is the maximum.
	NodeVirtualChannels int `min:"0" max:"64"`
	// RoutingCycles (R) is the time that a head spends at the front of a FIFO before it requests a
	// channel.
	RoutingCycles int `default:"2" min:"0" max:"65535"`
	// VCAllocCycles (A) is the part of R between the grant of a virtual channel and when the head may
	// be sent: it requests one after R - A cycles. 0: both happen in one cycle, as in routers where
	// heads request the switch speculatively. Not with store-and-forward.
	VCAllocCycles int `min:"0" max:"65535"`
	// LinkCycles (D) is the time of a flit to the other end of a link.
	LinkCycles int `default:"1" min:"1" max:"65535"`
	// FlitCycles (F) is the time between two flits on one physical channel.
	FlitCycles int `default:"1" min:"1" max:"65535"`
	// CreditCycles (C) is the time from when a flit leaves a FIFO until the sender can use its place.
	CreditCycles int `default:"1" min:"1" max:"65535"`
	// NodeLinkCycles and NodeFlitCycles are D and F of the channels from and to nodes; 0 means
	// LinkCycles and FlitCycles. If the D of a link differs from LinkCycles its C differs from
	// CreditCycles by as much, and is at least 1.
	NodeLinkCycles int `min:"0" max:"65535"`
	NodeFlitCycles int `min:"0" max:"65535"`
	// NodeCreditCycles is C of the channels from and to nodes, with OwnLinks too; 0 means that it
	// follows from their D.
	NodeCreditCycles int `min:"0" max:"65535"`
	// EjectionCreditCycles, if not 0, gives nodes FIFOs of BufferFlits for each virtual channel of an
	// ejection channel, from which a flit is taken as it arrives, and is C of these channels. 0: nodes
	// always accept. It needs the cycle-driven engine, and not LinksFail.
	EjectionCreditCycles int `min:"0" max:"65535"`
	// ClassLinkCycles and ClassFlitCycles are D and F of each class of links between routers, in
	// the order of topology.Classed, 0 as above; empty means 0 for each. The delay that a
	// topology.Timed gives for a link, and the time that a topology.Paced gives, replace those of the
	// class.
	ClassLinkCycles []int `min:"0" max:"65535"`
	ClassFlitCycles []int `min:"0" max:"65535"`
	// InjectionPorts is the maximum number of packets that a node injects at once.
	InjectionPorts int `default:"1" min:"1" max:"64"`
	// SourceQueues says whether messages wait in one queue of their interface or in one for each
	// destination.
	SourceQueues SourceQueues
	// InjectionFlitCycles is the time of a flit at the rate of a node that is slower than its link:
	// once the node has begun a packet of L flits it begins no other for L times as long. The packet
	// itself travels at the rate of links. At least FlitCycles, in steps of 1/65536; 0 means that
	// links set the pace.
	InjectionFlitCycles float64 `min:"0" max:"65536"`
	// Rail is the rule by which a message takes a network interface of its node, on a
	// topology.Railed. InjectionPorts and the pace are those of an interface.
	Rail RailChoice
	// FlowsPerPair is the number of flows between two network interfaces, such as queue pairs,
	// which their messages take in turn: a routing with the trait router.Traits.Flows gives each
	// a path. FlowPerMessage (0) is one for each message. Without effect on other routings.
	FlowsPerPair int `default:"1" min:"0" max:"65536"`
	// InputSpeedup (S) is the maximum number of flits that an input port of a router, a physical
	// channel that ends at it, sends every FlitCycles over all its virtual channels, and with
	// PacketsHoldLinks the maximum number of packets that it sends at a time; 0: one from each of
	// them. Without effect with one virtual channel.
	InputSpeedup int `default:"1" min:"0" max:"64"`
	// Rules say how routers switch and allocate.
	router.Rules
	// Routing is the name of a routing of Routes that suits the topology; "" or "auto" means the
	// default of the topology: see topology.Routed.
	Routing string `default:"auto"`
	// ResendCycles is the time from when a packet is injected until its source, if the packet is
	// lost, sends it again. Without effect unless LinksFail.
	ResendCycles Cycle `default:"10000" min:"0" max:"1e12"`
	// Engine names the engine: "auto" for the fastest that is exact, "cycle", "packet", "worm". The
	// results do not depend on it.
	Engine string `choices:"auto,cycle,packet,worm"`
}

// fields has the defaults and bounds of Parameters.
var fields = call.FieldsOf(reflect.TypeFor[Parameters]())

// Config describes a network. Take Default and change what differs.
type Config struct {
	// Topology is the machine: nodes, routers and the links between them.
	Topology topology.Topology
	Parameters
	// OwnLinks, if set, returns D and F of each link, 0 as in Parameters, and replaces the other
	// sources.
	OwnLinks func(w *router.Wiring, l router.Link) (linkCycles, flitCycles int)
	// Congestion is the congestion control of the queues for destinations, which it needs: *DCQCN,
	// *IBCCA or *Throttle; nil means none.
	Congestion CongestionControl
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

	// LinksFail lets links fail and be repaired: see Network.Fail. It needs the cycle-driven or the
	// packet engine.
	LinksFail bool
	// SlowestBandwidth is the minimum share that Network.SetBandwidth may set; 0 and 1 mean that it is
	// not called. It needs the cycle-driven engine.
	SlowestBandwidth float64
	// CountsQueues says that the flits queued for destinations are needed: see PairState.
	CountsQueues bool
	// Drops allows Network.Drop. The worm engine, which decides ahead when packets leave their source
	// queues, is then not exact.
	Drops bool
	// Snapshots says that Snapshot is called. Auto then takes no packet engine, which has none, where
	// another engine has them: with one virtual channel.
	Snapshots bool
	// Threads is the number of threads that may step a network of the cycle-driven engine side by
	// side; 0 means 1. The results do not depend on it. Record, RecordWaits and Trace need one.
	Threads int
	// FlitByFlit keeps the worm engine from using its closed form, so that the two
	// can be compared.
	FlitByFlit bool
}

// Default returns a network on a topology with each of its Parameters at the default.
func Default(t topology.Topology) Config {
	return Config{Topology: t, Parameters: call.Defaults[Parameters](fields)}
}

// A ConfigError says which field of a Config is wrong.
type ConfigError = topology.ConfigError

// bad returns the error for a field: its problem, and what would be right.
func bad(field, right, problem string, args ...any) *ConfigError {
	return &ConfigError{Field: field, Problem: fmt.Sprintf(problem, args...), Right: right}
}

// MaxThreads is the maximum of Config.Threads.
const MaxThreads = 64

// resolve fills in the defaults, or returns an error for a field out of its bounds.
func (c *Config) resolve() error {
	if c.Topology == nil {
		return fmt.Errorf("netsim: no topology")
	}
	c.Engine = cmp.Or(c.Engine, "auto")
	if f, value := call.Outside(fields, &c.Parameters); f != nil {
		return bad(f.Name, "it must be "+f.Range(), "is %v", value)
	}
	if err := c.resolveRouting(); err != nil {
		return err
	}
	c.NodeVirtualChannels = cmp.Or(c.NodeVirtualChannels, c.VirtualChannels)
	for _, k := range []struct {
		field       string
		value, most int
	}{
		{"VirtualChannels", c.VirtualChannels, c.maxVCs()},
		{"NodeVirtualChannels", c.NodeVirtualChannels, c.VirtualChannels},
		{"VCAllocCycles", c.VCAllocCycles, c.RoutingCycles}, {"Threads", c.Threads, MaxThreads},
	} {
		if k.value < 0 || k.value > k.most {
			return bad(k.field, fmt.Sprintf("it must be at most %d", k.most), "is %d", k.value)
		}
	}
	if err := c.resolveLinks(); err != nil {
		return err
	}
	f := c.linkTiming(c.NodeLinkCycles, c.NodeFlitCycles).Flit
	if g := c.InjectionFlitCycles; g != 0 && g < float64(f) {
		return bad("InjectionFlitCycles", fmt.Sprintf("it must be 0, or at least %d, the flit time "+
			"of a link", f), "is %v", g)
	}
	if c.Switching != router.Wormhole && c.BufferFlits < c.PacketFlits {
		return bad("BufferFlits", fmt.Sprintf("virtual cut-through and store-and-forward need room "+
			"for a whole packet, %d flits", c.PacketFlits), "is %d", c.BufferFlits)
	}
	if c.Switching == router.StoreAndForward && c.VCAllocCycles > 0 {
		return bad("VCAllocCycles", "store-and-forward needs 0", "is %d", c.VCAllocCycles)
	}
	if c.SwitchAllocator != router.InputFirst && c.InputSpeedup == 0 {
		return bad("SwitchAllocator", "all but InputFirst need an InputSpeedup of at least 1",
			"is %d, and InputSpeedup 0", c.SwitchAllocator)
	}
	if c.PacketsHoldLinks && (c.Switching != router.VirtualCutThrough ||
		c.SwitchAllocator != router.InputFirst) {
		return bad("PacketsHoldLinks", "it needs virtual cut-through, and the switch allocator "+
			"input-first", "is set, with %s and %s", c.Switching.Names()[c.Switching],
			c.SwitchAllocator.Names()[c.SwitchAllocator])
	}
	if c.EjectionCreditCycles > 0 && c.LinksFail {
		return bad("EjectionCreditCycles", "give 0 where links fail", "is %d", c.EjectionCreditCycles)
	}
	if c.HeadersSpeculate && c.LinksFail { // heads then have a choice of links
		return bad("HeadersSpeculate", "leave it out where links fail", "is set")
	}
	if err := c.checkCongestion(); err != nil {
		return err
	}
	return c.checkBandwidth()
}

// maxVCs returns the maximum of VirtualChannels: where links fail each link has one more.
func (c *Config) maxVCs() int {
	if c.LinksFail {
		return 63
	}
	return 64
}

// Resolved returns the configuration with its defaults filled in, or an error that names a wrong
// field.
func (c Config) Resolved() (Config, error) {
	err := c.resolve()
	return c, err
}
