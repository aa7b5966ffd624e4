package routes

import (
	"fmt"
	"iter"
	"slices"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// DimensionOrder routes on a Cube along the lowest dimension in which the packet's coordinate
// differs from its destination's: XY on a mesh of two dimensions. In a dimension that wraps the
// packet takes the shorter direction, and goes up if both have the same length.
//
// Without datelines every virtual channel of a link is a candidate, lowest first. That is free of
// deadlock on a mesh, and deadlocks on a torus of more than three routers a dimension (Dally and
// Seitz 1987).
type DimensionOrder struct {
	fixedRule
	outputs
	grid     *topology.Cube
	dims     int                 // number of dimensions
	place    []int16             // coordinates of router r from place[r·dims]
	mesh2D   []router.MeshRouter // of a mesh of two dimensions with a node on every router
	wrap     []int16             // length of a dimension that wraps, 0 of one that does not
	dateline bool                // VCs of dimensions that wrap fall into two classes
	sharing  []sharing           // of the link that leaves router r by port p, at r·ports+p
}

// sharing divides the virtual channels of a link between packets that have yet to cross the end of
// its dimension and all other packets.
type sharing uint8

// The sharings. Each kind of packets has half of the VCs. If the number is odd, the sharing decides
// who has the middle VC.
const (
	overlap    sharing = iota // both kinds have the middle VC
	middleHigh                // packets that need not cross have the middle VC
	middleLow                 // packets that have yet to cross have the middle VC
)

// dimensionOrderMaker makes DimensionOrder without datelines.
var dimensionOrderMaker = router.Maker{
	Name: "dimension-order", Display: "Dimension-order",
	Doc:    "x first, then y, and so on; on a hyperx one hop in each",
	Source: "Dally and Seitz 1987",
	Suits:  isKind[*topology.Cube],
	New: func(w *router.Wiring, _ uint64) (router.Routing, error) {
		return NewDimensionOrder(w, false)
	},
}

// datelineMaker makes DimensionOrder with datelines.
var datelineMaker = router.Maker{
	Name:            "dateline",
	Doc:             "dimension order with a second virtual channel behind the wrap-around link",
	Source:          "Dally and Seitz 1987",
	Suits:           isKind[*topology.Cube],
	VirtualChannels: forDateline,
	Classes:         fewestHalves,
	New: func(w *router.Wiring, _ uint64) (router.Routing, error) {
		return NewDimensionOrder(w, true)
	},
}

// NewDimensionOrder returns dimension-order routing over the channels of w, which must be those of
// a Cube. With dateline, the virtual channels of a dimension that wraps fall into two classes, so
// that no cycle of channels remains: a packet that has yet to cross from one end to the other uses
// the lower half, and any other packet the upper half (Dally and Seitz 1987, sec. IV). Datelines
// need at least two virtual channels. If their number is odd, both classes have the middle channel,
// except on links on which the classes must be kept apart: see share.
func NewDimensionOrder(w *router.Wiring, dateline bool) (*DimensionOrder, error) {
	t := w.Topology.(*topology.Cube)
	x := &DimensionOrder{outputs: newOutputs(w), grid: t, dims: len(t.Dims()), dateline: dateline}
	x.nextRange = func(r topology.Router, _ router.Channel, h *router.Header) (_, _ router.Channel) {
		return x.next(r, h.Destination)
	}
	x.place = make([]int16, t.Routers()*x.dims)
	x.wrap = make([]int16, x.dims)
	for d, n := range t.Dims() {
		if t.Wrap()[d] {
			x.wrap[d] = int16(n)
		}
		if n > 1<<15 {
			return nil, fmt.Errorf("dimension-order routing: dimension %d has %d routers, at most %d are "+
				"possible", d, n, 1<<15)
		}
		for r := range t.Routers() {
			x.place[r*x.dims+d] = int16(t.Coordinate(topology.Router(r), d))
		}
	}
	if dateline {
		x.share(false)
	}
	x.maxChoices = x.choices()
	if len(t.Dims()) == 2 && t.OneNodePerRouter() && !t.Wrap()[0] && !t.Wrap()[1] {
		for r := range topology.Router(t.Routers()) {
			here := router.MeshRouter{Eject: w.Ejection(topology.Node(r)),
				Here: router.Place(t.Coordinate(r, 0)<<16 | t.Coordinate(r, 1))}
			copy(here.Out[:], x.firstVC[int(r)*x.ports:])
			x.mesh2D = append(x.mesh2D, here)
		}
	}
	return x, nil
}

// share sets how packets share the links of dimensions that wrap. A shortest path that crosses the
// end begins at most half a ring before it. So both kinds of packets meet only on the links of that
// half ring. On these links the middle one of an odd number of virtual channels belongs to the kind
// with more paths over the link, counting one path for each pair of routers.
//
// All other links may be shared in any manner. The proof orders the channels: first those before
// the end for packets that cross, up to the link over the end, and then, link after link from
// there, the channels for all other packets. Every packet ascends in this order, because no packet
// that has crossed the end returns to it.
//
// With bothDirections packets go in either direction if both have the same length, otherwise up.
func (x *DimensionOrder) share(bothDirections bool) {
	x.sharing = make([]sharing, len(x.firstVC))
	for d, n := range x.wrap {
		for r := 0; n > 0 && r < x.grid.Routers(); r++ {
			for up := range 2 {
				at, longest := int(x.place[r*x.dims+d]), int(n/2)
				if up == 0 {
					at = int(n) - 1 - at
					if !bothDirections {
						longest = int(n-1) / 2
					}
				}
				link, before := r*x.ports+2*d+up, at-int(n)+longest
				switch {
				case before < 0 || at == int(n)-1:
				case (before+1)*(before+2) > longest*(longest+1)/2:
					x.sharing[link] = middleLow
				default:
					x.sharing[link] = middleHigh
				}
			}
		}
	}
}

// choices returns the maximum number of channels that a head is offered. In a dimension with
// datelines these are the channels of one class; a dimension of one router offers none.
func (x *DimensionOrder) choices() router.Channel {
	choices := x.ejection
	for d, n := range x.wrap {
		switch {
		case x.dateline && n > 0:
			choices = max(choices, x.virtual-x.virtual/2)
		case x.grid.Dims()[d] > 1:
			choices = max(choices, x.virtual)
		}
	}
	return choices
}

// courses implements coursed.
func (x *DimensionOrder) courses() (router.Routing,
	func(topology.Router, *router.Header) course) {
	return x, nil
}

// next returns the VCs that a packet for a node may take from router r: n from first on.
func (x *DimensionOrder) next(r topology.Router, to topology.Node) (first, n router.Channel) {
	if x.mesh2D != nil {
		here := &x.mesh2D[r]
		if first = here.Output(x.mesh2D[to].Here); first == here.Eject {
			return first, x.ejection
		}
		return first, x.virtual
	}
	d, ahead := x.away(r, to)
	if ahead == 0 {
		return x.wiring.Ejection(to), x.ejection
	}
	return x.class(r, d, ahead, 0, x.virtual)
}

// class returns the VCs by which a packet leaves router r whose goal is ahead in dimension d: n
// from first on, of the VCs from low to below high of the link.
func (x *DimensionOrder) class(r topology.Router, d int, ahead int32, low,
	high router.Channel) (first, n router.Channel) {
	up := x.upwards(d, ahead)
	// It crosses the end of the dimension if it goes up to a lower goal, or down to a higher one.
	// Computed without a branch, which would be unpredictable.
	return x.part(r, d, up, up^int(^uint32(ahead)>>31), low, high)
}

// part returns the VCs that leave router r up or down dimension d, for packets that have yet to
// cross the end of the dimension (crosses is 1) or for others: n from first on.
func (x *DimensionOrder) part(r topology.Router, d, up, crosses int, low,
	high router.Channel) (first, n router.Channel) {
	link := int(r)*x.ports + 2*d + up
	first, n = x.firstVC[link]+low, high-low
	if !x.dateline || x.wrap[d] == 0 {
		return first, n
	}
	upper, half := router.Channel(1^crosses), n/2
	switch odd := n - 2*half; x.sharing[link] {
	case middleHigh:
		return first + upper*half, half + upper*odd
	case middleLow:
		return first + upper*(half+odd), half + (1-upper)*odd
	default:
		return first + upper*half, half + odd
	}
}

// OutputTables implements Tabled.
func (x *DimensionOrder) OutputTables() (router.Routing, *router.OutputTables) {
	only := func(r topology.Router, _ router.Channel, k *router.Packet) router.Channel {
		first, _ := x.next(r, k.To)
		return first
	}
	run := func(r topology.Router, _ router.Channel, h *router.Header,
		_ router.View) (first, n router.Channel) {
		return x.next(r, h.Destination)
	}
	return x, &router.OutputTables{OutputVC: only, OutputRun: run, Mesh: x.mesh2D}
}

// away returns the lowest dimension in which router r and the router of node to differ, and the
// coordinate of the latter less that of r: 0 if they are one router.
func (x *DimensionOrder) away(r topology.Router, to topology.Node) (d int, ahead int32) {
	return x.apart(r, x.grid.RouterOf(to))
}

// apart returns the lowest dimension in which two routers differ, and the coordinate of the goal
// less that of r: 0 if they are one router.
func (x *DimensionOrder) apart(r, goal topology.Router) (d int, ahead int32) {
	here, there := x.place[int(r)*x.dims:][:x.dims], x.place[int(goal)*x.dims:][:x.dims]
	for d, a := range here {
		if b := there[d]; a != b {
			return d, int32(b) - int32(a)
		}
	}
	return 0, 0
}

// upwards returns 1 if a packet whose goal is ahead in dimension d goes up, and 0 if it goes down.
// It has no branch, which would be mispredicted half of the time.
func (x *DimensionOrder) upwards(d int, ahead int32) int {
	n := int32(x.wrap[d])
	if n == 0 {
		return 1 - int(uint32(ahead)>>31)
	}
	if ahead < 0 {
		ahead += n
	}
	return 1 - int(uint32(n-2*ahead)>>31)
}

// fewestHalves returns the classes of a link with datelines: two where all dimensions wrap.
func fewestHalves(t topology.Topology) int {
	g := t.(topology.Grid)
	for d, n := range g.Dims() {
		if n > 1 && !g.Wrap()[d] {
			return 1
		}
	}
	return forDateline(t)
}

// forDateline returns the number of VCs that datelines need: one for each side.
func forDateline(t topology.Topology) int {
	if topology.Wraps(t) {
		return 2
	}
	return 1
}

// Witnesses implements Witnessing.
//
// A packet goes through a line of routers in each dimension in turn. Its channels there depend on
// the routers at which it enters and leaves the line. So packets that move in one dimension or in
// two cause all dependencies.
//
// If no dimension wraps, or all virtual channels are candidates, the channels depend on the
// direction alone, and the nearest packets suffice: two hops along a line, or one hop in each of
// two dimensions. A channel behind a dateline depends also on whether the packet has yet to cross
// the end. Of all packets that enter a line at one router and move in one direction, the farther
// ones cross. So the nearest and the farthest packet take all channels that any packet takes.
func (x *DimensionOrder) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.Packets(x.near(false))
}

// near returns the pairs of nodes of the witnesses: their routers differ in one dimension or in
// two, by offsets. With farTurns packets turn after the farthest offsets too. It returns nil if a
// router has no node.
func (x *DimensionOrder) near(farTurns bool) iter.Seq2[topology.Node, topology.Node] {
	nodes := deadlock.NodesOf(x.wiring)
	if slices.ContainsFunc(nodes, func(of []topology.Node) bool { return len(of) == 0 }) {
		return nil
	}
	return func(yield func(from, to topology.Node) bool) {
		for r := range topology.Router(x.grid.Routers()) {
			if !nodes.Join(r, r, yield) || !x.nearRouter(r, farTurns, func(s topology.Router) bool {
				return nodes.Join(s, r, yield)
			}) {
				return
			}
		}
	}
}

// nearRouter yields the routers of the sources of witnesses for nodes of router r.
func (x *DimensionOrder) nearRouter(r topology.Router, farTurns bool,
	yield func(s topology.Router) bool) bool {
	for d := range x.dims {
		for _, one := range x.offsets(d, true, true) {
			if s, ok := x.grid.Beside(r, d, -one); ok && !yield(s) {
				return false
			}
		}
		for e := d + 1; e < x.dims; e++ {
			for _, second := range x.offsets(e, false, true) {
				over, ok := x.grid.Beside(r, e, -second)
				for _, first := range x.offsets(d, false, farTurns) {
					if s, also := x.grid.Beside(over, d, -first); ok && also && !yield(s) {
						return false
					}
				}
			}
		}
	}
	return true
}

// offsets returns distances, with signs, between the source and the destination of a witness in
// dimension d: one hop, with two also two hops, and with far the farthest ones of a dimension that
// wraps.
func (x *DimensionOrder) offsets(d int, two, far bool) []int {
	list := []int{1, -1}
	if two {
		list = append(list, 2, -2)
	}
	if n := int(x.wrap[d]); far && n > 0 {
		list = append(list, n/2, -(n / 2), (n-1)/2, -((n - 1) / 2))
	}
	return list
}
