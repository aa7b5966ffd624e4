package routes

import (
	"contend/router"
	"contend/router/topology"
)

// coursed is a routing under which it depends on routers alone whether a packet still has a way
// where links have failed, and not on the channel by which it came. A routing that embeds another
// one inherits this method, which returns the embedded routing in of. courseOf is nil if packets
// have one phase, 0, which leads home.
type coursed interface {
	courses() (of router.Routing, courseOf func(r topology.Router, h *router.Header) course)
}

// course is what a packet at a router has to go: in a phase to router to. If after is not none, this
// phase ends at router after, and the packet goes on from there to its destination, homeward.
type course struct {
	phase     uint8
	to, after topology.Router
}

// legs tells the ways that are left of a coursed routing by pairs of routers: a byte for each phase
// and pair, where a table of all arrivals has one for each channel and node.
type legs struct {
	x        *leftover
	courseOf func(r topology.Router, h *router.Header) course
	home     []topology.Router       // of each node
	first    []router.Channel        // of each router, a channel to it, from a node if it has one
	known    [provisional + 1][]ways // by phase, and by router and goal; nil before the first one
	routers  int
}

// maxLegRouters is the maximum number of routers of legs, whose tables have 64 MB each.
const maxLegRouters = 8192

// newLegs returns the ways left of a routing, nil if it is not coursed.
func newLegs(x *leftover) *legs {
	k, ok := x.now.(coursed)
	if !ok {
		return nil
	}
	of, courseOf := k.courses()
	n := x.w.Topology.Routers()
	if of != x.now || n > maxLegRouters {
		return nil
	}
	l := &legs{x: x, courseOf: courseOf, routers: n, first: make([]router.Channel, n)}
	for _, c := range x.w.Outs() {
		if c >= 0 && x.w.Enters(c) != none {
			l.first[x.w.Enters(c)] = c
		}
	}
	for i := range topology.Node(x.w.Nodes()) {
		r, _ := x.w.Attach(i)
		l.home, l.first[r] = append(l.home, r), x.w.Injection(i)
	}
	return l
}

// lead reports whether a packet at router r, to which it came by channel in, has a way.
func (k *legs) lead(r topology.Router, in router.Channel, h *router.Header) bool {
	home := k.home[h.Destination]
	if k.x.failed[k.x.w.LinkOf(k.x.w.Ejection(h.Destination))] {
		return false
	}
	c := course{to: home, after: none}
	if k.courseOf != nil {
		c = k.courseOf(r, h)
	}
	return r == c.to && c.after == none || k.leg(c.phase, r, c.to, in, h) &&
		(c.after == none || c.after == home || k.leg(homeward, c.after, home, k.first[c.after], h))
}

// leg reports whether packets in a phase come from router r to another one.
func (k *legs) leg(phase uint8, r, to topology.Router, in router.Channel, h *router.Header) bool {
	if k.known[phase] == nil {
		k.known[phase] = make([]ways, k.routers*k.routers)
	}
	found := &k.known[phase][int(r)*k.routers+int(to)]
	if *found == unknown {
		if *found = noWay; k.find(phase, r, to, in, h) {
			*found = someWay
		}
	}
	return *found != noWay
}

// find follows packets in a phase from router r, to which they came by channel in, to another one.
func (k *legs) find(phase uint8, r, to topology.Router, in router.Channel,
	like *router.Header) bool {
	x, heads := k.x, len(k.x.heads)
	h := router.Header{Source: like.Source, Destination: like.Destination, Phase: phase}
	if phase == outward {
		h.Via = to
	}
	if x.branch != nil {
		x.heads = x.branch.Branches(x.heads, r, in, h)
	} else {
		x.heads = append(x.heads, h)
	}
	found := false
	for i := heads; i < len(x.heads) && !found; i++ {
		found = k.leaves(phase, r, to, in, x.heads[i])
	}
	x.heads = x.heads[:heads]
	return found
}

// leaves reports whether a packet leaves router r by a channel from which it has a way: in phase
// outward to router to, else to its destination.
func (k *legs) leaves(phase uint8, r, to topology.Router, in router.Channel,
	h router.Header) (found bool) {
	x, first := k.x, len(k.x.list)
	x.list = x.reliable(x.list, r, in, &h)
	for i := first; i < len(x.list) && !found; i++ {
		c := x.list[i]
		next := x.w.Enters(c)
		switch {
		case x.failed[x.w.LinkOf(c)]:
		case next == none:
			found = true
		case phase != outward:
			found = k.lead(next, c, &h)
		default:
			at := k.courseOf(next, &h)
			found = at.phase != outward || k.leg(outward, next, to, c, &h)
		}
	}
	x.list = x.list[:first]
	return found
}
