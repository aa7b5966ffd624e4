package router

import (
	"fmt"

	"contend/router/topology"
)

// Route computation (RC).

// routeHeads computes the routes of a list of heads, and hands their grants to the engine.
func (b *Routers) routeHeads(list int32) {
	if b.outputVC == nil || b.timing.Switching == StoreAndForward {
		b.computeEachRoute(list)
		return
	}
	b.requestOutputs(list)
	for _, o := range b.newGrants {
		b.engine.granted(o, Channel(b.vcs[o].holder))
	}
	b.newGrants = b.newGrants[:0]
}

// computeEachRoute computes the routes of a list of heads, one after the other.
func (b *Routers) computeEachRoute(c int32) {
	if b.vcSets != nil && b.timing.Switching != StoreAndForward {
		b.requestLinks(c)
		return
	}
	for c != none {
		next := b.vcs[c].next
		b.computeRoute(Channel(c))
		c = next
	}
}

// requestLinks computes the routes of a list of heads that have VCs of one link each, and enters
// them in the queues of these links.
func (b *Routers) requestLinks(c int32) {
	s := b.calendar.slotOf(b.now)
	if b.byPacket != nil {
		packetEngine{b, b.byPacket}.setVCSets(c)
	}
	for c != none {
		v := &b.vcs[c]
		next := v.next
		if b.byPacket == nil {
			b.setVCSet(v, Channel(c))
		}
		id := b.queueOfLink(b.w.link(Channel(v.outputVC)))
		q := &b.requests[id]
		b.enterQueue(q, id, Channel(c))
		if q.servedAt > b.now {
			q.servedAt = b.now
			s.vaQueues = append(s.vaQueues, id)
		}
		c = next
	}
}

// requestOutputs requests output VCs for a list of heads whose routes are known: see startRouting.
// Most heads meet no other packet and get their VCs at once; newGrants lists these VCs.
// BenchmarkUniform/16x16/flits=8/light/worm: 1.1 times as fast as computeEachRoute.
func (b *Routers) requestOutputs(c int32) {
	vcs, now, grants := b.vcs, b.now, b.newGrants
	for c != none {
		v := &vcs[uint32(c)]
		out := &vcs[uint32(v.outputVC)]
		next := v.next
		if out.holder&out.firstWaiting == none && out.freeAt <= now {
			out.since, out.holder, v.state = now, c, active
			grants = append(grants, Channel(v.outputVC))
		} else {
			b.newGrants = grants // handOver reads it
			b.requestVC(Channel(v.outputVC), Channel(c))
		}
		c = next
	}
	b.newGrants = grants
}

// computeRoute computes the route of the head at the front of FIFO c and enters the head in the
// queue in which it waits for VC allocation.
func (b *Routers) computeRoute(c Channel) {
	v := &b.vcs[c]
	if b.timing.Switching == StoreAndForward && !b.complete(c) {
		return
	}
	if b.outputVC != nil {
		b.requestVC(Channel(v.outputVC), c)
		return
	}
	if b.vcSets != nil {
		b.setVCSet(v, c)
		b.enqueue(c)
		return
	}
	to := b.route(c, routerOf(v), v.packet)
	if b.queuePerVC {
		b.requestVC(to[0], c)
		return
	}
	v.outputVC, b.offered[c] = int32(to[0]), int32(len(to))
	b.enqueue(c)
	if b.openLinks != nil {
		b.listWaiting(c, v.router)
	}
}

// complete reports whether the packet at the front of FIFO c has arrived completely. If it has not,
// packetComplete will compute its route.
func (b *Routers) complete(c Channel) bool {
	if f := &b.buffers.fifos[c]; f.occupancy < -f.flitsLeft { // nothing has been sent on
		b.vcs[c].state = arriving
		return false
	}
	return true
}

// setVCSet computes the VCs of one link that the head at the front of FIFO c may take.
func (b *Routers) setVCSet(v *vcState, c Channel) {
	if b.outputLinks != nil {
		b.setOutputLink(v, c)
		return
	}
	if b.outputRun == nil {
		to := b.route(c, routerOf(v), v.packet)
		v.outputVC = int32(to[0])
		b.keepVCSet(c, b.vcSetOf(to, b.w.link(to[0])))
		return
	}
	o, n := b.outputRun(routerOf(v), c, b.headOf(v.packet), b.view)
	v.outputVC = int32(o)
	b.keepVCSet(c, (1<<n-1)<<(o-b.firstVCOfLink(o)))
}

// vcSet returns the VCs that head c may take, of its only output link.
func (b *Routers) vcSet(c Channel) uint64 {
	if x := b.byPacket; x != nil {
		return uint64(x.vcs[c].set)
	}
	return b.vcSets[c]
}

// keepVCSet sets the VCs that head c may take.
func (b *Routers) keepVCSet(c Channel, set uint64) {
	if x := b.byPacket; x != nil {
		x.vcs[c].set = uint32(set)
	} else {
		b.vcSets[c] = set
	}
}

// vcSetOf returns the set of those VCs in list that belong to link l.
func (b *Routers) vcSetOf(list []Channel, l Link) (set uint64) {
	first := b.w.firstVC(l)
	for _, o := range list {
		if b.w.link(o) == l {
			set |= 1 << (o - first)
		}
	}
	return set
}

// route calls Route for packet p, whose head is at the front of FIFO c at router r, and returns the
// VCs offered.
func (b *Routers) route(c Channel, r topology.Router, p int32) []Channel {
	at, h := 0, b.headOf(p)
	if b.offered != nil {
		at = b.takePlace(c) * b.stride // they are kept
	}
	if !b.stateless && b.escaping != nil && b.escapeVCs == 0 {
		b.routedHead = *h
	}
	x := b.routing
	if b.failing != nil {
		x = b.routingOf(p, c, h)
	}
	to := x.Route(b.choices[at:at:at+b.stride], r, c, h, b.view)
	if n := len(to); n == 0 || n > b.stride {
		panic(fmt.Sprintf("router: routing offers %d channels at %s, not 1 to %d", n, b.w.Describe(c),
			b.stride))
	}
	if b.escaping != nil {
		b.usableTo = none
	}
	if b.escaping != nil && b.escapeVCs == 0 {
		if b.branching {
			b.routedHead = *h
		}
		b.markEscapes(x, c, to, &b.routedHead)
	}
	return to
}

// takePlace returns the place of head c in choices, which the head gets if it has none.
func (b *Routers) takePlace(c Channel) int {
	if !b.placed {
		return int(c)
	}
	v := &b.byPacket.vcs[c]
	if v.place == none {
		if len(b.freePlaces) == 0 {
			b.freePlaces = append(b.freePlaces, int32(len(b.choices)/b.stride))
			b.choices = append(b.choices, make([]Channel, b.stride)...)
			if b.escaping != nil && b.escapeVCs == 0 {
				b.escapes = append(b.escapes, make([]bool, b.stride)...)
			}
			if b.openLinks != nil {
				b.openLinks.wants = append(b.openLinks.wants, wantedLinks{})
			}
		}
		last := len(b.freePlaces) - 1
		v.place, b.freePlaces = b.freePlaces[last], b.freePlaces[:last]
	}
	return int(v.place)
}

// leavePlace returns the place of head i, which gets a VC.
func (b *Routers) leavePlace(i Channel) {
	if b.placed {
		v := &b.byPacket.vcs[i]
		b.freePlaces = append(b.freePlaces, v.place)
		v.place = none
	}
}

// firstOffer returns the index in choices of the VCs offered to head i.
func (b *Routers) firstOffer(i Channel) int {
	if b.placed {
		return int(b.byPacket.vcs[i].place) * b.stride
	}
	return int(i) * b.stride
}

// headOf returns the head of packet p.
func (b *Routers) headOf(p int32) *Header {
	if !b.stateless {
		return &b.heads[p]
	}
	k, h := &b.packets[p], &b.routedHead
	h.Source, h.Destination, h.Packet = k.From, k.To, k.Identity // the others stay 0
	if b.flows != nil {
		h.Flow = b.flows[p]
	}
	return h
}

// routerOf returns the router at which a VC ends.
func routerOf(v *vcState) topology.Router { return topology.Router(v.router) }

// startRouting puts packet p at the front of FIFO c and schedules its route computation, which
// starts in cycle h. If the routing offers one VC, it computes that VC now, while the packet is at
// hand.
func (b *Routers) startRouting(c Channel, p int32, h int64) {
	v := &b.vcs[c]
	v.packet, v.state, v.ready = p, routing, h+b.timing.Routing
	if b.outputVC != nil {
		b.setOutputVC(v, c, &b.packets[p])
	}
	b.scheduleHead(v, c)
}

// Tabled is a Routing whose output VCs engines compute directly, without a call of Route that fills
// a list.
type Tabled interface {
	// OutputTables returns the routing that the tables belong to, and the tables. A routing that
	// embeds another one inherits this method, which returns the embedded routing: engines then do not
	// use the tables.
	OutputTables() (Routing, *OutputTables)
}

// OutputTables compute the output VCs of a routing.
type OutputTables struct {
	// OutputVC returns the VC that Route offers packet k at router r, at which it arrived by VC in.
	// Engines call it only if Traits.Choices is 1.
	OutputVC func(r topology.Router, in Channel, k *Packet) Channel
	// OutputRun is Route for a routing that offers n VCs of one link from first on. It is nil if the
	// routing offers other sets of VCs.
	OutputRun func(r topology.Router, in Channel, h *Header, v View) (first, n Channel)
	// OutputLinks returns the first VCs of the links of which Route offers a packet for a node all
	// VCs: the first VC of each link, in turn from number from on, then the second of each, and so
	// on. Two lists of a router are equal, or share no link. It is nil if the routing offers other
	// sets of VCs.
	OutputLinks func(r topology.Router, to topology.Node) (links []Channel, from int)
	// Mesh has the routers of a mesh of two dimensions with a node on each; nil on other networks.
	// BenchmarkUniform/16x16/flits=8/light/worm: 1.4 times as fast as OutputVC.
	Mesh []MeshRouter
}

// outputTablesOf returns the tables of a routing, empty ones if it has none.
func outputTablesOf(x Routing) *OutputTables {
	if s, ok := x.(Tabled); ok {
		if of, tables := s.OutputTables(); of == x {
			return tables
		}
	}
	return &OutputTables{}
}

// outputVCOf returns the output VC of packet k at router r, at which it arrived by VC in.
func (b *Routers) outputVCOf(r topology.Router, in Channel, k *Packet) Channel {
	if b.mesh2D != nil {
		return b.mesh2D[r].Output(b.mesh2D[k.To].Here)
	}
	return b.outputVC(r, in, k)
}

// setOutputVC computes the output VC of packet k, at the front of FIFO c.
func (b *Routers) setOutputVC(v *vcState, c Channel, k *Packet) {
	v.outputVC = int32(b.outputVCOf(topology.Router(v.router), c, k))
}

// Place is the place of a router on a mesh of two dimensions: x·2^16 + y.
type Place int32

// MeshRouter is a router of a mesh of two dimensions.
type MeshRouter struct {
	Out   [4]Channel // first VCs down and up in x and y
	Eject Channel    // first VC to the node
	Here  Place
	_     [2]int32
}

// Output returns the output VC of a packet for a place by dimension order, without branches, which
// would be unpredictable. The difference of two places has the sign of the hop in x, or if they
// have the same x of the hop in y. column is 0 if they have the same x, and the VCs of y come two
// behind those of x.
func (k *MeshRouter) Output(goal Place) Channel {
	ahead, column := uint32(goal-k.Here), uint32((goal^k.Here)>>16)
	o, eject := k.Out[(1+(column-1)>>31<<1-ahead>>31)&3], k.Eject
	if ahead == 0 {
		o = eject
	}
	return o
}
