package spec

import (
	"contend/allocation"
	"contend/patterns"
)

// BuiltinNames returns the name tables of the program: what allocation and
// patterns know by name, and what this package makes from names itself.
func BuiltinNames() Names {
	n := Names{
		"topologies": {
			{"mesh", "neighbours along each dimension are joined", ""},
			{"torus", "a mesh whose ends are joined in every dimension", ""},
			{"hypercube", "a mesh of twos; machine.dims is its number of dimensions", ""},
			{"tree", "a k-ary n-tree: machine.arity, levels, nodes, up_ports", "Petrini and Vanneschi 1997"},
		},
		"routings": {
			{"auto", "dimension-order, dateline where a dimension wraps, d-mod-k on a tree", ""},
			{"dimension-order", "x first, then y, and so on", "Dally and Seitz 1987"},
			{"dateline", "dimension order with a second virtual channel behind the wrap-around link", "Dally and Seitz 1987"},
			{"balanced-dateline", "dateline, but of two ways round that are as long one is drawn for each packet, and a packet keeps its half of the virtual channels until it turns", "Jiang et al. 2013"},
			{"d-mod-k", "tree: up by the digits of the destination, then down", "Zahavi 2010"},
			{"s-mod-k", "tree: up by the digits of the source, then down", ""},
			{"random", "tree: up by ports drawn for each packet and router, then down", ""},
			{"adaptive", "tree: up by any port that is free, that of d-mod-k first, then down", ""},
		},
		"schedulers": {
			{"fcfs", "first come, first served: a job that does not fit holds up all behind it", "lo1994 App. A"},
			{"easy", "aggressive backfilling: jobs go ahead where that does not delay the first of the queue, by what users estimate", "Mu'alem and Feitelson 2001"},
			{"conservative", "conservative backfilling: jobs go ahead where that delays none of those before them", "Mu'alem and Feitelson 2001"},
			{"sjf", "shortest estimate first: while that job does not fit, all wait", "pascual2009 sec. 3"},
			{"cplant", "fewest processors first, of equals the shortest estimate, looked at every scheduler.poll_seconds: while that job does not fit, all wait", "leung2002 sec. 3"},
		},
	}
	for _, a := range allocation.Names() {
		n["allocators"] = append(n["allocators"], Name{Name: a.Name, Doc: a.Doc})
	}
	for i, o := range allocation.NodeOrders() {
		if i >= len(allocation.Orders()) {
			o.Doc += "; of processors, not of the pages of paging"
		}
		n["orders"] = append(n["orders"], Name{Name: o.Name, Doc: o.Doc})
	}
	for _, p := range patterns.Names() {
		n["patterns"] = append(n["patterns"], Name{Name: p.Name, Doc: p.Doc})
	}
	return n
}
