package router

import "contend/router/topology"

// SolePath returns the links of a packet from one node to another, those from and to the nodes
// included, where routing x leaves it no choice between links. It reports false where it does,
// and where a header may leave a router in several states.
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

// LonelyWay appends the links of a packet that is alone on an empty network whose buffers have
// so many flits, those from and to the nodes included. Of the links that routing x offers it
// takes the one that is listed first, since all are free. h is the header at the source.
func UncontendedPath(dst []Link, w *Wiring, x Routing, h Header, bufferFlits int32) []Link {
	return followFirst(dst, w, h.Source, func(list []Channel, r topology.Router, in Channel) []Channel {
		return x.Route(list, r, in, &h, IdleView{Room: bufferFlits})
	})
}

// firstWay appends the links of a packet from a node that takes the first channel offered at each
// router. Offer appends these; where there are none firstWay returns nil.
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
