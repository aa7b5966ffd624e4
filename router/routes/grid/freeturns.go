package grid

import (
	"contend/netsim/topology"
	"contend/router"
	"contend/router/routes/frame"
)

// freeTurns is what adaptive routings on a mesh have in common that need no escape channels:
// the turns that packets may take are few enough. Which links these leave is find's; between
// them the router chooses by what it sees.
type freeTurns struct {
	order   *DimensionOrder
	options frame.Selection
	// find lists the links that a packet may take in options; none at its destination.
	find func(r topology.Router, h *router.Header)
}

// Traits implements Described.
func (x *freeTurns) Traits() router.Traits {
	return router.Traits{Choices: x.order.anyWay(), Stateless: true}
}

// Route implements Routing.
func (x *freeTurns) Route(dst []router.Channel, r topology.Router, _ router.Channel,
	h *router.Header,
	v router.View) []router.Channel {
	if x.find(r, h); len(x.options) == 0 {
		return x.order.eject(dst, h.Destination)
	}
	x.options.Rank(v)
	return x.options.Offer(dst)
}

// Possible implements Routing.
func (x *freeTurns) Possible(dst []router.Channel, r topology.Router, _ router.Channel,
	h *router.Header) []router.Channel {
	if x.find(r, h); len(x.options) == 0 {
		return x.order.eject(dst, h.Destination)
	}
	return x.options.Offer(dst)
}

// isPlane reports whether a topology is a mesh of two dimensions.
func isPlane(t topology.Topology) bool {
	return isMesh(t) && len(t.(*topology.Cube).Dims()) == 2
}

func isMesh(t topology.Topology) bool { return frame.Is[*topology.Cube](t) && !topology.Wraps(t) }

// anyWay returns how many channels a header is offered that may take all virtual channels of
// one link in each dimension.
func (x *DimensionOrder) anyWay() int {
	return max(x.dims*int(x.virtual), int(x.ejects))
}

// ahead returns how much lower the coordinate of router r is in dimension d than that of the
// goal.
func (x *DimensionOrder) ahead(r, goal topology.Router, d int) int32 {
	return int32(x.place[int(goal)*x.dims+d]) - int32(x.place[int(r)*x.dims+d])
}

// eject appends the channels to a node.
func (x *DimensionOrder) eject(dst []router.Channel, to topology.Node) []router.Channel {
	return router.AppendRun(dst, x.wiring.Ejection(to), x.ejects)
}
