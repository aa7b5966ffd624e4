package deadlock

import (
	"iter"
	"math"

	"contend/router"
	"contend/router/topology"
)

// Witnessing is a Routing that lists witnesses: packets that together cause every dependency. On
// large machines the deadlock check follows the witnesses only, because all pairs of nodes would
// take hours. For other routings it follows all packets.
type Witnessing interface {
	// Witnesses returns the routing of the witnesses, and their headers at their sources, as Branches
	// makes them. Packets for one destination should follow each other. The headers are nil if the
	// check must follow all packets. A routing that embeds another one inherits this method, which
	// returns the embedded routing in of: then the deadlock check follows all packets.
	//
	// Without escape channels, each dependency of any packet is a dependency of a witness. With escape
	// channels, take any packet at any router, the escape channels offered to it there, a channel that
	// it may take, and the escape channels offered behind that channel. Some witness is offered the
	// same escape channels at its source, may take the same channel and is offered the same behind it.
	Witnesses() (of router.Routing, headers iter.Seq[router.Header])
}

// The maximum numbers of nodes with which the deadlock check follows every packet, which takes
// about a second, with one virtual channel a link. With V it is a V-th of them, because a packet
// may be on V channels of a link and request V of the next. followEscapes is the limit for routings
// with escape channels, because a packet is followed once for each escape channel that it may have
// used last. followBranches is the limit for routings whose headers may be in several states, and
// followAll the limit for all others.
const (
	followAll      = 1024
	followEscapes  = 256
	followBranches = 32
)

// isLarge reports whether it would take too long to follow every packet.
func isLarge(w *router.Wiring, x router.Routing) bool {
	maxNodes := followAll
	if _, ok := x.(router.Branching); ok {
		maxNodes = followBranches
	} else if _, ok := x.(router.Escaping); ok {
		maxNodes = followEscapes
	}
	return w.Topology.Nodes()*w.VirtualChannels > maxNodes
}

// witnesses returns the headers of the witnesses, or nil if the check must follow all packets.
func witnesses(w *router.Wiring, x router.Routing) iter.Seq[router.Header] {
	k, ok := x.(Witnessing)
	if !ok || !isLarge(w, x) {
		return nil
	}
	of, headers := k.Witnesses()
	if of != x {
		return nil
	}
	return headers
}

// Packets returns the headers of packets of pairs of a source and a destination, nil for no pairs.
func Packets(pairs iter.Seq2[topology.Node, topology.Node]) iter.Seq[router.Header] {
	if pairs == nil {
		return nil
	}
	return func(yield func(router.Header) bool) {
		for from, to := range pairs {
			if !yield(router.Header{Source: from, Destination: to}) {
				return
			}
		}
	}
}

// NodeLists has the nodes of each router, or the network interfaces attached to it.
type NodeLists [][]topology.Node

// NodesOf returns the nodes of each router, in ascending order.
func NodesOf(w *router.Wiring) NodeLists {
	list := make(NodeLists, w.Topology.Routers())
	for n := range topology.Node(w.Nodes()) {
		r, _ := w.Attach(n)
		list[r] = append(list[r], n)
	}
	return list
}

// Join passes the pairs of a node of router from and a node of router to to yield. It leaves out
// pairs in which neither node is the first of its router, because the nodes of a router differ in
// their own channels only. If from equals to, it passes all pairs. It returns false as soon as
// yield does.
func (k NodeLists) Join(from, to topology.Router,
	yield func(from, to topology.Node) bool) bool {
	for i, goal := range k[to] {
		for j, source := range k[from] {
			if (i == 0 || j == 0 || from == to) && !yield(source, goal) {
				return false
			}
		}
	}
	return true
}

// nodePairs yields pairs of nodes that together cause every dependency of a routing with one path
// between any two routers. The first nodes of two routers represent all of their nodes on the
// channels between the routers. The other nodes of a router send a packet over each channel by
// which packets leave the router, and receive a packet over each channel by which packets arrive.
type nodePairs struct {
	w       *router.Wiring
	x       router.Routing
	nodes   NodeLists
	left    []bool // by channel: the nodes of its router have sent packets over it
	arrived []bool // by channel: the nodes of its router have received packets over it
	yield   func(from, to topology.Node) bool
}

// NewNodePairs returns a nodePairs for a routing. Its method Join passes pairs to yield.
func NewNodePairs(w *router.Wiring, x router.Routing, yield func(from,
	to topology.Node) bool) *nodePairs {
	return &nodePairs{w, x, NodesOf(w), make([]bool, w.Channels()), make([]bool, w.Channels()),
		yield}
}

// Join passes the pairs of nodes of two routers to yield. It returns false as soon as yield does.
func (k *nodePairs) Join(from, to topology.Router) bool {
	sources, goals := k.nodes[from], k.nodes[to]
	if from == to || len(sources) == 0 || len(goals) == 0 {
		return k.nodes.Join(from, to, k.yield)
	}
	if nodes := topology.Node(k.w.Topology.Nodes()); sources[0]/nodes != goals[0]/nodes {
		return true // they belong to two planes
	}
	if len(sources) == 1 && len(goals) == 1 {
		return k.yield(sources[0], goals[0]) // they represent no others: any path will do
	}
	first, last := k.ends(sources[0], goals[0])
	if !k.yield(sources[0], goals[0]) {
		return false
	}
	for i := 1; i < len(sources) && !k.left[first]; i++ {
		if !k.yield(sources[i], goals[0]) {
			return false
		}
	}
	for i := 1; i < len(goals) && !k.arrived[last]; i++ {
		if !k.yield(sources[0], goals[i]) {
			return false
		}
	}
	k.left[first], k.arrived[last] = true, true
	return true
}

// RouterPairs returns packets for the pairs of nodes of each two routers.
func RouterPairs(w *router.Wiring, x router.Routing) iter.Seq[router.Header] {
	return Packets(func(yield func(from, to topology.Node) bool) {
		k := NewNodePairs(w, x, yield)
		for to := range topology.Router(len(k.nodes)) {
			for from := range topology.Router(len(k.nodes)) {
				if !k.Join(from, to) {
					return
				}
			}
		}
	})
}

// ends returns the first and the last network channel of the path between two nodes.
func (k *nodePairs) ends(from, to topology.Node) (first, last router.Channel) {
	h := router.Header{Source: from, Destination: to}
	first, last = none, none
	var offered [16]router.Channel
	for in := k.w.Injection(from); ; {
		next := k.x.Possible(offered[:0], k.w.Enters(in), in, &h)[0]
		if k.w.Enters(next) == none {
			return first, last
		}
		if in, last = next, next; first == none {
			first = next
		}
	}
}

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

// Links calls use with the links that packets from one node to another may use, including the links
// from and to the nodes, for all their network interfaces. It may pass a link several times.
func (f *Footprint) Links(from, to topology.Node, use func(router.Link)) {
	nodes := topology.Node(f.walk.wiring.Topology.Nodes())
	for rail := range topology.Node(f.walk.wiring.Rails()) {
		f.links(from+rail*nodes, to+rail*nodes, use)
	}
}

// links is Links for two network interfaces with the same number.
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
