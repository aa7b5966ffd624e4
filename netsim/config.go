package netsim

import (
	"fmt"
	"slices"

	"contend/netsim/topology"
	"contend/router"
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
	// VirtualChannels (V) a network channel has; 0 means 2 where a
	// dimension wraps and 1 elsewhere.
	VirtualChannels int
	// NodeVirtualChannels are those of an injection or ejection channel; 0 means as
	// many as a network channel has, which is the most there may be.
	NodeVirtualChannels int
	// RoutingCycles (R) a header spends at the head of a FIFO before it
	// may ask for a channel. At least 0.
	RoutingCycles int
	// LinkCycles (D) from sending a flit to its being at the other end. At
	// least 1.
	LinkCycles int
	// FlitCycles (F) between two flits on one physical channel. At least 1.
	FlitCycles int
	// CreditCycles (C) from a flit leaving a FIFO to the sender being able
	// to use its place. At least 1.
	CreditCycles int
	// InjectionPorts is how many packets a node may be injecting at once;
	// 0 means 1.
	InjectionPorts int
	// InjectionFlitCycles is the time a flit takes at the rate at which a
	// node can inject, where that is slower than its link: once a node has
	// begun a packet of L flits it begins no other for L times as long. The
	// packet itself travels at the rate of links. At least FlitCycles, in
	// steps of 1/65536; 0 means that links set the pace.
	InjectionFlitCycles float64
	// Switching says what a header waits for before it takes a channel; 0 means
	// wormhole switching.
	Switching router.Switching
	// Arbiter says which of several waiting headers gets a channel; 0 means the
	// one that came first.
	Arbiter router.Arbiter
	// VCSelect says which of several free virtual channels of a link a header
	// takes; 0 means the one with most credits.
	VCSelect router.VCSelect
	// InputSpeedup (S) is how many flits an input port of a router, a physical
	// channel that ends at it, sends at most every FlitCycles over all its virtual
	// channels; 0: one from each of them. With one virtual channel an input port
	// has nothing to share, and it has no effect. 0 to 64.
	InputSpeedup int
	// HeadersYield has an input port pass over a header while another of its virtual
	// channels has a flit that is no header for the same output; without effect where
	// InputSpeedup is 0.
	HeadersYield bool
	// Routing names the routing. On a Cube: "" or "auto" for dimension order,
	// with datelines where a dimension wraps; "dimension-order" without them;
	// "dateline"; "balanced-dateline", see router.Balanced. On a Tree up/down
	// routing, by which port up it takes:
	// "d-mod-k" (also "" and "auto"), "s-mod-k", "random", "adaptive"; see
	// router.UpPort.
	Routing string
	// Routes are the routings that Routing may name; nil means router.Builtin().
	// On a topology that has no default routing "auto" is refused.
	Routes []router.Maker
	// Route, if set, makes the routing; Routing and Routes are then not looked at.
	Route func(w *router.Wiring, seed uint64) (router.Routing, error)
	// RoutingSeed seeds what draws: the routings "random" and "balanced-dateline",
	// router.SelectRandom.
	RoutingSeed uint64
	// MessageFlits, if not 0, is the length every message will have: where
	// it suits, the worm engine then uses its closed form. Send panics at
	// another.
	MessageFlits int
	// MessageMultiple, if not 0, promises that the length of every message is
	// a multiple of it, to the same end. Send panics at others.
	MessageMultiple int
	// Engine names the engine: "" or "auto" for the worm engine where it is
	// exact and the cycle-driven one elsewhere, "cycle", "worm". The results
	// do not depend on it.
	Engine string

	// FlitByFlit keeps the worm engine from using its closed form, so that the two
	// can be compared.
	FlitByFlit bool
}

// Default returns the defaults: packets of 8 flits, FIFOs of 2, routing in 2
// cycles, everything else in 1, wormhole switching, an input speedup of 1, one
// virtual channel from and to a node.
func Default(t topology.Topology) Config {
	return Config{Topology: t, PacketFlits: 8, BufferFlits: 2, RoutingCycles: 2, LinkCycles: 1,
		FlitCycles:   1,
		CreditCycles: 1, InputSpeedup: 1, NodeVirtualChannels: 1}
}

// ProcSimity returns the setting that reproduces the absolute times of Lo,
// Windisch, Liu and Nitzberg (1994): single-flit buffers, a flit three cycles a
// hop ("1 network clock cycle to move, and two cycles to be routed", App. A),
// a header four more.
func ProcSimity(t topology.Topology) Config {
	c := Default(t)
	c.RoutingCycles, c.FlitCycles, c.BufferFlits = 4, 3, 1
	return c
}

// maxCycles bounds the timing parameters: the calendar is as long as their sum.
const maxCycles = 1 << 16

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
		key        string
		value, low int
		high       int
	}{
		{"packet_flits", c.PacketFlits, 1, 1 << 30},
		{"buffer_flits", c.BufferFlits, 1, 1<<15 - 1},
		{"virtual_channels", c.VirtualChannels, 1, 64},
		{"node_virtual_channels", c.NodeVirtualChannels, 1, c.VirtualChannels},
		{"routing_cycles", c.RoutingCycles, 0, maxCycles},
		{"link_cycles", c.LinkCycles, 1, maxCycles},
		{"flit_cycles", c.FlitCycles, 1, maxCycles},
		{"credit_cycles", c.CreditCycles, 1, maxCycles},
		{"injection_ports", c.InjectionPorts, 1, 64},
		{"input_speedup", c.InputSpeedup, 0, 64},
	} {
		if k.value < k.low || k.value > k.high {
			return fmt.Errorf("network.%s is %d: it must be %d to %d", k.key, k.value, k.low, k.high)
		}
	}
	if g := c.InjectionFlitCycles; g != 0 && !(g >= float64(c.FlitCycles) && g <= maxCycles) {
		return fmt.Errorf("network.injection_flit_cycles is %v: it must be 0, or at least "+
			"network.flit_cycles, %d, and at most %d", g, c.FlitCycles, maxCycles)
	}
	if c.Switching != router.Wormhole && c.BufferFlits < c.PacketFlits {
		return fmt.Errorf("network.buffer_flits is %d: virtual cut-through and store-and-forward need "+
			"room for a whole packet, %d flits", c.BufferFlits, c.PacketFlits)
	}
	if c.Engine == "" {
		c.Engine = "auto"
	}
	if !slices.Contains([]string{"auto", "cycle", "worm"}, c.Engine) {
		return fmt.Errorf("network.engine %q: there are auto, cycle and worm", c.Engine)
	}
	return nil
}

// resolveRouting finds the name of the routing, and the number of virtual channels
// that it needs.
func (c *Config) resolveRouting() error {
	if c.Route != nil {
		c.VirtualChannels = max(1, c.VirtualChannels)
		return nil
	}
	if c.Routes == nil {
		c.Routes = router.Builtin()
	}
	if c.Routing == "" || c.Routing == "auto" {
		t, ok := c.Topology.(topology.Routed)
		if !ok {
			return fmt.Errorf("the topology has no default routing: name one")
		}
		c.Routing = t.DefaultRouting(c.VirtualChannels)
	}
	if c.VirtualChannels == 0 {
		c.VirtualChannels = 1
		if m := c.maker(); m != nil && m.VirtualChannels != nil {
			c.VirtualChannels = m.VirtualChannels(c.Topology)
		}
	}
	return nil
}

// maker returns what makes the routing, nil where none of that name suits the
// topology.
func (c *Config) maker() *router.Maker {
	for i := range c.Routes {
		m := &c.Routes[i]
		if m.Name == c.Routing && (m.Suits == nil || m.Suits(c.Topology)) {
			return m
		}
	}
	return nil
}

// Resolved returns the configuration with its defaults filled in, or what is
// wrong with it.
func (c Config) Resolved() (Config, error) {
	err := c.resolve()
	return c, err
}

// Wire builds the channels of the network and its routing. The configuration
// has to be a resolved one.
func (c *Config) Wire() (*router.Wiring, router.Routing, error) {
	w := router.NewNodeWiring(c.Topology, c.VirtualChannels, c.NodeVirtualChannels,
		c.InjectionPorts)
	if c.Route != nil {
		x, err := c.Route(w, c.RoutingSeed)
		return w, x, err
	}
	m := c.maker()
	if m == nil {
		return nil, nil, c.noRouting()
	}
	x, err := m.New(w, c.RoutingSeed)
	return w, x, err
}

// noRouting says which routings there are on the topology.
func (c *Config) noRouting() error {
	family, names := "this topology", "auto"
	if t, ok := c.Topology.(topology.Routed); ok {
		family = t.Family()
	}
	var suit []string
	for _, m := range c.Routes {
		if m.Suits == nil || m.Suits(c.Topology) {
			suit = append(suit, m.Name)
		}
	}
	for i, name := range suit {
		if i == len(suit)-1 {
			names += " and " + name
		} else {
			names += ", " + name
		}
	}
	return fmt.Errorf("network.routing %q: on %s there are %s", c.Routing, family, names)
}

// CheckDeadlock returns an error that names a cycle of the channel dependency
// graph if the routing of c has one on its topology. It looks at every pair of
// nodes, so a caller that builds the same network often asks once.
func (c Config) CheckDeadlock() error {
	if err := c.resolve(); err != nil {
		return err
	}
	w, x, err := c.Wire()
	if err != nil {
		return err
	}
	return router.CheckDeadlock(w, x)
}

// ZeroLoadLatency returns the cycles from the creation of a packet of the
// given flits to its delivery in an empty network, hops network channels away.
// It is exact for every setting:
//
//	(H+2)·D + (H+1)·R + floor((L-1)/B)·max(B·F, D+C) + ((L-1) mod B)·F
//
// A FIFO of B flits lets B flits follow each other every F cycles and then, if
// that is later, has the sender wait for the first place to come back. A packet
// of store-and-forward switching pays for its length at every router.
func (c Config) ZeroLoadLatency(hops, flits int) Cycle {
	d, r, f := Cycle(c.LinkCycles), Cycle(c.RoutingCycles), Cycle(c.FlitCycles)
	h, rest, b := Cycle(hops), Cycle(flits-1), Cycle(c.BufferFlits)
	if c.Switching == router.StoreAndForward {
		return (h+2)*d + rest*f + (h+1)*max(r, rest*f)
	}
	return (h+2)*d + (h+1)*r + rest/b*max(b*f, d+Cycle(c.CreditCycles)) + rest%b*f
}
