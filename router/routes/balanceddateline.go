package routes

import (
	"iter"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// balancedDateline is dimension-order routing with datelines that loads the channels of a
// dimension that wraps alike. Two things differ from DimensionOrder, and BookSim 2
// does both (Jiang et al. 2013). Of two directions round a ring that are as long one is drawn for
// each packet, where else all go upwards. And a packet keeps its class of virtual
// channels as long as it moves in a dimension: the lower half if it crosses the end
// of the dimension, else the upper half. Paths are shortest ones, so those that cross
// leave out the channels opposite to the end, and no cycle of channels remains. Both
// have the middle one of an odd number of virtual channels but before the end, where
// only one of them has it: see share. In BookSim 2 both have it everywhere, and then
// channels depend on each other in a cycle.
type balancedDateline struct {
	*DimensionOrder
	seed uint64
}

// balancedMaker makes balancedDateline.
var balancedMaker = router.Maker{
	Name: "balanced-dateline",
	Doc: "dateline, but of two ways round that are as long one is drawn for each packet, and a " +
		"packet keeps its half of the virtual channels until it turns; fitted to BookSim 2 in " +
		"the study booksim",
	Source:          "Jiang et al. 2013",
	Draws:           true,
	DrawsOn:         hasEvenRing,
	Suits:           isKind[*topology.Cube],
	VirtualChannels: forDateline,
	Classes:         fewestHalves,
	New: func(w *router.Wiring, seed uint64) (router.Routing, error) {
		return newBalancedDateline(w, seed)
	},
}

// hasEvenRing reports whether two directions round are as long in some dimension.
func hasEvenRing(t topology.Topology) bool {
	g, ok := t.(topology.Grid)
	for d := 0; ok && d < len(g.Dims()); d++ {
		if g.Wrap()[d] && g.Dims()[d]%2 == 0 {
			return true
		}
	}
	return false
}

// newBalancedDateline returns balanced dimension-order routing over the channels of w, which
// must be those of a Cube, at least two a link. The directions drawn depend on the seed.
func newBalancedDateline(w *router.Wiring, seed uint64) (*balancedDateline, error) {
	x, err := NewDimensionOrder(w, true)
	if err != nil {
		return nil, err
	}
	x.share(true)
	return &balancedDateline{x, seed}, nil
}

// Route implements Routing.
func (x *balancedDateline) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, v router.View) []router.Channel {
	d, ahead := x.away(r, h.Destination)
	if x.wrap[d] == 0 || ahead == 0 {
		return x.DimensionOrder.Route(dst, r, in, h, v)
	}
	up := x.upwards(d, ahead)
	if x.opposite(d, ahead) {
		up = int(router.Draw(x.seed, h.Packet, int64(r), 2))
	}
	return x.along(dst, r, h, d, up)
}

// Possible implements Routing: where the direction is drawn, both.
func (x *balancedDateline) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	d, ahead := x.away(r, h.Destination)
	if x.wrap[d] == 0 || ahead == 0 || !x.opposite(d, ahead) {
		return x.Route(dst, r, in, h, nil)
	}
	return x.along(x.along(dst, r, h, d, 0), r, h, d, 1)
}

// SourceGroup implements Grouping: 1 if the source is above the destination in the current
// dimension. In later dimensions the packet is still at the coordinates of its source.
func (x *balancedDateline) SourceGroup(r topology.Router, _ router.Channel,
	h *router.Header) int32 {
	d, ahead := x.away(r, h.Destination)
	if x.wrap[d] == 0 || ahead == 0 || x.coordinate(h.Source, d) < x.coordinate(h.Destination, d) {
		return 0
	}
	return 1
}

// opposite reports whether both directions to a coordinate ahead in dimension d are as long. This
// happens only at the router at which a packet begins to move in the dimension.
func (x *balancedDateline) opposite(d int, ahead int32) bool {
	return 2*max(ahead, -ahead) == int32(x.wrap[d])
}

// along appends the VCs of a packet's class that leave router r up or down dimension d.
func (x *balancedDateline) along(dst []router.Channel, r topology.Router, h *router.Header, d,
	up int) []router.Channel {
	crosses := 0
	if (up == 1) == (x.coordinate(h.Source, d) > x.coordinate(h.Destination, d)) {
		crosses = 1
	}
	first, n := x.part(r, d, up, crosses, 0, x.virtual)
	return router.AppendRun(dst, first, n)
}

// coordinate returns the coordinate of the router of a node in dimension d.
func (x *balancedDateline) coordinate(n topology.Node, d int) int16 {
	return x.place[int(x.grid.RouterOf(n))*x.dims+d]
}

// Witnesses implements Witnessing. Other than with DimensionOrder a packet leaves a line on
// a channel that depends on where it entered, so the farthest packets turn as well.
func (x *balancedDateline) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.Packets(x.near(true))
}
