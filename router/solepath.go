package router

import "contend/netsim/topology"

// SolePath returns the links of a packet from one node to another, those from and to the nodes
// included, where routing x leaves it no choice between links. It reports false where it does,
// and where a header may leave a router in several states.
func SolePath(w *Wiring, x Routing, from, to topology.Node) (links []Link, sole bool) {
	if _, branching := x.(Branching); branching {
		return nil, false
	}
	h, at := Header{Source: from, Destination: to}, w.Injection(from)
	links = append(links, w.link[at])
	var list []Channel
	for r := w.Enters(at); r != none; r = w.Enters(at) {
		list = x.Possible(list[:0], r, at, &h)
		at = list[0]
		for _, c := range list {
			if w.link[c] != w.link[at] {
				return nil, false
			}
		}
		links = append(links, w.link[at])
	}
	return links, true
}
