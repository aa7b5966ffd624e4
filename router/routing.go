package router

import "contend/router/topology"

// Header is what a header flit says of its packet.
type Header struct {
	Source, Destination topology.Node // where it comes from and goes to
	// Packet is a number of the packet's own, at least 0, for routings that draw. It depends on the
	// process that sends, on its message and on the packet in that, and on no other packet: see
	// Identity.
	Packet int64
	// Phase and Via are the routing's own state. Both are 0 at the source,
	// travel with the packet, and are read and written by the routing alone.
	Phase uint8
	// Via is a router that the routing has to remember.
	Via topology.Router
	// Flow is the number of the flow of its message among those of the two nodes, for routings
	// with the trait Flows; 0 for others.
	Flow int32
}

// View is the output side of the router at which a header asks, as it was at the
// end of the cycle before. It answers for the channels that leave this router, and
// only during the call of Route that it is passed to. For a routing with the trait
// SeesAll it answers for all channels, as the routers that they leave see them.
type View interface {
	// Free reports whether no packet holds the channel.
	Free(c Channel) bool
	// Credits returns how many flits the channel's buffer has room for, as far as
	// this router knows. An ejection channel always has room for all of its buffer.
	Credits(c Channel) int32
	// Queued returns how many flits stand at the heads of this router's input
	// buffers and wait to be sent on the channel: those of the packet that holds
	// it, and those of packets that wait and listed it first.
	Queued(c Channel) int32
}

// Routing decides where a header may go next.
//
// Route is called once for each header and router, in the cycle in which the header
// asks for a channel, and never for body flits. It may change h.Phase and h.Via.
// Possible answers questions about a packet that might be there. It changes h as Route
// does, and depends on none of h.Packet, h.Flow and a View.
//
// Both append to dst and return it. in is the channel by which the header
// came to router r. At the router of the destination they append the ejection
// channels. Equal questions must get equal answers.
type Routing interface {
	// Route appends the channels that the header may take now, best first. It
	// appends at least one, each once.
	Route(dst []Channel, r topology.Router, in Channel, h *Header, v View) []Channel
	// Possible appends every channel that Route may ever offer to such a header.
	Possible(dst []Channel, r topology.Router, in Channel, h *Header) []Channel
}

// Escaping is a Routing with escape channels (Duato 1993). Any other channel is granted only while
// its buffer is known to be empty, so that a header on it never stands behind another packet. See
// deadlock.CheckDeadlock.
type Escaping interface {
	// Escape appends the channels of Possible that a packet can rely on: between these there must
	// be no cycle, and Route always offers one of them at least. It is asked as Possible is.
	Escape(dst []Channel, r topology.Router, in Channel, h *Header) []Channel
}

// Traits are what an engine may take for granted of a routing. The zero value takes
// nothing for granted.
type Traits struct {
	// Choices is the largest number of channels that Route ever offers; 0 means
	// all channels that leave a router.
	Choices int
	// OneLink says that Route offers virtual channels of one link only, in ascending order.
	OneLink bool
	// Oblivious says that Route does not look at its View, which may then be nil.
	// Only then are the worm engines exact.
	Oblivious bool
	// EscapesLast says that a channel of Escape is granted only while none of the others
	// that are offered could be. Otherwise it may be taken for the virtual channel that
	// VCSelect prefers on the same link.
	EscapesLast bool
	// SeesAll says that Route asks its View about channels that leave other routers. No
	// router has such knowledge in time, so that this is for routings that others are held
	// against.
	SeesAll bool
	// Stateless says that Route writes neither Phase nor Via. Headers then need not
	// be kept between routers.
	Stateless bool
	// Flows says that Route looks at Header.Flow.
	Flows bool
}

// Described is a Routing that tells its traits.
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

// Branching is a Routing for which one header may leave a router in several states:
// it draws Via for each packet, for instance, or chooses a Phase by its View.
// Branches appends the headers that Route may make of h at router r. A header that
// Branches has made stays as it is when Branches, Possible or Escape is asked about
// it in the same place.
type Branching interface {
	Branches(dst []Header, r topology.Router, in Channel, h Header) []Header
}

// Grouping is a Routing that looks at less than the whole source. From the router r
// that h reached by channel in, and from every router after it, packets for
// h.Destination in the same Phase and with the same Via whose sources have the same
// SourceGroup there are offered the same channels. A routing that never looks at the
// source returns 0. The deadlock check then follows one source of each group. Of a
// routing without this method it follows every source.
type Grouping interface {
	SourceGroup(r topology.Router, in Channel, h *Header) int32
}
