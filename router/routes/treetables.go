package routes

import (
	"contend/router"
	"contend/router/topology"
)

// treeTables has the ports by which packets leave the routers of a tree under d-mod-k and s-mod-k
// if no link has others beside it. Digits of the destination say the same, but take divisions. The
// ports for a node depend on the level of a router only, and the ports of a node at all levels lie
// beside each other. BenchmarkTree/4-ary-4-tree/flits=8/light/d-mod-k/worm: 1.3 times as fast as
// digits.
type treeTables struct {
	routers  []treeRouter
	ports    []treePorts      // of each node and level of a plane
	firstVC  []router.Channel // first VC that leaves a router by a port
	levels   int32
	bySource bool // the digits of the source choose the ports up
}

// treePorts has the ports by which packets for a node leave the routers of a level, 16 bits each:
// the port down of a router above the node, and in the upper half the port up of any other one.
type treePorts uint32

// treeRouter is the place of a router.
type treeRouter struct {
	from, span int32 // first node below, and number of nodes below
	firstPort  int32 // index of its first port in firstVC
	entry      int32 // index in ports of its level for node 0, which may be of another plane
}

// newTreeTables returns the tables of a tree.
func (x *TreeUpDown) newTreeTables(t *topology.FatTree) *treeTables {
	levels := t.Levels()
	w := &treeTables{routers: make([]treeRouter, len(x.places)),
		ports: make([]treePorts, t.Nodes()*levels), firstVC: x.firstVC, levels: int32(levels),
		bySource: x.choice == BySource}
	for level := range levels {
		at := &x.places[t.At(level, 0, 0)]
		for n := range int32(t.Nodes()) {
			up := at.down + n/at.digit%max(1, at.up)
			w.ports[int(n)*levels+level] = treePorts(n%at.span/at.step | up<<16)
		}
	}
	for r := range x.places {
		at := &x.places[r]
		level, _, _ := t.Place(topology.Router(r))
		w.routers[r] = treeRouter{from: at.from, span: at.span, firstPort: int32(r * x.ports),
			entry: int32(level) - at.first*int32(levels)}
	}
	return w
}

// output returns the VC by which a packet between two nodes leaves router r. It chooses the port
// up or down without a branch, which would be unpredictable. The port down of the lowest routers
// leads to the node.
func (w *treeTables) output(r uint, from, to topology.Node) router.Channel {
	at := &w.routers[r]
	ports := w.ports[at.entry+int32(to)*w.levels]
	if w.bySource {
		ports = ports&0xffff | w.ports[at.entry+int32(from)*w.levels]&^0xffff
	}
	// 16 if the node is not below, otherwise 0
	upper := ^(uint64(uint32(int32(to)-at.from)) - uint64(uint32(at.span))) >> 63 << 4
	return w.firstVC[at.firstPort+int32(ports>>upper&0xffff)]
}
