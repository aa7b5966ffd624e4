package router

import "contend/router/topology"

// Shortcut is a Routing whose channels engines find without the lists that routings with a
// choice fill.
type Tabled interface {
	// Ways returns the routing whose channels they are, and how to find them. A routing that embeds
	// another one has the method of that one, which names itself.
	OutputTables() (Routing, *OutputTables)
}

// Ways say which channels a header may take at once. The tables are there because a call through
// an interface costs as much as a routing itself: engines look at one of them, if there is one,
// and do not call Only.
type OutputTables struct {
	// Only returns the channel that packet k is offered at router r, to which it came by channel
	// in. It is asked only where Traits.Choices is 1.
	OutputVC func(r topology.Router, in Channel, k *Packet) Channel
	// Run returns all that Route offers a packet for a node: many channels of a link from the
	// first on. It is nil of other routings.
	OutputVCs func(r topology.Router, to topology.Node) (first, many Channel)
	// Mesh is of each router of a mesh of two dimensions with a node on every router.
	Mesh []MeshRouter
	// Tree is that of a tree without bundles in which nothing is drawn.
	Tree *TreeTables
}

// waysOf returns the ways of a routing, empty ones where it has none.
func outputTablesOf(x Routing) *OutputTables {
	if s, ok := x.(Tabled); ok {
		if of, ways := s.OutputTables(); of == x {
			return ways
		}
	}
	return &OutputTables{}
}

// onlyWay returns the channel that packet k takes from router r, to which it came by channel in.
func (b *Routers) outputVCOf(r topology.Router, in Channel, k *Packet) Channel {
	if b.mesh2D != nil {
		return b.mesh2D[r].Output(b.mesh2D[k.To].Here)
	}
	return b.outputVC(r, in, k)
}

// findWay notes the channel that packet k, at the head of FIFO c, has to take.
func (b *Routers) setOutputVC(ch *vcState, c Channel, k *Packet) {
	ch.outputVC = int32(b.outputVCOf(topology.Router(ch.router), c, k))
}

// Place is where a router is on a mesh of two dimensions: x·2^16 + y.
type Place int32

// MeshWay is what routing on a mesh of two dimensions needs to know of a router.
type MeshRouter struct {
	At    [4]Channel // the first channels down and up in x and y
	Eject Channel
	Here  Place
	_     [2]int32
}

// Towards returns the channel for a packet that goes to a place, without jumps,
// that nobody could predict. The difference of two places has the sign of the way
// to go in x, or where there is none in y; column is 0 where there is none in x,
// and the ports of y come two behind those of x.
func (k *MeshRouter) Output(goal Place) Channel {
	ahead, column := uint32(goal-k.Here), uint32((goal^k.Here)>>16)
	o, eject := k.At[(1+(column-1)>>31<<1-ahead>>31)&3], k.Eject
	if ahead == 0 {
		o = eject
	}
	return o
}

// TreeWays has the ports by which packets leave the routers of a tree under up/down routing where
// nothing is drawn and no link has others beside it. Digits of the destination say the same, but
// take divisions. The ports for a node depend on the level of a router only, and the ports of a
// node at all levels lie beside each other.
type TreeTables struct {
	Routers  []TreeRouter // of each router
	Ports    []TreePorts  // of each node and level of a plane
	FirstVC  []Channel    // first channel that leaves a router by a port
	Levels   int32
	BySource bool // the digits of the source say which ports up are taken
}

// TreeWay has the ports by which packets for a node leave the routers of a level, 16 bits each: of
// a router above the node, and of any other one in the upper half.
type TreePorts uint32

// TreeSpot is where a router is.
type TreeRouter struct {
	From, Span int32 // the nodes below
	FirstPort  int32 // index of its first port
	Entry      int32 // index of its way to node 0, which may be of another plane
}

// Towards returns the channel by which router r sends a packet between two nodes on. It takes the
// port up or down without a jump that nobody could predict. The port down of the lowest routers
// leads to the node.
func (w *TreeTables) Output(r uint, from, to topology.Node) Channel {
	at := &w.Routers[r]
	way := w.Ports[at.Entry+int32(to)*w.Levels]
	if w.BySource {
		way = way&0xffff | w.Ports[at.Entry+int32(from)*w.Levels]&^0xffff
	}
	// 16 where the node is not below, and else 0
	upper := ^(uint64(uint32(int32(to)-at.From)) - uint64(uint32(at.Span))) >> 63 << 4
	return w.FirstVC[at.FirstPort+int32(way>>upper&0xffff)]
}
