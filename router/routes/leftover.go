package routes

import (
	"math"
	"slices"

	"contend/router"
	"contend/router/topology"
)

// leftover is a routing over the links that have not failed. It offers those channels of the
// routing over all links that lead a packet to its destination. A channel leads there if the
// routing may send the packet on from the channel's end over channels that lead there. A routing
// with escape channels must always offer an escape channel that leads there.
//
// If none of the channels offered leads there, the routing is called again with other draws; a flow
// stays on one path. After maxDraws calls, all channels of Possible are tried, or those of one link
// if the routing offers one link.
//
// Where the routing has no way, the packet takes an escape path to its destination, if there is one.
// Where a routing with escape channels has none of these, the packet may first take its other
// channels to routers from which the routing has a way, while they are free. The escape path is the
// escape channel then.
type leftover struct {
	w        *router.Wiring
	whole    router.Routing   // over all links
	now      router.Routing   // whole, or the routing that replaces it: see router.Rerouting
	branch   router.Branching // whole, if it has these methods
	escaping router.Escaping  // whole, if it has these methods
	grouping router.Grouping  // whole, if it has these methods
	traits   router.Traits    // of whole
	failed   []bool           // by link; nil if none has failed
	rows     [][]ways         // what is known, by phase, node of destination and channel
	stored   int              // rows that are not nil
	others   map[arrival]ways // the same of packets that no row has
	list     []router.Channel // scratch, a stack
	heads    []router.Header  // scratch, a stack
	from     router.Header    // scratch of Reach
	legs     *legs            // nil unless now is coursed
	escape   escapePaths
}

// arrival is the part of a packet's state on which its further path depends when it arrives at a
// router.
type arrival struct {
	by    router.Channel
	group int32 // router.Grouping
	via   topology.Router
	to    topology.Node
	phase uint8
}

// ways says which of the channels that may be offered at an arrival lead to the destination.
type ways uint8

const (
	unknown ways = iota
	noWay
	someWay // one does; of the others nothing is known
	fewWays // one does, and another does not
	allWays
)

// The maximum sizes of leftover.rows, in bytes, and of leftover.others: some 100 MB.
const (
	maxRows   = 128 << 20
	maxOthers = 1 << 21
)

// maxDraws is the maximum number of draws for a packet at a router.
const maxDraws = 8

// NewLeftover returns a routing over the channels of w that have not failed, given the routing over
// all of them. It has the methods of all kinds of routings; test the kind of Whole instead.
func NewLeftover(w *router.Wiring, x router.Routing) router.Leftover {
	k := &leftover{w: w, whole: x, now: x,
		others: map[arrival]ways{}, escape: escapePaths{w: w}}
	if d, ok := x.(router.Described); ok {
		k.traits = d.Traits()
	}
	k.branch, _ = x.(router.Branching)
	k.escaping, _ = x.(router.Escaping)
	k.grouping, _ = x.(router.Grouping)
	return k
}

// Whole implements Leftover.
func (x *leftover) Whole() router.Routing { return x.whole }

// SetFailed implements Leftover.
func (x *leftover) SetFailed(failed []bool, cleared bool) (open bool) {
	clear(x.rows)
	x.stored = 0
	clear(x.others)
	x.now, x.failed, x.legs = x.whole, nil, nil
	if slices.Contains(failed, true) {
		x.failed = failed
		if k, ok := x.whole.(router.Rerouting); ok {
			if of, left := k.Reroute(failed); of == x.whole {
				x.now = left
			}
		}
		x.legs = newLegs(x)
	}
	return x.escape.change(x.failed, cleared)
}

// Traits implements Described. Route may offer all that Possible lists.
func (x *leftover) Traits() router.Traits {
	t := x.traits
	t.Choices = 0
	return t
}

// SourceGroup implements Grouping.
func (x *leftover) SourceGroup(r topology.Router, in router.Channel, h *router.Header) int32 {
	if x.grouping == nil {
		return int32(h.Source)
	}
	return x.grouping.SourceGroup(r, in, h)
}

// Branches implements Branching.
func (x *leftover) Branches(dst []router.Header, r topology.Router, in router.Channel,
	h router.Header) []router.Header {
	if x.branch == nil || x.escapes(r, in, &h) {
		return append(dst, h)
	}
	return x.branch.Branches(dst, r, in, h)
}

// Reach implements Leftover. A node any of whose injection links has failed sends nothing.
func (x *leftover) Reach(from, to topology.Node) router.Reach {
	found, first := router.ByRouting, x.w.LinkOf(x.w.Injection(from))
	for l := first; x.failed != nil && l < first+router.Link(x.w.InjectionPorts); l++ {
		for c := x.w.First(l); c < x.w.First(l)+x.w.Width(l); c++ {
			x.from = router.Header{Source: from, Destination: to}
			if x.failed[l] || !x.HasWay(c, &x.from) {
				return router.Unreached
			} else if !x.hasWay(c, &x.from) && !x.hasOthers(x.w.Enters(c), c, x.from) {
				found = router.OnEscapePath
			}
		}
	}
	return found
}

// leads reports whether the routing could bring a packet to its destination over channel c.
func (x *leftover) leads(c router.Channel, h *router.Header) bool {
	return !x.failed[x.w.LinkOf(c)] && (x.w.Enters(c) == none || x.hasWay(c, h))
}

// hasWay reports whether the routing has a way for a packet that arrives at a router by channel in.
func (x *leftover) hasWay(in router.Channel, h *router.Header) bool {
	if x.failed == nil {
		return true
	}
	if x.legs != nil {
		return x.legs.lead(x.w.Enters(in), in, h)
	}
	return x.waysOf(in, h) != noWay
}

// HasWay implements Leftover.
func (x *leftover) HasWay(in router.Channel, h *router.Header) bool {
	if x.w.IsEscapePath(in) || !x.hasWay(in, h) {
		return x.escape.leads(x.w.Enters(in), in, h.Destination)
	}
	return true
}

// escapes reports whether a packet at router r, to which it came by channel in, takes an escape path.
func (x *leftover) escapes(r topology.Router, in router.Channel, h *router.Header) bool {
	return x.w.IsEscapePath(in) || !x.hasWay(in, h) && x.escape.leads(r, in, h.Destination)
}

// waysOf returns what is known of a packet that arrives at a router by channel in, at least whether
// it has a way.
func (x *leftover) waysOf(in router.Channel, h *router.Header) ways {
	at := x.arrival(in, h)
	found := x.recall(at)
	if found == unknown {
		x.note(at, noWay) // it must not come back
		if found = noWay; x.find(x.w.Enters(in), in, *h) {
			found = someWay
		}
		x.note(at, found)
	}
	return found
}

// allLead reports whether all channels that may be offered to a packet that has a way lead to its
// destination. Only packets under way ask, so that who has a way is found along few channels.
func (x *leftover) allLead(in router.Channel, h *router.Header) bool {
	found := x.waysOf(in, h)
	if found == someWay {
		if found = fewWays; x.branch == nil && // with Branches the headers are many
			x.lead(true, x.now.Possible, x.w.Enters(in), in, *h) {
			found = allWays
		}
		x.note(x.arrival(in, h), found)
	}
	return found == allWays
}

// arrival returns the state of a packet that arrives at a router by channel in.
func (x *leftover) arrival(in router.Channel, h *router.Header) arrival {
	return arrival{in, x.SourceGroup(x.w.Enters(in), in, h), h.Via, h.Destination, h.Phase}
}

// recall returns the stored result for an arrival.
func (x *leftover) recall(at arrival) ways {
	if at.group != 0 || at.via != 0 {
		return x.others[at]
	}
	if row := x.rowOf(at); row < len(x.rows) && x.rows[row] != nil {
		return x.rows[row][at.by]
	}
	return unknown
}

// rowOf returns the index in rows of packets whose group and drawn router are 0.
func (x *leftover) rowOf(at arrival) int { return int(at.phase)*x.w.Nodes() + int(at.to) }

// note stores the result for an arrival.
func (x *leftover) note(at arrival, found ways) {
	if at.group != 0 || at.via != 0 {
		if len(x.others) >= maxOthers {
			clear(x.others)
		}
		x.others[at] = found
		return
	}
	row := x.rowOf(at)
	if row >= len(x.rows) {
		x.rows = append(x.rows, make([][]ways, (int(at.phase)+1)*x.w.Nodes()-len(x.rows))...)
	}
	if x.rows[row] == nil {
		if x.stored*x.w.Channels() > maxRows {
			clear(x.rows)
			x.stored = 0
		}
		x.rows[row] = make([]ways, x.w.Channels())
		x.stored++
	}
	x.rows[row][at.by] = found
}

// find follows a packet that arrives at router r, and reports whether it has a way.
func (x *leftover) find(r topology.Router, in router.Channel, h router.Header) bool {
	if x.branch == nil {
		return x.lead(false, x.reliable, r, in, h)
	}
	heads, list, after := len(x.heads), len(x.list), h
	x.list = x.now.Route(x.list, r, in, &after, router.IdleView{Room: 1 << 15})[:list]
	found := x.lead(false, x.reliable, r, in, after) // mostly, and the headers are many
	if !found {
		x.heads = x.branch.Branches(x.heads, r, in, h)
	}
	for i := heads; i < len(x.heads) && !found; i++ {
		found = x.lead(false, x.reliable, r, in, x.heads[i])
	}
	x.heads = x.heads[:heads]
	return found
}

// offer appends channels to a packet as the methods of routings do.
type offer = func(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel

// lead reports whether all, or some, of the channels of an offer lead a packet to its destination.
func (x *leftover) lead(all bool, list offer, r topology.Router, in router.Channel,
	h router.Header) bool {
	first := len(x.list)
	x.list = list(x.list, r, in, &h)
	lead := all && len(x.list) > first
	for k := first; k < len(x.list) && lead == all; k++ {
		lead = x.leads(x.list[k], &h)
	}
	x.list = x.list[:first]
	return lead
}

// reliable appends the channels of which a packet must always have one: those of Escape, or of
// Possible if the routing has no escape channels.
func (x *leftover) reliable(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	if x.escaping != nil {
		return x.escaping.Escape(dst, r, in, h)
	}
	return x.now.Possible(dst, r, in, h)
}

// Route implements Routing.
func (x *leftover) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, v router.View) []router.Channel {
	if x.failed == nil && !x.w.IsEscapePath(in) {
		return x.whole.Route(dst, r, in, h, v)
	}
	own := !x.w.IsEscapePath(in) && x.hasWay(in, h)
	switch {
	case !own && (x.w.IsEscapePath(in) || x.escape.leads(r, in, h.Destination)):
		return x.appendEscape(x.appendOthers(dst, r, in, h, v), r, in, h)
	case !own:
		return x.whole.Route(dst, r, in, h, v)
	case x.legs == nil && x.allLead(in, h):
		return x.now.Route(dst, r, in, h, v)
	}
	before, first := *h, len(dst)
	for draw := range int64(maxDraws) {
		if *h = before; draw > 0 {
			h.Packet = router.Identity(uint64(before.Packet), draw)
			h.Flow = int32(router.Identity(uint64(before.Flow), draw) & math.MaxInt32)
		}
		dst = x.now.Route(dst[:first], r, in, h, v)
		h.Packet, h.Flow = before.Packet, before.Flow
		if dst = x.keep(dst, first, r, in, before, *h); len(dst) > first {
			return dst
		}
	}
	heads, flow := len(x.heads), before
	if !x.traits.Flows {
		flow.Flow = 0
	}
	x.heads = x.Branches(x.heads, r, in, before)
	n := int32(len(x.heads) - heads)
	for i, k := int32(0), router.DrawFlow(0, &flow, int64(r), n); i < n && len(dst) == first; i++ {
		*h = x.heads[heads+int((k+i)%n)]
		dst = x.keep(x.now.Possible(dst, r, in, h), first, r, in, before, *h)
	}
	x.heads = x.heads[:heads]
	if x.traits.OneLink {
		l := x.w.LinkOf(dst[first+int(router.DrawFlow(0, &flow, int64(r), int32(len(dst)-first)))])
		others := func(c router.Channel) bool { return x.w.LinkOf(c) != l }
		dst = dst[:first+len(slices.DeleteFunc(dst[first:], others))]
	}
	return dst
}

// appendEscape appends the next channels of the escape path of a packet that takes one.
func (x *leftover) appendEscape(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return x.escape.appendNext(dst, r, in, h.Destination, !x.escape.leads(r, in, h.Destination))
}

// appendOthers appends the channels that a packet without a way on escape channels may take before
// its escape path: those that Route offers or, if none of them leads on, those of Possible, from
// a link drawn for the packet on.
func (x *leftover) appendOthers(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, v router.View) []router.Channel {
	if x.escaping == nil || x.w.IsEscapePath(in) {
		return dst
	}
	before, first := *h, len(dst)
	if dst = x.keepOthers(x.now.Route(dst, r, in, h, v), first, r, in, before, *h); len(dst) > first {
		return dst
	}
	*h = before
	dst = x.keepOthers(x.now.Possible(dst, r, in, h), first, r, in, before, *h)
	if n := len(dst) - first; n > 0 {
		at := first + int(router.Draw(0, before.Packet, int64(r), int32(n)))
		for at > first && x.w.LinkOf(dst[at]) == x.w.LinkOf(dst[at-1]) {
			at--
		}
		n := len(dst)
		dst = append(append(dst, dst[at:]...), dst[first:at]...)
		dst = dst[:first+copy(dst[first:], dst[n:])]
	}
	return dst
}

// hasOthers reports whether appendOthers appends channels.
func (x *leftover) hasOthers(r topology.Router, in router.Channel, h router.Header) bool {
	if x.escaping == nil {
		return false
	}
	before, first := h, len(x.list)
	x.list = x.now.Possible(x.list, r, in, &h)
	found := len(x.keepOthers(x.list, first, r, in, before, h)) > first
	x.list = x.list[:first]
	return found
}

// keepOthers removes from list[first:], which is offered to a packet without a way on escape
// channels, all of these and the channels that do not lead to routers from which it has one.
func (x *leftover) keepOthers(list []router.Channel, first int, r topology.Router,
	in router.Channel, before, after router.Header) []router.Channel {
	scratch := len(x.list)
	if x.branch != nil {
		before = after
	}
	x.list = x.escaping.Escape(x.list, r, in, &before)
	n := first
	for _, c := range list[first:] {
		if x.leads(c, &after) && !slices.Contains(x.list[scratch:], c) {
			list[n] = c
			n++
		}
	}
	x.list = x.list[:scratch]
	return list[:n]
}

// keep removes from list[first:], which is offered at router r to a packet that came by channel in,
// the channels that do not lead to the destination. It removes all if no escape channel is left.
// The header of the packet was before and is after.
func (x *leftover) keep(list []router.Channel, first int, r topology.Router, in router.Channel,
	before, after router.Header) []router.Channel {
	n, link, leads := first, router.Link(none), false
	for _, c := range list[first:] {
		if l := x.w.LinkOf(c); x.legs == nil || l != link {
			link, leads = l, x.leads(c, &after)
		}
		if leads && (x.legs != nil || !slices.Contains(list[first:n], c)) {
			list[n] = c
			n++
		}
	}
	if x.escaping == nil || x.legs != nil { // whose escape channels are those of the way
		return list[:n]
	}
	if x.branch != nil {
		before = after
	}
	scratch := len(x.list)
	x.list = x.escaping.Escape(x.list, r, in, &before)
	if !slices.ContainsFunc(list[first:n],
		func(c router.Channel) bool { return slices.Contains(x.list[scratch:], c) }) {
		n = first
	}
	x.list = x.list[:scratch]
	return list[:n]
}

// Possible implements Routing.
func (x *leftover) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	if x.escaping != nil && !x.w.IsEscapePath(in) && x.escapes(r, in, h) {
		before, first := *h, len(dst)
		dst = x.keepOthers(x.now.Possible(dst, r, in, h), first, r, in, before, *h)
		return x.appendEscape(dst, r, in, h)
	}
	return x.left(dst, r, in, h, x.now.Possible, x.whole.Possible)
}

// Escape implements Escaping: as Possible if the routing has no escape channels.
func (x *leftover) Escape(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	if x.escaping == nil {
		return x.Possible(dst, r, in, h)
	}
	if !x.w.IsEscapePath(in) && x.escapes(r, in, h) {
		dst = x.now.Possible(dst, r, in, h)[:len(dst)] // for the header, which Route leaves so
		return x.appendEscape(dst, r, in, h)
	}
	return x.left(dst, r, in, h, x.escaping.Escape, x.escaping.Escape)
}

// left appends those channels of now that lead to the destination. If the packet has no way it
// appends the channels of whole: the packet is lost.
func (x *leftover) left(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, now, whole offer) []router.Channel {
	if x.escapes(r, in, h) {
		return x.appendEscape(dst, r, in, h)
	}
	before, first := *h, len(dst)
	if x.failed != nil && x.hasWay(in, h) {
		dst = now(dst, r, in, h)
		dst = x.keep(dst, first, r, in, before, *h)
	}
	if len(dst) == first {
		*h = before
		dst = whole(dst, r, in, h)
	}
	return dst
}

// Lost implements Leftover.
func (x *leftover) Lost() router.Routing { return lost{x} }

// lost is the routing of lost packets.
type lost struct{ left *leftover }

// Route implements Routing.
func (x lost) Route(dst []router.Channel, r topology.Router, in router.Channel, h *router.Header,
	v router.View) []router.Channel {
	return x.offer(dst, r, in, h, func(dst []router.Channel, r topology.Router, in router.Channel,
		h *router.Header) []router.Channel {
		return x.left.whole.Route(dst, r, in, h, v)
	})
}

// Possible implements Routing.
func (x lost) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return x.offer(dst, r, in, h, x.left.whole.Possible)
}

// Escape implements Escaping: as Possible if the routing has no escape channels.
func (x lost) Escape(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	if x.left.escaping == nil {
		return x.Possible(dst, r, in, h)
	}
	return x.offer(dst, r, in, h, x.left.escaping.Escape)
}

// offer appends the next channels of an escape path, or those of whole.
func (x lost) offer(dst []router.Channel, r topology.Router, in router.Channel, h *router.Header,
	whole offer) []router.Channel {
	if x.left.w.IsEscapePath(in) {
		return x.left.escape.appendNext(dst, r, in, h.Destination, true)
	}
	return whole(dst, r, in, h)
}
