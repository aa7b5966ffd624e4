package routes

import (
	"contend/router"
	"contend/router/topology"
)

// escapePaths are the paths of packets that what is left of a routing cannot bring to their
// destinations: up/down paths over the links that have not failed, on a VC of each link that no
// routing uses. They exist between all nodes that are joined by cables with both directions left.
//
// They cannot deadlock. A packet on an escape path stays on these VCs until it is ejected, so they
// depend on each other and on ejection channels alone. While any packet is on them the order of
// routers is kept: all paths, those of lost packets over failed links included, go up and then down
// in one order, and so have no cycle. A failure or a repair that finds packets on escape paths closes
// them to others. They open again, in an order over the links that are then left, when they are
// clear, which happens because packets on them wait for nothing else.
type escapePaths struct {
	w      *router.Wiring
	left   *upDown // over the links that have not failed; nil before the first failure
	all    *upDown // in the same order over all links, for lost packets
	closed bool
}

// change sets which links have failed, nil for none, and reports whether the paths are open. cleared
// says that no packet is on them.
func (x *escapePaths) change(failed []bool, cleared bool) (open bool) {
	if x.closed = !cleared; cleared {
		x.all = newUpDown(x.w, router.Channel(x.w.VirtualChannels), failed)
	}
	x.left, x.all = x.all.over(failed), x.all.over(nil)
	return cleared
}

// leads reports whether a packet may take an escape path from router r, to which it came by channel
// in, to a node.
func (x *escapePaths) leads(r topology.Router, in router.Channel, to topology.Node) bool {
	if x.closed && !x.w.IsEscapePath(in) {
		return false
	}
	if failed := x.left.failed; failed != nil && failed[x.w.LinkOf(x.w.Ejection(to))] {
		return false
	}
	return r == x.left.home[to] || x.left.first(in, to) != none
}

// appendNext appends the next channels of a packet on an escape path: those to its node at the
// node's router. A lost packet may take failed links.
func (x *escapePaths) appendNext(dst []router.Channel, r topology.Router, in router.Channel,
	to topology.Node, lost bool) []router.Channel {
	if r == x.all.home[to] {
		return router.AppendRun(dst, x.w.Ejection(to), router.Channel(x.w.NodeVirtualChannels))
	} else if lost {
		return append(dst, x.all.first(in, to))
	}
	return append(dst, x.left.first(in, to))
}
