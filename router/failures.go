package router

import (
	"cmp"
	"slices"

	"contend/router/topology"
)

// Links may fail, and be repaired, between two cycles: SetFailed. When a link fails, packets that
// hold a VC of the link or have flits on it are lost, and so are packets in a router whose outgoing
// links have all failed. A head that no link can bring to its destination any more is lost too.
//
// A lost packet continues to its destination by the routing over all links, or on its escape path,
// over failed links too, and is marked as lost on arrival. Switches, too, forward a corrupted
// packet, whose checksum is tested at the end. So flits, credits and VCs stay consistent. Other packets are granted no failed
// link. Each change computes the routes of waiting heads again.
//
// The cycle-driven and the packet engine support failures, with a routing that is a Leftover.

// Leftover is a Routing over the links that have not failed. A packet that the routing over all
// links can no longer bring to its destination takes an escape path, if one exists: see
// Wiring.EscapePaths. Other packets that cannot reach their destinations are lost.
//
// Channel dependencies lead from the channels of the routing to those of escape paths and never
// back. So no cycle contains both kinds. The dependencies of packets on the channels of the routing
// have no cycle, and neither have those of packets on escape paths between two calls of SetFailed
// with cleared set.
type Leftover interface {
	Routing
	// HasWay reports whether a packet that arrives by channel in could still come to its
	// destination.
	HasWay(in Channel, h *Header) bool
	// Whole returns the routing over all links.
	Whole() Routing
	// Lost returns the routing of lost packets: that over all links, or on an escape path on over
	// failed links.
	Lost() Routing
	// SetFailed sets which links have failed, by link. The caller owns the list and does not change it
	// before the next call. cleared says that no packet is on the channels of escape paths, which may
	// then change. SetFailed reports whether packets may now begin escape paths.
	SetFailed(failed []bool, cleared bool) (open bool)
	// Reach returns how a packet at a node could come to another one.
	Reach(from, to topology.Node) Reach
}

// Reach says how packets come from one node to another.
type Reach uint8

// The ways of packets.
const (
	Unreached    Reach = iota // not at all
	OnEscapePath              // by an escape path only
	ByRouting
)

// Rerouting is a Routing that offers other channels where links have failed.
type Rerouting interface {
	// Reroute returns the routing that it replaces, and a routing over the links that have not failed.
	// The channel dependencies of both together have no cycle. If one path is left to a packet, left
	// lists it in Possible. A routing that embeds another one inherits this method, which returns the
	// embedded routing in of: that tells callers that the outer one is not rerouted.
	Reroute(failed []bool) (of, left Routing)
}

// Loss is a lost packet.
type Loss struct {
	Offer          // offers the packet again
	Cycle    int64 // cycle in which it was lost
	Injected int64 // Packet.Injected
}

// failing is the state of links that may fail, nil if none may. Parts share the lists by packet and
// by link.
type failing struct {
	left   Leftover
	gone   Routing // left.Lost()
	failed []bool  // by link
	// changed says that links have changed since the last cycle: heads that wait compute their routes
	// again.
	changed   bool
	changedAt int64    // cycle of the last change of links
	lost      []bool   // by packet
	escape    []bool   // by packet: it has been on an escape path
	before    []Header // by packet: the header before its last route; empty if Stateless
	losses    []Loss   // that Losses has not returned
}

// newFailing returns the state for a routing, nil if it is no Leftover.
func newFailing(w *Wiring, x Routing) *failing {
	left, ok := x.(Leftover)
	if !ok {
		return nil
	}
	return &failing{left: left, gone: left.Lost(), failed: make([]bool, w.Links()), changedAt: -1}
}

// Whole returns the routing over all links of a Leftover, and any other routing itself.
func Whole(x Routing) Routing {
	if left, ok := x.(Leftover); ok {
		return left.Whole()
	}
	return x
}

// forPart returns the state for another part, with a routing of its own.
func (f *failing) forPart(x Routing) *failing {
	if f == nil {
		return nil
	}
	left := x.(Leftover)
	return &failing{left: left, gone: left.Lost(), failed: f.failed}
}

// routingOf returns the routing of packet p, with header h, at the front of FIFO c. A packet with
// no path left is lost.
func (b *Routers) routingOf(p int32, c Channel, h *Header) Routing {
	f := b.failing
	if !b.stateless {
		f.before[p] = *h
	}
	f.escape[p] = b.w.IsEscapePath(c)
	if !f.lost[p] && f.left.HasWay(c, h) {
		return f.left
	}
	b.lose(p)
	return f.gone
}

// lose marks packet p as lost.
func (b *Routers) lose(p int32) {
	f, k, n := b.failing, &b.packets[p], &b.notes[p]
	if f.lost[p] {
		return
	}
	b.requireNoneFrozen()
	f.lost[p] = true
	again := Offer{From: k.From, To: k.To, Flits: k.Length, Job: k.Job, Message: k.Message,
		User: n.user, Number: n.number, Identity: k.Identity, Created: k.Created, Again: true}
	if b.flows != nil {
		again.Flow = b.flows[p]
	}
	f.losses = append(f.losses, Loss{again, b.now, k.Injected})
}

// Losses appends the packets lost by now that it has not returned before, by their numbers. Advance
// returns in the cycle after one in which packets are lost.
func (b *Routers) Losses(dst []Loss) []Loss {
	n := len(dst)
	for _, p := range b.partsOf() {
		dst = append(dst, p.failing.losses...)
		p.failing.losses = p.failing.losses[:0]
	}
	slices.SortFunc(dst[n:], func(x, y Loss) int { return cmp.Compare(x.Number, y.Number) })
	return dst
}

// losesPackets reports whether there are losses to return.
func (b *Routers) losesPackets() bool {
	return slices.ContainsFunc(b.partsOf(),
		func(p *Routers) bool { return len(p.failing.losses) > 0 })
}

// Settled reports whether all packets in the network were injected after the last change of links.
// Until the next change none of these is lost, and none leaves the channels that the routing now
// offers from its source on. Packets from before may be anywhere, as lost ones that go on over all
// links.
func (b *Routers) Settled() bool {
	f := b.failing
	if f == nil {
		return true
	}
	unused := make([]bool, len(b.packets))
	for _, p := range b.freePacket {
		unused[p] = true
	}
	for p := range b.packets {
		if !unused[p] && b.packets[p].Injected <= f.changedAt {
			return false
		}
	}
	return !f.changed
}

// SetFailed lets links fail now, or repairs them, and reports whether packets may begin escape
// paths. The routing must be a Leftover, and no part of the network stands still.
func (b *Routers) SetFailed(links []Link, failed bool) (open bool) {
	b.requireNoneFrozen()
	b.failing.changedAt = b.now
	for _, l := range links {
		b.failing.failed[l] = failed
	}
	for _, p := range b.partsOf() {
		if p.divided != nil {
			p.engine.(*cycleEngine).receiveMail()
		}
	}
	cleared := b.escapePathsAreClear()
	for _, p := range b.partsOf() {
		open = p.failing.left.SetFailed(b.failing.failed, cleared)
	}
	if failed {
		for _, l := range links {
			b.loseOnLink(l)
		}
	}
	for _, p := range b.partsOf() {
		p.failing.changed = true
		p.calendar.slotOf(b.now)
	}
	return open
}

// escapePathsAreClear reports whether no packet is on the channels of escape paths.
func (b *Routers) escapePathsAreClear() bool {
	for l := range Link(b.w.Links()) {
		c := b.w.firstVC(l) + b.w.Width(l)
		if !b.w.IsEscapePath(c) {
			continue
		}
		if b.byPacket != nil && b.holdsPackets(l, c) || b.byPacket == nil &&
			(b.partOfLink(l, false).vcs[c].holder >= 0 ||
				b.partOfLink(l, true).buffers.fifos[c].lastPacket != none) {
			return false
		}
	}
	return true
}

// Reach returns how a packet at a node could come to another one: see Leftover.
func (b *Routers) Reach(from, to topology.Node) Reach { return b.failing.left.Reach(from, to) }

// loseOnLink loses the packets that hold a VC of a failing link, have flits on it, or are cut off
// by its failure.
func (b *Routers) loseOnLink(l Link) {
	first, r := b.w.firstVC(l), b.w.Leaves(l)
	for o := first; o < first+b.w.VCs(l); o++ {
		if r != none {
			part := b.partOfLink(l, false)
			if i := part.vcs[o].holder; i >= 0 {
				b.lose(part.vcs[i].packet)
			}
		}
		if b.w.kind[l] != Ejection {
			b.loseIn(o, false)
		}
	}
	if b.byPacket != nil && r != none {
		b.loseSent(l)
	}
	if b.w.kind[l] == Ejection {
		b.loseArriving()
	}
	if r != none && b.isCutOff(r) {
		for c := b.w.in[r]; c < b.w.in[r+1]; c++ {
			b.loseIn(c, true)
		}
	}
}

// partOfLink returns the part at the end of a link, or at its beginning.
func (b *Routers) partOfLink(l Link, end bool) *Routers {
	switch {
	case b.divided == nil:
		return b
	case end:
		return b.divided.list[b.divided.enters[l]]
	}
	return b.divided.list[b.divided.leaves[l]]
}

// loseIn loses the packets of FIFO c, all or those of which not all flits have arrived.
func (b *Routers) loseIn(c Channel, all bool) {
	if b.byPacket != nil {
		b.loseHops(c, all)
		return
	}
	part := b.partOfLink(b.w.link(c), true)
	f, p := &part.buffers.fifos[c], part.vcs[c].packet
	if f.lastPacket == none {
		return
	}
	for stored, flits := f.occupancy, max(f.flitsLeft, -f.flitsLeft); ; {
		if stored -= flits; all || stored < 0 {
			b.lose(p)
		}
		if p == f.lastPacket {
			return
		}
		p = b.notes[p].after
		flits = b.packets[p].Length
	}
}

// loseArriving loses the packets whose tails are on failed links to nodes.
func (b *Routers) loseArriving() {
	loseIfFailed := func(p int32) {
		if b.failing.failed[b.w.link(b.w.ejection[b.packets[p].To])] {
			b.lose(p)
		}
	}
	for _, part := range b.partsOf() {
		for _, s := range part.calendar.slots {
			for _, p := range s.tails {
				loseIfFailed(p)
			}
		}
		for _, e := range part.calendar.later {
			if e.kind == tailArrives {
				loseIfFailed(e.id)
			}
		}
	}
}

// isCutOff reports whether all links that leave a router have failed.
func (b *Routers) isCutOff(r topology.Router) bool {
	for _, c := range b.w.out[int(r)*b.w.ports : (int(r)+1)*b.w.ports] {
		if c >= 0 && !b.failing.failed[b.w.link(c)] {
			return false
		}
	}
	return true
}

// rerouteHeads computes again the routes of all heads that wait for a VC (RC), in the first cycle
// after a change of links.
func (b *Routers) rerouteHeads() {
	b.failing.changed = false
	for c := range b.vcs {
		v, c := &b.vcs[c], Channel(c)
		if v.state != waitingVC || b.failing.lost[v.packet] {
			continue
		}
		if !b.stateless {
			b.heads[v.packet] = b.failing.before[v.packet]
		}
		if b.vcSets != nil { // it may wait for another link now
			b.leaveRequests(c)
			b.setVCSet(v, c)
			b.enqueue(c)
			continue
		}
		// Heads on escape paths are listed, and have not entered.
		listed := b.openLinks != nil && b.wanted(c).listed
		if listed {
			b.leaveWaiting(c)
			b.wanted(c).listed = false
		}
		to := b.route(c, routerOf(v), v.packet)
		v.outputVC, b.offered[c] = int32(to[0]), int32(len(to))
		b.scheduleVA(b.queueOf(c), b.now)
		if listed {
			b.enterWaiting(c)
		}
	}
}

// leaveRequests takes head c, which waits, out of its queue.
func (b *Routers) leaveRequests(c Channel) {
	at := &b.requests[b.queueOf(c)].first
	for *at != int32(c) {
		at = &b.vcs[*at].next
	}
	*at = b.vcs[c].next
}
