package router

import (
	"fmt"

	"contend/netsim/topology"
)

// DimensionOrder routes on a Cube along the lowest dimension in which a packet
// is not yet where it goes: XY on a mesh of two dimensions. Where a dimension
// wraps it takes the shorter way round, upwards if both are as long.
//
// Without datelines every virtual channel of a link is a candidate, lowest
// first. That is free of deadlock on a mesh and on no torus of more than three
// routers a dimension (Dally and Seitz 1987).
type DimensionOrder struct {
	wiring   *Wiring
	dims     int
	place    []int16   // coordinates of router r from place[r·dims]
	home     []int32   // the router of a node, nil where they are the same
	first    []Channel // first channel that leaves router r by port p, at r·ports+p
	ports    int
	wrap     []int16 // length of a dimension that wraps, 0 of one that does not
	virtual  Channel // virtual channels of a network channel
	dateline bool
}

// NewDimensionOrder returns dimension-order routing over the channels of w,
// which must be those of a Cube. With dateline, the virtual channels of a
// dimension that wraps fall into two classes, so that no cycle of channels
// remains: a packet that has yet to cross from one end to the other uses the
// lower half, one that need not, or no longer, the upper half (Dally and Seitz
// 1987, sec. IV). It takes at least two virtual channels.
func NewDimensionOrder(w *Wiring, dateline bool) (*DimensionOrder, error) {
	t, ok := w.Topology.(*topology.Cube)
	if !ok {
		return nil, fmt.Errorf("dimension-order routing needs a mesh, torus or hypercube")
	}
	if dateline && w.VirtualChannels < 2 {
		return nil, fmt.Errorf("dateline routing needs at least 2 virtual channels, not %d", w.VirtualChannels)
	}
	x := &DimensionOrder{wiring: w, dims: len(t.Dims()), virtual: Channel(w.VirtualChannels), dateline: dateline}
	x.ports = w.ports
	x.first = make([]Channel, len(w.out))
	for i, l := range w.out {
		if l >= 0 {
			x.first[i] = w.first[l]
		}
	}
	if !t.OneNodePerRouter() {
		for n := range topology.Node(t.Nodes()) {
			x.home = append(x.home, int32(t.RouterOf(n)))
		}
	}
	x.place = make([]int16, t.Routers()*x.dims)
	x.wrap = make([]int16, x.dims)
	for d, n := range t.Dims() {
		if t.Wrap()[d] {
			x.wrap[d] = int16(n)
		}
		if n > 1<<15 {
			return nil, fmt.Errorf("dimension-order routing: dimension %d has %d routers, at most %d are possible", d, n, 1<<15)
		}
		for r := range t.Routers() {
			x.place[r*x.dims+d] = int16(t.Coordinate(topology.Router(r), d))
		}
	}
	return x, nil
}

// Choices implements Routing.
func (x *DimensionOrder) Choices() int { return int(x.virtual) }

// Route implements Routing.
func (x *DimensionOrder) Route(dst []Channel, r topology.Router, _ Channel, h Header) []Channel {
	first, low, high := x.next(r, h.Destination)
	for v := low; v < high; v++ {
		dst = append(dst, first+v)
	}
	return dst
}

// next returns the channels a packet for a node may take from router r: first+v
// for v from low to below high.
func (x *DimensionOrder) next(r topology.Router, to topology.Node) (first, low, high Channel) {
	goal := int32(to)
	if x.home != nil {
		goal = x.home[goal]
	}
	here, there := x.place[int(r)*x.dims:][:x.dims], x.place[int(goal)*x.dims:][:x.dims]
	for d, a := range here {
		b := there[d]
		if a == b {
			continue
		}
		up := b > a
		low, high = 0, x.virtual
		if n := x.wrap[d]; n > 0 {
			ahead := b - a
			if ahead < 0 {
				ahead += n
			}
			up = 2*ahead <= n
			if x.dateline {
				// Still to cross the end of the dimension, or not.
				if up == (b > a) {
					low = x.virtual / 2
				} else {
					high = x.virtual / 2
				}
			}
		}
		p := 2 * d
		if up {
			p++
		}
		return x.first[int(r)*x.ports+p], low, high
	}
	return x.wiring.Ejection(to), 0, 1
}
