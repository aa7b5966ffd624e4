package router

import "contend/router/topology"

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
