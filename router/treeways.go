package router

import "contend/netsim/topology"

// treeWays has the ports by which packets leave the routers of a tree under up/down routing where
// nothing is drawn and no link has others beside it. Digits of the destination say the same, but
// take divisions. The ports for a node depend on the level of a router only, and the ports of a
// node at all levels lie beside each other.
type treeWays struct {
	spots    []treeSpot // of each router; nil where there are no such ways
	ways     []treeWay  // of each node and level of a plane
	first    []Channel  // first channel that leaves a router by a port
	levels   int32
	bySource bool // the digits of the source say which ports up are taken
}

// treeWay has the ports by which packets for a node leave the routers of a level, 16 bits each: of
// a router above the node, and of any other one in the upper half.
type treeWay uint32

// treeSpot is where a router is.
type treeSpot struct {
	from, span int32 // the nodes below
	ports      int32 // index of its first port
	way        int32 // index of its way to node 0, which may be of another plane
}

// findWays returns the ways of a tree.
func (x *UpDown) findWays(t *topology.FatTree) treeWays {
	levels := t.Levels()
	w := treeWays{spots: make([]treeSpot, len(x.places)), ways: make([]treeWay, t.Nodes()*levels),
		first: x.first, levels: int32(levels), bySource: x.choice == BySource}
	for level := range levels {
		at := &x.places[t.At(level, 0, 0)]
		for n := range int32(t.Nodes()) {
			up := at.down + n/at.digit%max(1, at.up)
			w.ways[int(n)*levels+level] = treeWay(n%at.span/at.step | up<<16)
		}
	}
	for r := range x.places {
		at := &x.places[r]
		level, _, _ := t.Place(topology.Router(r))
		w.spots[r] = treeSpot{from: at.from, span: at.span, ports: int32(r * x.ports),
			way: int32(level) - at.first*int32(levels)}
	}
	return w
}

// towards returns the channel by which router r sends a packet between two nodes on. It takes the
// port up or down without a jump that nobody could predict. The port down of the lowest routers
// leads to the node.
func (w *treeWays) towards(r uint, from, to topology.Node) Channel {
	at := &w.spots[r]
	way := w.ways[at.way+int32(to)*w.levels]
	if w.bySource {
		way = way&0xffff | w.ways[at.way+int32(from)*w.levels]&^0xffff
	}
	// 16 where the node is not below, and else 0
	upper := ^(uint64(uint32(int32(to)-at.from)) - uint64(uint32(at.span))) >> 63 << 4
	return w.first[at.ports+int32(way>>upper&0xffff)]
}
