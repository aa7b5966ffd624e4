package router

import (
	"math/bits"
	"slices"

	"contend/router/topology"
)

// Header is the routing information in the head of a packet.
type Header struct {
	Source, Destination topology.Node
	// Packet identifies the packet, at least 0, for routings that draw. It depends only on the process
	// that sends, on its message and on the packet's place in the message: see Identity.
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
	// those of the packet that holds the channel, and those of waiting packets whose best offer is the
	// channel.
	Queued(c Channel) int32
}

// LinkView is a View that sums over channels of one link.
type LinkView interface {
	// QueueOf returns the flits that wait to be sent on n channels from first on, and those in the
	// buffers at their ends: the sums of Queued, and of the places of a buffer less Credits.
	QueueOf(first, n Channel) int32
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
	// Escape appends the channels of Possible that a packet can rely on: between these there must be
	// no cycle, and Route always offers at least one of them. It is called in the same way as
	// Possible.
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
	// that are offered could be. Without EscapesLast VCSelect may choose a channel of Escape among the
	// virtual channels of a link.
	EscapesLast bool
	// EscapeVCs, if positive, says that the channels of Escape are, wherever Route offers them, those
	// among the EscapeVCs lowest of a network link, those to nodes and those for escape paths. Route
	// lists the others before them, link by link, ascending.
	EscapeVCs int
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

// Grouping is a Routing that treats groups of sources alike. Two packets that arrive at router r by
// channel in, for the same destination, in the same Phase and with the same Via, are offered the
// same channels there and at every router after it if their sources have the same SourceGroup. A
// routing that does not depend on the source returns 0. The deadlock check follows one source of
// each group, and without this method every source.
type Grouping interface {
	SourceGroup(r topology.Router, in Channel, h *Header) int32
}

// Maker makes a routing by its name.
type Maker struct {
	// Name is the name of the routing, Doc its description, and Source its authors. If routings on
	// several networks share a name, the first one has Doc, Source and Display for all.
	Name, Doc, Source string
	// Display is the name that figures and tables print; "" stands for the words of Name.
	Display string
	// Draws says that the routing draws for each packet.
	Draws bool
	// DrawsOn reports whether it draws on a topology; nil: on all, if Draws is set.
	DrawsOn func(t topology.Topology) bool
	// Flows says that it draws for each flow: see Traits.
	Flows bool
	// Suits reports whether the routing works on a topology; nil: on any.
	Suits func(t topology.Topology) bool
	// VirtualChannels returns the minimum number of VCs of a network channel on a topology; nil: one.
	VirtualChannels func(t topology.Topology) int
	// Classes returns the number of classes into which the routing divides the VCs of a link, in the
	// dimension that has the fewest: a head may choose within a class. nil means one.
	Classes func(t topology.Topology) int
	// Alike says that the VCs beyond the minimum change nothing for the check for deadlock: each VC of
	// a network with the minimum stands for a class of VCs, which follow, and are followed by, the
	// same ones.
	Alike bool
	// New makes the routing for the channels of a machine that it suits, with the VCs that it needs.
	// Its draws depend on the seed.
	New func(w *Wiring, seed uint64) (Routing, error)
}

// view implements View for the routers. The order in which heads compute routes must not affect
// results, so grants and requests of this cycle do not count.
type view struct{ b *Routers }

// Free implements View.
func (v view) Free(c Channel) bool {
	k := &v.b.vcs[c]
	return k.freeAt <= v.b.now && (k.holder == none || k.since == v.b.now) && v.b.drained(c)
}

// Credits implements View.
func (v view) Credits(c Channel) int32 {
	return v.b.credits(c)
}

// Queued implements View.
func (v view) Queued(c Channel) int32 {
	b, n := v.b, int32(0)
	if b.byPacket != nil {
		n = b.packetsQueued(c)
	}
	if i := b.vcs[c].holder; i >= 0 {
		n = b.queuedAt(i)
	}
	for i := *b.waitingFor(c); i != none; i = b.vcs[i].next {
		if b.vcs[i].outputVC == int32(c) {
			n += b.queuedAt(i)
		}
	}
	return n
}

// waitingFor returns the address of the index of the first head in a list, none if the list is
// empty. The list has all heads that wait for VC c, and maybe heads that wait for others of its
// link.
func (b *Routers) waitingFor(c Channel) *int32 {
	switch l := b.w.link(c); {
	case b.queuePerVC:
		return &b.vcs[c].firstWaiting
	case b.vcSets != nil:
		return &b.requests[b.queueOfLink(l)].first
	default:
		return &b.requests[b.w.Leaves(l)].first
	}
}

// queuedAt returns the flits of the packet at the front of FIFO i in the FIFO or on the link to it,
// 0 if its head computes its route in this cycle.
func (b *Routers) queuedAt(i int32) int32 {
	if b.vcs[i].ready >= b.now {
		return 0
	}
	if b.byPacket != nil {
		return b.sentTo(Channel(i))
	}
	f := &b.buffers.fifos[i]
	count := f.queuedFlits
	if b.buffers.unitDelay {
		count = f.occupancy // no flit is on a link between cycles
	}
	return min(count, max(f.flitsLeft, -f.flitsLeft))
}

// markEscapes marks the escape channels among the VCs offered to the head at the front of FIFO c. h
// is the head before routing x computed its route.
func (b *Routers) markEscapes(x Routing, c Channel, offered []Channel, h *Header) {
	at, found, escaping := b.firstOffer(c), false, b.escaping
	if b.failing != nil {
		escaping = x.(Escaping)
	}
	b.scratch = escaping.Escape(b.scratch[:0], routerOf(&b.vcs[c]), c, h)
	clear(b.escapes[at : at+len(offered)])
	for _, e := range b.scratch {
		if k := slices.Index(offered, e); k >= 0 {
			b.escapes[at+k], found = true, true
		}
	}
	if !found {
		panic("router: routing offers no escape channel at " + b.w.Describe(c))
	}
}

// isEscape reports whether VC o, of number k among those offered to head i, is an escape channel.
func (b *Routers) isEscape(i Channel, k int, o Channel) bool {
	if b.escapeVCs == 0 {
		return b.escapes[b.firstOffer(i)+k]
	}
	l := b.w.link(o)
	return o-b.w.firstVC(l) < b.escapeVCs || b.w.kind[l] == Ejection || b.w.IsEscapePath(o)
}

// usable returns the VCs offered to head i that it may take now: escape channels, and others whose
// FIFO is known to be empty. When another becomes empty cycleEngine.serveEmptied schedules VC
// allocation. With Traits.EscapesLast, escape channels are left out while another VC is free.
func (b *Routers) usable(i Channel) []Channel {
	offered, list, others := b.offers(i), b.scratch[:0], false
	for k, o := range offered {
		others = others || !b.isEscape(i, k, o) && b.isEmpty(o) && b.isFree(o)
	}
	for k, o := range offered {
		escape := b.isEscape(i, k, o)
		if !escape && b.isEmpty(o) || escape && !(others && b.escapesLast) {
			list = append(list, o)
		}
	}
	b.scratch, b.usableTo = list, int32(i)
	return list
}

// drained reports whether the state of its FIFO allows a grant of VC o.
func (b *Routers) drained(o Channel) bool { return !b.timing.AtomicVCs || b.isEmpty(o) }

// isEmpty reports whether the sender of VC o knows its FIFO to be empty.
func (b *Routers) isEmpty(o Channel) bool { return b.credits(o) == b.timing.Buffer }

// LoadMatters reports whether the links that a packet takes may depend on the load of the network.
func LoadMatters(w *Wiring, x Routing) bool {
	t := TraitsOf(w, x)
	return !t.Oblivious || !t.OneLink
}

// IdleView is the View of a network on which nothing moves and all channels have the same state.
type IdleView struct {
	Room    int32 // credits of each channel; if 0 no channel is free
	Waiting int32 // flits queued for each channel
}

// Free implements View.
func (v IdleView) Free(Channel) bool { return v.Room > 0 }

// Credits implements View.
func (v IdleView) Credits(Channel) int32 { return v.Room }

// Queued implements View.
func (v IdleView) Queued(Channel) int32 { return v.Waiting }

// drawStep is the step between the arguments of scramble for consecutive numbers.
const drawStep = 0x9e3779b97f4a7c15

// Draw returns a number from 0 to n-1 for a packet at a place, such as a router or a dimension. The
// number is a hash (the finalizer of Steele, Lea and Flood's SplitMix64, OOPSLA 2014), not the next
// of a stream. So it does not depend on the order of calls in a cycle or on the engine, and a head
// that draws again gets the same number.
func Draw(seed uint64, packet, place int64, n int32) int32 {
	h := scramble(scramble(seed+uint64(packet)*drawStep) + uint64(place)*drawStep)
	k, _ := bits.Mul64(h, uint64(n))
	return int32(k)
}

// Identity returns the identity of part n of a whole, from 0: of a process of a job, or of the
// first packet of a message of a process. The other packets of the message have the next numbers.
// It is a hash, at least 0, so that two parts have the same identity by chance only.
func Identity(whole uint64, n int64) int64 {
	return int64(scramble(scramble(whole)+uint64(n)*drawStep) >> 2)
}

// DrawFlow returns a number from 0 to n-1 for the flow of a packet at a place, as Draw does: the
// same for all packets with one source, destination and flow.
func DrawFlow(seed uint64, h *Header, place int64, n int32) int32 {
	pair := int64(h.Source)<<32 | int64(uint32(h.Destination))
	return Draw(scramble(seed)+uint64(pair)*0xd1342543de82ef95, int64(h.Flow), place, n)
}

// scramble returns a hash of a number: the finalizer of SplitMix64.
func scramble(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// SolePath returns the links of a packet from one node to another, those from and to the nodes
// included. It reports false if routing x offers the packet a choice of links, or if a head may
// leave a router in several states.
func SolePath(w *Wiring, x Routing, from, to topology.Node) (links []Link, sole bool) {
	if _, branching := x.(Branching); branching {
		return nil, false
	}
	h, sole := Header{Source: from, Destination: to}, true
	links = followFirst(nil, w, from, func(list []Channel, r topology.Router, in Channel) []Channel {
		list = x.Possible(list, r, in, &h)
		for _, c := range list {
			if w.link(c) != w.link(list[0]) {
				sole = false
				return nil
			}
		}
		return list
	})
	return links, sole
}

// UncontendedPath appends the links of a packet that is alone on a network whose buffers have
// bufferFlits flits, those from and to the nodes included. All links are free, so it takes the
// first that routing x offers. h is the head at the source.
func UncontendedPath(dst []Link, w *Wiring, x Routing, h Header, bufferFlits int32) []Link {
	route := func(list []Channel, r topology.Router, in Channel) []Channel {
		return x.Route(list, r, in, &h, IdleView{Room: bufferFlits})
	}
	return followFirst(dst, w, h.Source, route)
}

// followFirst appends the links of a packet from a node that takes the first VC offered at each
// router. offer appends the offers; if there are none followFirst returns nil.
func followFirst(dst []Link, w *Wiring, from topology.Node, offer func(list []Channel,
	r topology.Router, in Channel) []Channel) []Link {
	at := w.Injection(from)
	dst = append(dst, w.link(at))
	var list []Channel
	for r := w.Enters(at); r != none; r = w.Enters(at) {
		if list = offer(list[:0], r, at); len(list) == 0 {
			return nil
		}
		at = list[0]
		dst = append(dst, w.link(at))
	}
	return dst
}
