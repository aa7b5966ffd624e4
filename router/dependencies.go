package router

import (
	"slices"

	"contend/netsim/topology"
)

// Spreading is a Routing by which the channels offered to a header depend on
// more than its source and destination: on a draw of its packet, for instance.
// Possible appends all channels that Route may ever offer in that place to a
// packet of h's source and destination.
type Spreading interface {
	Possible(dst []Channel, r topology.Router, in Channel, h Header) []Channel
}

// Grouping is a Routing that looks at less than the whole source. From the
// router r that h reached by channel in, and from every router after it,
// packets for h.Destination whose sources have the same SourceGroup there are
// offered the same channels. A routing that never looks at the source returns
// 0. The dependencies are then followed once for each group. Of a routing
// without this method every source is followed.
type Grouping interface {
	SourceGroup(r topology.Router, in Channel, h Header) int32
}

// Dependencies returns, for every channel, the channels a packet that holds it
// may ask for, in ascending order. Each pair of source and destination is
// followed from the injection channels of the source over all channels that
// the routing offers, so a dependency is there only if a packet that can exist
// may bring it about.
func Dependencies(w *Wiring, x Routing) [][]Channel {
	k := walk{wiring: w, offer: x.Route, next: make([][]Channel, w.Channels()),
		seen: make([]visit, w.Channels())}
	k.group = func(_ topology.Router, _ Channel, h Header) int32 { return int32(h.Source) }
	if s, ok := x.(Spreading); ok {
		k.offer = s.Possible
	}
	if g, ok := x.(Grouping); ok {
		k.group = g.SourceGroup
	}
	for i := range k.seen {
		k.seen[i].to = -1
	}
	nodes := topology.Node(w.Topology.Nodes())
	for to := range nodes {
		for from := range nodes {
			for i := range Channel(w.InjectionPorts * w.NodeVirtualChannels) {
				k.follow(w.Injection(from)+i, Header{Source: from, Destination: to})
			}
		}
	}
	for c := range k.next {
		slices.Sort(k.next[c])
	}
	return k.next
}

// visit is the last state in which a channel was reached: for which destination,
// from which group of sources. All that follows from that state is known.
type visit struct {
	to    topology.Node
	group int32
}

// walk collects dependencies.
type walk struct {
	wiring *Wiring
	offer  func(dst []Channel, r topology.Router, in Channel, h Header) []Channel
	group  func(r topology.Router, in Channel, h Header) int32
	next   [][]Channel
	seen   []visit
	queue  []Channel
	out    []Channel
}

// follow adds the dependencies of packets with header h that start on channel c.
func (k *walk) follow(c Channel, h Header) {
	k.reach(c, h)
	for len(k.queue) > 0 {
		c := k.queue[len(k.queue)-1]
		k.queue = k.queue[:len(k.queue)-1]
		k.out = k.offer(k.out[:0], topology.Router(k.wiring.ends[c]), c, h)
		for _, d := range k.out {
			if !slices.Contains(k.next[c], d) {
				k.next[c] = append(k.next[c], d)
			}
			k.reach(d, h)
		}
	}
}

// reach enters channel c to be followed, unless it ends at a node or was reached
// in this state last time.
func (k *walk) reach(c Channel, h Header) {
	r := k.wiring.ends[c]
	if r < 0 {
		return
	}
	now := visit{to: h.Destination, group: k.group(topology.Router(r), c, h)}
	if k.seen[c] != now {
		k.seen[c] = now
		k.queue = append(k.queue, c)
	}
}
