package routes

import (
	"contend/router"
	"contend/router/topology"
)

// freeTurns is the part of adaptive routings on a mesh that need no escape channels, since packets
// may take few enough turns.
type freeTurns struct {
	adaptiveRule
	order *DimensionOrder
}

// newFreeTurns returns the part for the channels of w, a mesh.
func newFreeTurns(w *router.Wiring) (x freeTurns, err error) {
	x.order, err = NewDimensionOrder(w, false)
	return x, err
}

// arrived appends the VCs to the node of a packet that is at its destination: see appendRest.
func (x *freeTurns) arrived(dst []router.Channel, _ topology.Router, _ router.Channel,
	h *router.Header) []router.Channel {
	if len(x.options) == 0 {
		return x.order.eject(dst, h.Destination)
	}
	return dst
}

// Traits implements Described.
func (x *freeTurns) Traits() router.Traits {
	return router.Traits{Choices: x.order.maxVCs(), Stateless: true}
}

// isPlane reports whether a topology is a mesh of two dimensions.
func isPlane(t topology.Topology) bool {
	return isMesh(t) && len(t.(*topology.Cube).Dims()) == 2
}

// isMesh reports whether a topology is a Cube without a dimension that wraps.
func isMesh(t topology.Topology) bool { return isKind[*topology.Cube](t) && !topology.Wraps(t) }

// maxVCs returns the number of channels offered to a head that may take all virtual channels of
// one link in each dimension.
func (x *DimensionOrder) maxVCs() int {
	return max(x.dims*int(x.virtual), int(x.ejection))
}

// ahead returns the coordinate of the goal in dimension d less that of router r.
func (x *DimensionOrder) ahead(r, goal topology.Router, d int) int32 {
	return int32(x.place[int(goal)*x.dims+d]) - int32(x.place[int(r)*x.dims+d])
}
