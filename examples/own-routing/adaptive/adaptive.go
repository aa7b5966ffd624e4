// Package adaptive is a routing of its own: minimal-adaptive routing on meshes with
// escape channels (Duato, IEEE Trans. Parallel and Distributed Systems 4(12), 1993).
package adaptive

import (
	"fmt"

	"contend/router"
	"contend/router/topology"
)

// Name is the name of the routing.
const Name = "any-shortest-way"

// Suits reports whether the routing works on a topology.
func Suits(t topology.Topology) bool { return isMesh(t) }

// Routing takes any channel that brings a packet nearer. The first virtual channel
// of each link is the escape channel: packets take it in dimension order only.
type Routing struct {
	w    *router.Wiring
	mesh *topology.Cube
	v    int // the first virtual channel that is taken in any order
	by   Order
}

// Order says which link a packet tries first.
type Order uint8

// The link with most credits, or that of the least dimension.
const (
	MostCredits Order = iota
	LeastDimension
)

// New returns the routing over the channels of a mesh, at least two a link.
func New(w *router.Wiring, by Order) (*Routing, error) {
	if !isMesh(w.Topology) {
		return nil, fmt.Errorf("%s routing needs a mesh or hypercube", Name)
	}
	if w.VirtualChannels < 2 {
		return nil, fmt.Errorf("%s routing needs at least 2 virtual channels, not %d", Name,
			w.VirtualChannels)
	}
	return &Routing{w: w, mesh: w.Topology.(*topology.Cube), v: 1, by: by}, nil
}

// isMesh reports whether a topology is a mesh or a hypercube.
func isMesh(t topology.Topology) bool {
	_, cube := t.(*topology.Cube)
	return cube && !topology.Wraps(t)
}

// Traits implements router.Described. It declares only the maximum number of channels of a choice.
func (x *Routing) Traits() router.Traits {
	most := len(x.mesh.Dims()) * x.w.VirtualChannels
	return router.Traits{Choices: max(most, x.w.NodeVirtualChannels)}
}

// SourceGroup implements router.Grouping: sources do not matter.
func (x *Routing) SourceGroup(topology.Router, router.Channel, *router.Header) int32 { return 0 }

// Route implements router.Routing: the links nearer to the destination, and at last
// the escape channel.
func (x *Routing) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, v router.View) []router.Channel {
	start := len(dst)
	dst = x.nearer(dst, r, h)
	if len(dst) == start {
		return x.Escape(dst, r, in, h)
	}
	if x.by == MostCredits {
		x.sort(dst[start:], x.w.VirtualChannels-x.v, v)
	}
	return x.Escape(dst, r, in, h)
}

// sort puts the links of a list, each of many channels, in the order of their
// credits. There are few of them.
func (x *Routing) sort(list []router.Channel, many int, v router.View) {
	for i := many; i < len(list); i += many {
		for j := i; j > 0 && credits(list[j:j+many], v) > credits(list[j-many:j], v); j -= many {
			for k := range many {
				list[j+k], list[j-many+k] = list[j-many+k], list[j+k]
			}
		}
	}
}

// credits returns how many flits may be sent on channels that are free.
func credits(list []router.Channel, v router.View) (n int32) {
	for _, c := range list {
		if v.Free(c) {
			n += v.Credits(c)
		}
	}
	return n
}

// Possible implements router.Routing.
func (x *Routing) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return x.Escape(x.nearer(dst, r, h), r, in, h)
}

// nearer appends the channels towards the destination that are no escape channels.
func (x *Routing) nearer(dst []router.Channel, r topology.Router,
	h *router.Header) []router.Channel {
	for d := range x.mesh.Dims() {
		if l, ok := x.towards(r, h, d); ok {
			for v := x.v; v < x.w.VirtualChannels; v++ {
				dst = append(dst, x.w.First(l)+router.Channel(v))
			}
		}
	}
	return dst
}

// Escape implements router.Escaping: the first virtual channel in dimension order.
func (x *Routing) Escape(dst []router.Channel, r topology.Router, _ router.Channel,
	h *router.Header) []router.Channel {
	for d := range x.mesh.Dims() {
		if l, ok := x.towards(r, h, d); ok {
			return append(dst, x.w.First(l))
		}
	}
	for v := range router.Channel(x.w.NodeVirtualChannels) {
		dst = append(dst, x.w.Ejection(h.Destination)+v)
	}
	return dst
}

// towards returns the link that leads to the destination along dimension d, and
// false where the packet is there.
func (x *Routing) towards(r topology.Router, h *router.Header, d int) (router.Link, bool) {
	here := x.mesh.Coordinate(r, d)
	there := x.mesh.Coordinate(x.mesh.RouterOf(h.Destination), d)
	if here == there {
		return 0, false
	}
	port := topology.Port(2 * d)
	if there > here {
		port++
	}
	return x.w.Out(r, port)
}
