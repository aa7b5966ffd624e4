package router

import "contend/netsim/topology"

// sole is a routing that offers every header one channel, which depends on nothing but the router,
// the channel by which the header came there and the packet: dimension order or up/down on a tree
// or a graph with one virtual channel, or dimension order with datelines in all dimensions and
// two. The channel is found as
// soon as a header arrives, without the lists that routings with a choice fill. The types
// are concrete because a call through an interface costs as much as the routing itself.
type sole struct {
	order  *DimensionOrder
	upDown *UpDown
	graph  *GraphUpDown
}

// soleOf returns routing x as a sole, if it is one that offers one channel only, and what
// dimension order knows of a mesh of two dimensions, or up/down routing of a tree.
func soleOf(x Routing) (sole, []meshRouter, *treeWays) {
	switch x := x.(type) {
	case *DimensionOrder:
		return sole{order: x}, x.mesh2D, nil
	case *UpDown:
		if x.ways.spots == nil {
			return sole{upDown: x}, nil, nil
		}
		return sole{upDown: x}, nil, &x.ways
	case *GraphUpDown:
		return sole{graph: x}, nil, nil
	}
	return sole{}, nil, nil
}

// known reports whether there is such a routing.
func (s *sole) known() bool { return s.order != nil || s.upDown != nil || s.graph != nil }

// channel returns the channel that packet k takes from router r, to which it came by channel in.
func (s *sole) channel(r topology.Router, in Channel, k *Packet) Channel {
	switch {
	case s.order != nil:
		return s.order.only(r, k.To)
	case s.upDown != nil:
		return s.upDown.only(r, k)
	}
	return s.graph.only(in, k.To)
}
