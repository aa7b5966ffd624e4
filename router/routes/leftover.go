package routes

import (
	"math"
	"slices"

	"contend/router"
	"contend/router/topology"
)

// leftover is a routing over the links that have not failed: of the channels that the routing over
// all links offers, those that lead a packet to its destination. A channel does if the routing may
// send the packet on from its end over such channels. A routing with escape channels must always
// offer one of these that does.
//
// If none of the channels offered does, the routing is called again with other draws; a flow stays
// on one path. Then all channels that it may offer are tried, of one link where it offers one link.
type leftover struct {
	w        *router.Wiring
	whole    router.Routing   // over all links
	now      router.Routing   // the same, or what it has become: see router.Rerouting
	branch   router.Branching // whole, if it is
	escaping router.Escaping  // whole, if it is
	grouping router.Grouping  // whole, if it is
	traits   router.Traits    // of whole
	failed   []bool           // by link; nil if none has failed
	known    map[arrival]bool // packets that have a way
	list     []router.Channel // scratch, a stack
	heads    []router.Header  // scratch, a stack
}

// arrival is a packet that arrives at a router, as far as its further way depends on it.
type arrival struct {
	by    router.Channel
	to    topology.Node
	group int32 // router.Grouping
	via   topology.Router
	phase uint8
}

// maxKnown is the maximum size of leftover.known: some 100 MB.
const maxKnown = 1 << 21

// maxDraws is how often a routing may draw for a packet at a router.
const maxDraws = 8

// The methods that a leftover has if the routing over all links has them.
type (
	leftBranches struct{ of *leftover }
	leftEscapes  struct{ of *leftover }
)

// NewLeftover returns a routing over the channels of w that have not failed, given the routing over
// all of them.
func NewLeftover(w *router.Wiring, x router.Routing) router.Leftover {
	k := &leftover{w: w, whole: x, now: x, known: map[arrival]bool{}}
	if d, ok := x.(router.Described); ok {
		k.traits = d.Traits()
	}
	k.branch, _ = x.(router.Branching)
	k.escaping, _ = x.(router.Escaping)
	k.grouping, _ = x.(router.Grouping)
	switch {
	case k.branch != nil && k.escaping != nil:
		return &struct {
			*leftover
			leftBranches
			leftEscapes
		}{k, leftBranches{k}, leftEscapes{k}}
	case k.branch != nil:
		return &struct {
			*leftover
			leftBranches
		}{k, leftBranches{k}}
	case k.escaping != nil:
		return &struct {
			*leftover
			leftEscapes
		}{k, leftEscapes{k}}
	}
	return k
}

// Whole implements Leftover.
func (x *leftover) Whole() router.Routing { return x.whole }

// SetFailed implements Leftover.
func (x *leftover) SetFailed(failed []bool) {
	clear(x.known)
	x.now, x.failed = x.whole, nil
	if !slices.Contains(failed, true) {
		return
	}
	x.failed = failed
	if k, ok := x.whole.(router.Rerouting); ok {
		if of, left := k.Reroute(failed); of == x.whole {
			x.now = left
		}
	}
}

// Traits implements Described. Route may offer all that Possible lists.
func (x *leftover) Traits() router.Traits {
	t := x.traits
	t.Choices, t.OneLink = 0, false
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
func (x leftBranches) Branches(dst []router.Header, r topology.Router, in router.Channel,
	h router.Header) []router.Header {
	return x.of.branch.Branches(dst, r, in, h)
}

// Reaches implements Leftover. A node any of whose injection links has failed sends nothing.
func (x *leftover) Reaches(from, to topology.Node) bool {
	if x.failed == nil {
		return true
	}
	h, first := router.Header{Source: from, Destination: to}, x.w.LinkOf(x.w.Injection(from))
	for l := first; l < first+router.Link(x.w.InjectionPorts); l++ {
		for c := x.w.First(l); c < x.w.First(l)+x.w.Width(l); c++ {
			if !x.leads(c, h) {
				return false
			}
		}
	}
	return true
}

// leads reports whether a packet could still come to its destination on channel c.
func (x *leftover) leads(c router.Channel, h router.Header) bool {
	return !x.failed[x.w.LinkOf(c)] && x.hasWay(c, h)
}

// hasWay reports whether a packet that arrives by channel c could still come to its destination.
func (x *leftover) hasWay(c router.Channel, h router.Header) (found bool) {
	r := x.w.Enters(c)
	if r == none {
		return true
	}
	at := arrival{c, h.Destination, x.SourceGroup(r, c, &h), h.Via, h.Phase}
	if found, ok := x.known[at]; ok {
		return found
	}
	if len(x.known) >= maxKnown {
		clear(x.known)
	}
	x.known[at] = false // it must not come back
	heads, list := len(x.heads), len(x.list)
	x.heads = x.branches(x.heads, r, c, h)
	for i := heads; i < len(x.heads) && !found; i++ {
		after := x.heads[i]
		x.list = x.reliable(x.list, r, c, &after)
		for k := list; k < len(x.list) && !found; k++ {
			found = x.leads(x.list[k], after)
		}
		x.list = x.list[:list]
	}
	x.heads = x.heads[:heads]
	x.known[at] = found
	return found
}

// branches appends the headers that a packet may have when it leaves router r.
func (x *leftover) branches(dst []router.Header, r topology.Router, in router.Channel,
	h router.Header) []router.Header {
	if x.branch == nil {
		return append(dst, h)
	}
	return x.branch.Branches(dst, r, in, h)
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

// HasWay implements Leftover.
func (x *leftover) HasWay(in router.Channel, h *router.Header) bool {
	return x.failed == nil || x.hasWay(in, *h)
}

// Route implements Routing.
func (x *leftover) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, v router.View) []router.Channel {
	if x.failed == nil || !x.hasWay(in, *h) {
		return x.whole.Route(dst, r, in, h, v)
	}
	before, first := *h, len(dst)
	for draw := range int64(maxDraws) {
		*h = before
		if draw > 0 {
			h.Packet = router.Identity(uint64(before.Packet), draw)
			h.Flow = int32(router.Identity(uint64(before.Flow), draw) & math.MaxInt32)
		}
		dst = x.now.Route(dst[:first], r, in, h, v)
		h.Packet, h.Flow = before.Packet, before.Flow
		if dst = x.keep(dst, first, r, in, before, *h); len(dst) > first {
			return dst
		}
	}
	heads := len(x.heads)
	x.heads = x.branches(x.heads, r, in, before)
	n := int32(len(x.heads) - heads)
	for i, k := int32(0), router.DrawFlow(0, &before, int64(r), n); i < n; i++ {
		*h = x.heads[heads+int((k+i)%n)]
		dst = x.now.Possible(dst[:first], r, in, h)
		if dst = x.keep(dst, first, r, in, before, *h); len(dst) > first {
			break
		}
	}
	x.heads = x.heads[:heads]
	if x.traits.OneLink {
		dst = x.oneLink(dst, first, r, &before)
	}
	return dst
}

// keep removes from list[first:], which is offered at router r to a packet that came by channel in,
// the channels that lead nowhere: all if no escape channel is left. The header of the packet was
// before and is after.
func (x *leftover) keep(list []router.Channel, first int, r topology.Router, in router.Channel,
	before, after router.Header) []router.Channel {
	n := first
	for _, c := range list[first:] {
		if x.leads(c, after) && !slices.Contains(list[first:n], c) {
			list[n] = c
			n++
		}
	}
	if x.escaping == nil {
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

// oneLink leaves one link in list[first:], which it draws for the flow of a packet.
func (x *leftover) oneLink(list []router.Channel, first int, r topology.Router,
	h *router.Header) []router.Channel {
	var links []router.Link
	for _, c := range list[first:] {
		if l := x.w.LinkOf(c); !slices.Contains(links, l) {
			links = append(links, l)
		}
	}
	l := links[router.DrawFlow(0, h, int64(r), int32(len(links)))]
	kept := slices.DeleteFunc(list[first:],
		func(c router.Channel) bool { return x.w.LinkOf(c) != l })
	slices.Sort(kept)
	return list[:first+len(kept)]
}

// Possible implements Routing. For a packet that has no way it lists the channels by which it goes
// on when it is lost.
func (x *leftover) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	if x.failed == nil {
		return x.whole.Possible(dst, r, in, h)
	}
	before, first := *h, len(dst)
	dst = x.now.Possible(dst, r, in, h)
	if dst = x.keep(dst, first, r, in, before, *h); len(dst) == first {
		*h = before
		dst = x.whole.Possible(dst, r, in, h)
	}
	return dst
}

// Escape implements Escaping.
func (x leftEscapes) Escape(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	k := x.of
	if k.failed == nil {
		return k.escaping.Escape(dst, r, in, h)
	}
	before, first := *h, len(dst)
	dst = k.escaping.Escape(dst, r, in, h)
	if dst = k.keep(dst, first, r, in, before, *h); len(dst) == first {
		*h = before
		dst = k.escaping.Escape(dst, r, in, h)
	}
	return dst
}
