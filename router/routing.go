package router

import "contend/router/topology"

// Header is the routing information in the head of a packet.
type Header struct {
	Source, Destination topology.Node
	// Packet identifies the packet, at least 0, for routings that draw. It depends on the process
	// that sends, on its message and on the packet in that, and on no other packet: see Identity.
	Packet int64
	// Phase and Via are state of the routing. Both are 0 at the source, travel with the packet, and
	// are read and written by the routing alone. Via is a router.
	Phase uint8
	Via   topology.Router
	// Flow is the number of the flow of its message among those of the two nodes, for routings
	// with the trait Flows; 0 for others.
	Flow int32
}

// View is the output side of the router at which a head computes its route, at the end of the cycle
// before. It covers the channels that leave this router, or for a routing with the trait SeesAll
// all channels, as the routers that they leave see them. It is valid during the call of Route that
// it is passed to.
type View interface {
	// Free reports whether no packet holds the channel.
	Free(c Channel) bool
	// Credits returns the router's credits of the channel. An ejection channel always has as many as
	// its buffer has places, unless nodes return credits.
	Credits(c Channel) int32
	// Queued returns the flits in this router's input buffers that wait to be sent on the channel:
	// those of the packet that holds it, and those of waiting packets to which it was offered first.
	Queued(c Channel) int32
}

// Routing computes the channels that a head may take next.
//
// Route is called once for each head and router, in the cycle in which the head requests a channel,
// and never for body flits. It may change h.Phase and h.Via. Possible is called for packets that
// could exist. It changes h as Route does, and does not depend on h.Packet, h.Flow and a View.
//
// Both append to dst and return it. in is the channel by which the head arrived at router r. At the
// router of the destination they append the ejection channels. Equal arguments must give equal
// results.
type Routing interface {
	// Route appends the channels that the head may take now, best first: at least one, each once.
	Route(dst []Channel, r topology.Router, in Channel, h *Header, v View) []Channel
	// Possible appends every channel that Route may ever offer to such a head.
	Possible(dst []Channel, r topology.Router, in Channel, h *Header) []Channel
}

// Escaping is a Routing with escape channels (Duato 1993). Any other channel is granted only while
// its buffer is known to be empty, so that a head in it is never behind another packet. See
// deadlock.CheckDeadlock.
type Escaping interface {
	// Escape appends the channels of Possible that a packet can rely on: between these there must
	// be no cycle, and Route always offers at least one of them. It is called as Possible is.
	Escape(dst []Channel, r topology.Router, in Channel, h *Header) []Channel
}

// Traits are the properties of a routing on which an engine may rely. The zero value promises
// nothing.
type Traits struct {
	// Choices is the maximum number of channels that Route ever offers; 0 means all channels that
	// leave a router.
	Choices int
	// OneLink says that Route offers virtual channels of one link only, in ascending order.
	OneLink bool
	// Oblivious says that Route does not use its View, which may then be nil. Only then are the worm
	// engine and the closed form exact.
	Oblivious bool
	// EscapesLast says that a channel of Escape is granted only while none of the others
	// that are offered could be. Otherwise it may be taken for the virtual channel that
	// VCSelect prefers on the same link.
	EscapesLast bool
	// SeesAll says that Route uses its View of channels that leave other routers. No router has such
	// knowledge in time, so this is for ideal routings that others are compared with.
	SeesAll bool
	// Stateless says that Route writes neither Phase nor Via. Headers need not be kept between
	// routers then.
	Stateless bool
	// Flows says that Route reads Header.Flow.
	Flows bool
}

// Described is a Routing that declares its traits.
type Described interface {
	Traits() Traits
}

// TraitsOf returns the traits of a routing over the channels of w, with Choices
// filled in.
func TraitsOf(w *Wiring, x Routing) Traits {
	var t Traits
	if d, ok := x.(Described); ok {
		t = d.Traits()
	}
	if t.Choices == 0 {
		t.Choices = w.maxOut()
	}
	return t
}

// Branching is a Routing for which one header may leave a router in several states: it draws Via
// for each packet, for instance, or chooses a Phase by its View. Branches appends the headers that
// Route may make of h at router r. Branches, Possible and Escape do not change a header that
// Branches has made at that router.
type Branching interface {
	Branches(dst []Header, r topology.Router, in Channel, h Header) []Header
}

// Grouping is a Routing that depends on less than the whole source. From the router r at which h
// arrived by channel in, and from every router after it, packets for h.Destination in the same
// Phase and with the same Via whose sources have the same SourceGroup there are offered the same
// channels. A routing that does not depend on the source returns 0. The deadlock check follows one
// source of each group, and without this method every source.
type Grouping interface {
	SourceGroup(r topology.Router, in Channel, h *Header) int32
}
