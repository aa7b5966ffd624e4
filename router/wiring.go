package router

import (
	"fmt"
	"math/bits"
	"slices"

	"contend/router/topology"
)

// Channel is the number of a virtual channel (VC). The VCs that end at one router are numbered
// together, in the order of its ports; VCs that end at nodes come last. The VCs of link l begin at
// l times a power of two, so some numbers have no VC.
type Channel int32

// Link is the number of a physical channel.
type Link int32

// Kind is the kind of a physical channel, by its ends.
type Kind uint8

// The three kinds of physical channel.
const (
	Injection Kind = iota // node to router
	Network               // router to router
	Ejection              // router to node
)

// End is one end of a physical channel.
type End struct {
	Router topology.Router // the router, or the router of the node
	Port   topology.Port   // of that router
	Node   topology.Node   // the node of an injection or ejection channel, otherwise -1
	Rail   int             // network interface of the node
}

// Wiring numbers the channels of a topology: one injection channel (or more)
// and one ejection channel a node, one network channel in each direction
// between neighbours.
//
// If nodes have several network interfaces (topology.Railed), each interface is a node in this
// package: interface k of node n has the number n + k·Nodes, in packets and heads too.
type Wiring struct {
	// Topology is the topology of the channels.
	Topology topology.Topology
	// VirtualChannels is the number of virtual channels of a network channel for routings,
	// NodeVirtualChannels that of an injection or ejection channel.
	VirtualChannels, NodeVirtualChannels int
	// EscapePaths says that a network channel has a VC more, the last, for the escape paths of a
	// Leftover. No routing uses it.
	EscapePaths bool
	// InjectionPorts is the number of injection channels of a node.
	InjectionPorts int

	kind      []Kind
	shift     uint8     // the first VC of link l is l << shift
	in        []Channel // in[r] is the first VC that ends at router r; one more at the end
	out       []Channel // out[r·ports+p] is the first VC that leaves router r by port p, or -1
	injection []Channel // by node: the first VC from it
	ejection  []Channel // by node: the first VC to it
	ports     int       // maximum number of ports of a router
	rails     int       // network interfaces of a node
	// place[l] is r·ports+p for the port p of router r at which link l ends or, if it leads to a
	// node, begins. other[l] is the node of a link from or to a node, otherwise the place where it
	// begins.
	place, other []int32
}

// NewWiring numbers the channels of t. Channels from and to nodes have one VC each.
func NewWiring(t topology.Topology, virtualChannels, injectionPorts int) *Wiring {
	return NewNodeWiring(t, virtualChannels, 1, injectionPorts)
}

// NewNodeWiring numbers the channels of t. Channels from and to nodes have ofNodes VCs each.
func NewNodeWiring(t topology.Topology, virtualChannels, ofNodes, injectionPorts int) *Wiring {
	return newWiring(t, virtualChannels, virtualChannels, ofNodes, injectionPorts)
}

// NewEscapeWiring numbers the channels of t, with a VC more in each network channel for escape
// paths.
func NewEscapeWiring(t topology.Topology, virtualChannels, ofNodes, injectionPorts int) *Wiring {
	return newWiring(t, virtualChannels, virtualChannels+1, ofNodes, injectionPorts)
}

// newWiring numbers the channels of t. Of the VCs of a network channel virtualChannels are for
// routings.
func newWiring(t topology.Topology, virtualChannels, all, ofNodes, injectionPorts int) *Wiring {
	w := &Wiring{Topology: t, VirtualChannels: virtualChannels, NodeVirtualChannels: ofNodes,
		InjectionPorts: injectionPorts, EscapePaths: all > virtualChannels,
		ports: t.Ports(), rails: topology.Rails(t),
		shift: uint8(bits.Len(uint(max(all, ofNodes) - 1)))}
	nodes, routers := w.Nodes(), t.Routers()
	w.injection = make([]Channel, nodes)
	w.ejection = make([]Channel, nodes)
	w.out = make([]Channel, routers*w.ports)
	at := make([]topology.Node, routers*w.ports)
	for i := range at {
		at[i], w.out[i] = -1, -1
	}
	for n := range topology.Node(nodes) {
		r, p := w.Attach(n)
		at[int(r)*w.ports+int(p)] = n
	}
	for r := range topology.Router(routers) {
		w.in = append(w.in, w.firstVC(Link(len(w.kind))))
		for p := range topology.Port(w.ports) {
			here := w.at(r, p)
			if n := at[int(r)*w.ports+int(p)]; n >= 0 {
				for i := range injectionPorts {
					c := w.add(Injection, here, int32(n))
					if i == 0 {
						w.injection[n] = c
					}
				}
				continue
			}
			if r2, p2, ok := t.Peer(r, p); ok {
				there := w.at(r2, p2)
				w.out[there] = w.add(Network, here, there)
			}
		}
	}
	w.in = append(w.in, w.firstVC(Link(len(w.kind))))
	for n := range topology.Node(nodes) {
		r, p := w.Attach(n)
		c := w.add(Ejection, w.at(r, p), int32(n))
		w.ejection[n], w.out[int(r)*w.ports+int(p)] = c, c
	}
	return w
}

// Nodes returns the number of network interfaces of all nodes.
func (w *Wiring) Nodes() int { return w.Topology.Nodes() * w.rails }

// Rails returns the number of network interfaces of a node.
func (w *Wiring) Rails() int { return w.rails }

// Attach returns the router and port to which a node is linked.
func (w *Wiring) Attach(n topology.Node) (topology.Router, topology.Port) {
	nodes := w.Topology.Nodes()
	return topology.AttachRail(w.Topology, n%topology.Node(nodes), int(n)/nodes)
}

// at returns the place of port p of router r: see Wiring.place.
func (w *Wiring) at(r topology.Router, p topology.Port) int32 {
	return int32(r)*int32(w.ports) + int32(p)
}

// add adds a link and returns its first channel.
func (w *Wiring) add(k Kind, place, other int32) Channel {
	c := w.firstVC(Link(len(w.kind)))
	w.kind = append(w.kind, k)
	w.place, w.other = append(w.place, place), append(w.other, other)
	return c
}

// Links returns the number of physical channels.
func (w *Wiring) Links() int { return len(w.kind) }

// Channels returns the number of channel numbers, including numbers without a VC.
func (w *Wiring) Channels() int { return len(w.kind) << (w.shift & 31) }

// Has reports whether number c has a VC.
func (w *Wiring) Has(c Channel) bool {
	return uint(c) < uint(w.Channels()) && c-w.firstVC(w.link(c)) < w.VCs(w.link(c))
}

// firstVC returns the first virtual channel of link l.
func (w *Wiring) firstVC(l Link) Channel { return Channel(l) << (w.shift & 31) }

// link returns the physical channel of c.
func (w *Wiring) link(c Channel) Link { return Link(c >> (w.shift & 31)) }

// Kind returns the kind of link l.
func (w *Wiring) Kind(l Link) Kind { return w.kind[l] }

// Ends returns the two ends of link l.
func (w *Wiring) Ends(l Link) (from, to End) {
	here, node := w.end(w.place[l]), w.end(w.place[l])
	nodes := w.Topology.Nodes()
	node.Node, node.Rail = topology.Node(int(w.other[l])%nodes), int(w.other[l])/nodes
	switch w.kind[l] {
	case Injection:
		return node, here
	case Ejection:
		return here, node
	}
	return w.end(w.other[l]), here
}

// end returns the end of a link at a router, given its place.
func (w *Wiring) end(at int32) End {
	ports := int32(w.ports)
	return End{Router: topology.Router(at / ports), Port: topology.Port(at % ports), Node: -1}
}

// Enters returns the router that channel c ends at, -1 for one that ends at a node.
func (w *Wiring) Enters(c Channel) topology.Router {
	l := w.link(c)
	if w.kind[l] == Ejection {
		return none
	}
	return topology.Router(w.place[l] / int32(w.ports))
}

// Leaves returns the router that link l leaves, -1 for one that comes from a node.
func (w *Wiring) Leaves(l Link) topology.Router {
	switch w.kind[l] {
	case Injection:
		return none
	case Ejection:
		return topology.Router(w.place[l] / int32(w.ports))
	}
	return topology.Router(w.other[l] / int32(w.ports))
}

// LinkOf returns the physical channel of c.
func (w *Wiring) LinkOf(c Channel) Link {
	if uint(c) >= uint(w.Channels()) {
		missing("LinkOf", "channel", int(c), w.Channels())
	}
	return w.link(c)
}

// First returns the first virtual channel of link l; the others follow it.
func (w *Wiring) First(l Link) Channel {
	if uint(l) >= uint(len(w.kind)) {
		missing("First", "link", int(l), len(w.kind))
	}
	return w.firstVC(l)
}

// Width returns the number of virtual channels of link l for routings.
func (w *Wiring) Width(l Link) Channel {
	if w.kind[l] == Network {
		return Channel(w.VirtualChannels)
	}
	return Channel(w.NodeVirtualChannels)
}

// VCs returns the number of virtual channels of link l, with that for escape paths.
func (w *Wiring) VCs(l Link) Channel {
	if w.EscapePaths && w.kind[l] == Network {
		return w.Width(l) + 1
	}
	return w.Width(l)
}

// IsEscapePath reports whether c is a VC for escape paths.
func (w *Wiring) IsEscapePath(c Channel) bool {
	return w.EscapePaths && c-w.firstVC(w.link(c)) == Channel(w.VirtualChannels) &&
		w.kind[w.link(c)] == Network
}

// Out returns the link that leaves router r by port p, or -1 and false if there is none.
func (w *Wiring) Out(r topology.Router, p topology.Port) (Link, bool) {
	if uint(r) >= uint(w.Topology.Routers()) {
		missing("Out", "router", int(r), w.Topology.Routers())
	}
	if uint(p) >= uint(w.ports) {
		return -1, false
	}
	c := w.out[int(r)*w.ports+int(p)]
	if c < 0 {
		return -1, false
	}
	return w.link(c), true
}

// Outs returns the first VC that leaves router r by port p, at r·Ports+p, or -1 if there is none.
// Do not change it.
func (w *Wiring) Outs() []Channel { return w.out }

// Ejection returns the first channel to node n.
func (w *Wiring) Ejection(n topology.Node) Channel { return w.ejection[n] }

// Injection returns the first channel from node n.
func (w *Wiring) Injection(n topology.Node) Channel { return w.injection[n] }

// AppendRun appends n channels from the first on: virtual channels of one link.
func AppendRun(dst []Channel, first, n Channel) []Channel {
	for c := first; c < first+n; c++ {
		dst = append(dst, c)
	}
	return dst
}

// missing panics: a caller has passed a channel, link or router that does not exist, such as the
// link that Out returned with false.
func missing(method, what string, n, of int) {
	panic(fmt.Sprintf("router: Wiring.%s was asked about %s %d, but there are %ss 0 to %d only",
		method, what, n, what, of-1))
}

// maxOut returns the maximum number of channels that leave a router.
func (w *Wiring) maxOut() int {
	most := 0
	for r := range w.Topology.Routers() {
		n := 0
		for _, c := range w.out[r*w.ports : (r+1)*w.ports] {
			if c >= 0 {
				n += int(w.Width(w.link(c)))
			}
		}
		most = max(most, n)
	}
	return most
}

// Describe returns the name of a channel for readers: its ends and its VC.
func (w *Wiring) Describe(c Channel) string {
	l := w.link(c)
	from, to := w.Ends(l)
	s := ""
	switch w.kind[l] {
	case Injection:
		s = fmt.Sprintf("node %d->router %d", from.Node, to.Router)
	case Ejection:
		s = fmt.Sprintf("router %d->node %d", from.Router, to.Node)
	default:
		s = fmt.Sprintf("router %s->%s", w.label(from.Router), w.label(to.Router))
	}
	if w.VCs(l) > 1 {
		s += fmt.Sprintf(" VC %d", c-w.firstVC(l))
	}
	return s
}

// label returns the name that the topology has for a router, or its number.
func (w *Wiring) label(r topology.Router) string {
	if t, ok := w.Topology.(topology.Labelled); ok {
		return t.Label(r)
	}
	return fmt.Sprint(r)
}

// LinkTiming has the delays of a link.
type LinkTiming struct {
	Delay  int32 // cycles of link traversal, at least 1
	Flit   int32 // cycles between two flits, at least 1
	Credit int32 // cycles from when a flit leaves the FIFO until the sender has the credit, at least 1
}

// on returns the delays of link l.
func (t *Timing) on(l Link) LinkTiming {
	if t.Links == nil {
		return LinkTiming{int32(t.Link), int32(t.Flit), int32(t.Credit)}
	}
	return t.Links[l]
}

// normalized returns the timing with Links only if links differ or may differ later. If they are
// equal, Link, Flit and Credit have the delays of all.
func (t Timing) normalized() Timing {
	if len(t.Links) == 0 {
		t.Links = nil
		return t
	}
	first := t.Links[0]
	t.Link, t.Flit, t.Credit = int64(first.Delay), int64(first.Flit), int64(first.Credit)
	for _, k := range t.Links {
		if k != first || t.SlowestFlit > 0 {
			return t
		}
	}
	t.Links = nil
	return t
}

// slowest returns the maximum of each delay over all links.
func (t *Timing) slowest() LinkTiming {
	slowest := LinkTiming{int32(t.Link), int32(max(t.Flit, t.SlowestFlit)), int32(t.Credit)}
	for _, k := range t.Links {
		slowest.Delay, slowest.Flit = max(slowest.Delay, k.Delay), max(slowest.Flit, k.Flit)
		slowest.Credit = max(slowest.Credit, k.Credit)
	}
	return slowest
}

// span returns the maximum number of cycles from when the first of n flits, one after the other, is
// sent until the last event that follows from them alone.
func (t *Timing) span(n int32) int64 {
	slowest := t.slowest()
	return t.Routing + t.Allocation + int64(slowest.Delay) + int64(n)*int64(slowest.Flit) +
		int64(slowest.Credit) + 2
}

// ofChannels returns the delays of the link of each VC, nil if all links are the same.
func (t *Timing) ofChannels(w *Wiring) []LinkTiming {
	if t.Links == nil {
		return nil
	}
	list := make([]LinkTiming, w.Channels())
	for c := range list {
		list[c] = t.Links[w.link(Channel(c))]
	}
	return list
}

// delay returns the cycles of link traversal of VC c.
func (b *Routers) delay(c Channel) int64 {
	if b.linkTimings == nil {
		return b.timing.Link
	}
	return int64(b.linkTimings[c].Delay)
}

// flitTime returns the cycles between two flits on the link of VC c.
func (b *Routers) flitTime(c Channel) int64 {
	if b.linkTimings == nil {
		return b.timing.Flit
	}
	return int64(b.linkTimings[c].Flit)
}

// credit returns the credit delay of VC c.
func (b *Routers) credit(c Channel) int64 {
	if b.linkTimings == nil {
		return b.timing.Credit
	}
	return int64(b.linkTimings[c].Credit)
}

// SetFlitTime sets the cycles between two flits on link l from now on, at most Timing.SlowestFlit.
// If packets hold links it does so behind the packet that the link sends now.
func (b *Routers) SetFlitTime(l Link, cycles int32) {
	if x := b.buffers; x.whole {
		if x.laterFlit[l] = 0; b.sendsPacket(l) {
			x.laterFlit[l] = cycles
			return
		}
	}
	b.setFlitTime(l, cycles)
}

// sendsPacket reports whether link l is busy with a packet, if packets hold links.
func (b *Routers) sendsPacket(l Link) bool {
	first := b.w.firstVC(l)
	if b.w.kind[l] == Injection {
		return slices.ContainsFunc(b.ports(b.node(first)), func(p injecting) bool {
			return p.packet != none && b.w.link(Channel(p.slot)) == l
		})
	}
	return b.buffers.linkFreeAt[l] > b.now
}

// setFlitTime sets the cycles between two flits on link l.
func (b *Routers) setFlitTime(l Link, cycles int32) {
	for c := b.w.firstVC(l); c < b.w.firstVC(l+1); c++ {
		b.linkTimings[c].Flit = cycles
	}
	if b.buffers.whole && b.w.kind[l] != Injection {
		b.partOfLink(l, false).engine.(*cycleEngine).reconnect(l)
	}
}
