package routes

import (
	"iter"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// balancedDateline is dimension-order routing with datelines that loads all channels of a dimension
// that wraps equally. It differs from DimensionOrder in two points, both as in BookSim 2 (Jiang et
// al. 2013). First, if both directions round a ring have the same length, one is drawn for each
// packet; DimensionOrder always goes up. Second, a packet keeps its class of virtual channels as
// long as it moves in a dimension: the lower half if it crosses the end of the dimension, otherwise
// the upper half. Paths are shortest, so packets that cross the end never use the channels opposite
// to it, and no cycle of channels remains. If the number of virtual channels is odd, both classes
// have the middle channel, except on links before the end, where one class has it: see share. In
// BookSim 2 both classes have it everywhere, and then channels depend on each other in a cycle.
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

// hasEvenRing reports whether some dimension has two directions of equal length: a ring of an even
// number of routers.
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

// Possible implements Routing: both directions where one is drawn.
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

// opposite reports whether both directions to a coordinate ahead in dimension d have the same
// length. This happens only at the router at which a packet begins to move in the dimension.
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

// Witnesses implements Witnessing. Unlike with DimensionOrder, the channel on which a packet leaves
// a line depends on where it entered the line, so the witnesses include turns of the farthest
// packets.
func (x *balancedDateline) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.Packets(x.near(true))
}

// twoDatelines is balancedDateline with a second dateline in the middle of a ring, so that more
// packets may have either class of virtual channels (Scott and Thorson, "Optimized routing in the
// Cray T3D", PCRCW 1994; dim_order_bal of BookSim 2, Jiang et al. 2013). A packet that crosses the
// end of a ring has the lower half of the virtual channels, and a packet that crosses the middle
// has the upper half; no shortest path crosses both. Any other packet draws its half; under
// balancedDateline it has the upper half. A packet keeps its half until it turns: Header.Phase.
//
// No packet uses the lower half on the link over the middle, or the upper half on the link over the
// end, so neither half has a cycle. If the number of virtual channels is odd, both halves have the
// middle channel between the middle of a ring and its end. Between the end and the middle that
// channel belongs to the half of the nearer dateline: there packets of different halves must not
// wait for each other, or a cycle could change halves twice. In BookSim 2 both halves have it
// everywhere.
type twoDatelines struct{ *balancedDateline }

// The values of Header.Phase: the half of a packet on the ring that it entered last.
const (
	lowerHalf = 1
	upperHalf = 2
)

// twoDatelinesMaker makes twoDatelines.
var twoDatelinesMaker = router.Maker{
	Name: "two-datelines",
	Doc: "balanced-dateline with a second dateline in the middle of a ring: packets that cross " +
		"neither draw their half of the virtual channels",
	Source:          "Scott and Thorson 1994",
	Draws:           true,
	DrawsOn:         topology.Wraps,
	Suits:           isKind[*topology.Cube],
	VirtualChannels: forDateline,
	Classes:         fewestHalves,
	New: func(w *router.Wiring, seed uint64) (router.Routing, error) {
		return newTwoDatelines(w, seed)
	},
}

// newTwoDatelines returns the routing over the channels of w, which must be those of a Cube, at
// least two a link. Draws depend on the seed.
func newTwoDatelines(w *router.Wiring, seed uint64) (*twoDatelines, error) {
	order, err := NewDimensionOrder(w, true)
	if err != nil {
		return nil, err
	}
	x := &twoDatelines{&balancedDateline{order, seed}}
	for r := range topology.Router(order.grid.Routers()) {
		for d := range x.dims {
			for up := range 2 {
				x.sharing[int(r)*x.ports+2*d+up] = x.shared(r, d, up)
			}
		}
	}
	return x, nil
}

// shared returns how the halves share the middle virtual channel, of an odd number, on the link
// that leaves router r up or down dimension d.
func (x *twoDatelines) shared(r topology.Router, d, up int) sharing {
	if x.wrap[d] == 0 {
		return overlap
	}
	fromEnd := int(x.place[int(r)*x.dims+d]) + 1 // links from that over the end to this one
	if up == 0 {
		fromEnd = int(x.wrap[d]) + 1 - fromEnd
	}
	toMiddle := x.middle(d, up) + 1 - fromEnd
	switch {
	case toMiddle <= 0:
		return overlap
	case fromEnd <= toMiddle:
		return middleLow
	default:
		return middleHigh
	}
}

// middle returns the number of links between the link over the end of dimension d and the link over
// its middle.
func (x *twoDatelines) middle(d, up int) int {
	if up == 1 {
		return int(x.wrap[d]-1) / 2
	}
	return int(x.wrap[d])/2 - 1
}

// Traits implements Described.
func (x *twoDatelines) Traits() router.Traits {
	t := x.DimensionOrder.Traits()
	t.Stateless = false
	return t
}

// Route implements Routing.
func (x *twoDatelines) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, v router.View) []router.Channel {
	d, ahead := x.away(r, h.Destination)
	if x.wrap[d] == 0 || ahead == 0 {
		return x.DimensionOrder.Route(dst, r, in, h, v)
	}
	up := x.upwards(d, ahead)
	if x.opposite(d, ahead) {
		up = int(router.Draw(x.seed, h.Packet, int64(r), 2))
	}
	if x.enters(r, d, h) {
		if h.Phase = x.half(d, up, h); h.Phase == 0 {
			h.Phase = lowerHalf + uint8(router.Draw(x.seed, h.Packet, ^int64(r), 2))
		}
	}
	return x.inHalf(dst, r, d, up, h.Phase)
}

// Possible implements Routing. If both directions have the same length, one crosses the end and the
// other the middle, so the half determines the direction.
func (x *twoDatelines) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	d, ahead := x.away(r, h.Destination)
	if x.wrap[d] == 0 || ahead == 0 {
		return x.DimensionOrder.Route(dst, r, in, h, nil)
	}
	up := x.upwards(d, ahead)
	if x.opposite(d, ahead) && x.half(d, up, h) != h.Phase {
		up = 1 - up
	}
	return x.inHalf(dst, r, d, up, h.Phase)
}

// Branches implements Branching: the halves that a packet may have.
func (x *twoDatelines) Branches(dst []router.Header, r topology.Router, _ router.Channel,
	h router.Header) []router.Header {
	d, ahead := x.away(r, h.Destination)
	if x.wrap[d] == 0 || ahead == 0 || !x.enters(r, d, &h) {
		return append(dst, h)
	}
	only := x.half(d, x.upwards(d, ahead), &h)
	for h.Phase = lowerHalf; h.Phase <= upperHalf; h.Phase++ {
		if only == 0 || only == h.Phase || x.opposite(d, ahead) {
			dst = append(dst, h)
		}
	}
	return dst
}

// SourceGroup implements Grouping: 1 if the packet enters the current dimension at router r, at the
// coordinate of its source. In later dimensions every packet still has the coordinates of its
// source.
func (x *twoDatelines) SourceGroup(r topology.Router, _ router.Channel, h *router.Header) int32 {
	if d, ahead := x.away(r, h.Destination); ahead != 0 && x.enters(r, d, h) {
		return 1
	}
	return 0
}

// enters reports whether a packet begins to move in dimension d at router r.
func (x *twoDatelines) enters(r topology.Router, d int, h *router.Header) bool {
	return x.place[int(r)*x.dims+d] == x.coordinate(h.Source, d)
}

// half returns the half of the virtual channels of a packet that goes up or down dimension d, 0 if
// it crosses neither dateline and may have either half.
func (x *twoDatelines) half(d, up int, h *router.Header) uint8 {
	from, to := x.coordinate(h.Source, d), x.coordinate(h.Destination, d)
	if up == 0 {
		from, to = to, from
	}
	switch middle := (x.wrap[d] - 1) / 2; {
	case from > to:
		return lowerHalf
	case from <= middle && middle < to:
		return upperHalf
	default:
		return 0
	}
}

// inHalf appends the VCs of a half that leave router r up or down dimension d.
func (x *twoDatelines) inHalf(dst []router.Channel, r topology.Router, d, up int,
	half uint8) []router.Channel {
	first, n := x.part(r, d, up, int(upperHalf-half), 0, x.virtual)
	return router.AppendRun(dst, first, n)
}

// Witnesses implements Witnessing. The half in which a packet leaves a link, or enters the next
// one, depends on the link alone, except for packets that cross a dateline, which are the farthest.
func (x *twoDatelines) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.Packets(x.near(true))
}
