package routes

import (
	"contend/router"
	"contend/router/topology"
)

// classes is an order of the virtual channels of a dragonfly that all paths ascend. The channels of
// a path over a third group are local, global, local, global, local. Each is a step: on the links
// of its kind it has a class of virtual channels, a part of about the same size as the others of
// that kind. The rule progressive has a step below these, for the local channel of a packet that
// may still take a detour. Channels from nodes are below all steps.
//
// A packet may take the virtual channels of all steps above the channel by which it came that
// leave enough steps above them for the rest of its path. So nothing is left to choose on a path
// over a third group with all of its channels. On a minimal path the first local channel and the
// global one may be in the classes of either half of a detour, the last local one in any above.
type classes struct {
	last uint8   // the step of the last local channel
	step []uint8 // by VC; 0 of VCs that are not between routers
	// upTo[k][s] is the number of VCs up to step s on a link of kind k, which are its lowest VCs.
	upTo [2][]router.Channel
}

// The numbers of kinds of links in classes.
const (
	localLink = iota
	globalLink
)

// newClasses returns the classes of the links of w, with a number of classes of local links.
func newClasses(w *router.Wiring, fly *topology.Dragonfly, locals router.Channel) *classes {
	x := &classes{last: 5, step: make([]uint8, w.Channels())}
	if locals > 3 {
		x.last = 6
	}
	var steps [2][]uint8 // of the virtual channels of a link
	for k, count := range []router.Channel{locals, 2} {
		for class := range count {
			step := max(1, int(x.last)-k-2*int(count-1-class))
			low, high := classRange(router.Channel(w.VirtualChannels), class, count)
			for range high - low {
				steps[k] = append(steps[k], uint8(step))
			}
		}
		x.upTo[k] = make([]router.Channel, x.last+1)
		for s := range x.upTo[k] {
			for _, step := range steps[k] {
				if int(step) <= s {
					x.upTo[k][s]++
				}
			}
		}
	}
	for l := range router.Link(w.Links()) {
		if w.Kind(l) != router.Network {
			continue
		}
		kind := localLink
		if from, to := w.Ends(l); fly.Group(from.Router) != fly.Group(to.Router) {
			kind = globalLink
		}
		copy(x.step[w.First(l):], steps[kind])
	}
	return x
}

// between returns the VCs of a link that a packet may take, n from low on: those above the step of
// VC in, by which it came, that leave a step for each of at most after channels after this one.
// first is the first VC of the link.
func (x *classes) between(first router.Channel, kind int, in router.Channel, after uint8) (low,
	n router.Channel) {
	at := x.upTo[kind][x.step[in]]
	return first + at, x.upTo[kind][x.last-after] - at
}
