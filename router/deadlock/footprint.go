package deadlock

import (
	"math"

	"contend/router"
	"contend/router/topology"
)

// Footprint finds the links that packets between two nodes may use: all that Possible lists in
// every state of the header. Only one goroutine at a time may use it.
type Footprint struct {
	walk *walk
}

// NewFootprint returns a Footprint of the packets that routing x sends over the channels
// of w.
func NewFootprint(w *router.Wiring, x router.Routing) *Footprint {
	f := &Footprint{walk: newWalk(w, x)}
	f.walk.next = nil
	return f
}

// Links calls use with the links that packets from one node to another may use, those
// from and to the nodes included, of all their network interfaces. It may name a link
// several times.
func (f *Footprint) Links(from, to topology.Node, use func(router.Link)) {
	nodes := topology.Node(f.walk.wiring.Topology.Nodes())
	for rail := range topology.Node(f.walk.wiring.Rails()) {
		f.links(from+rail*nodes, to+rail*nodes, use)
	}
}

// links does Links for two network interfaces of one number.
func (f *Footprint) links(from, to topology.Node, use func(router.Link)) {
	k := f.walk
	k.use = use
	clear(k.states)
	if k.number == math.MaxInt32 {
		k.reset()
		k.number = 0
	}
	k.number++
	k.followHeader(router.Header{Source: from, Destination: to})
}
