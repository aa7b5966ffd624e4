package routes

import (
	"iter"
	"slices"
	"sync/atomic"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// graphUpDown is up/down routing on any connected graph (Schroeder et al., "Autonet: A High-Speed,
// Self-Configuring Local Area Network Using Point-to-Point Links", IEEE JSAC 9(8), 1991, sec. 4.2).
// Routers are ordered by a breadth-first search from a root. A channel leads up if it leads to an
// earlier router, otherwise down. A packet goes any number of hops up and then down, never up
// again. So there is no cycle of channels with any number of virtual channels, all of which are
// candidates, and each router can be reached over the root.
//
// A packet takes a shortest of these paths, which may be longer than a shortest path of the graph.
// A hash of router and destination's router chooses among several.
type graphUpDown struct {
	fixedRule
	outputs
	graph   *topology.Graph
	home    []topology.Router        // of each node
	rank    []int32                  // rank[r] is the place of router r in the order
	order   []topology.Router        // order[i] is the router of rank i
	row     []int32                  // by VC: the row of columns with the channel that follows it
	columns []atomic.Pointer[column] // kept ones, by router modulo their number
	failed  []bool                   // links that have failed; nil if none has
}

// column has the first channels by which packets for one router leave all others: row 2r is for
// packets at router r that may go up, and row 2r+1 for packets that have come down to it. The
// entries of the router itself are none.
type column struct {
	to   topology.Router
	next []router.Channel
}

// upDownMemory is the maximum size of the columns kept, in bytes. Columns beyond it are computed
// again.
const upDownMemory = 64 << 20

// graphUpDownMaker makes graphUpDown.
var graphUpDownMaker = router.Maker{
	Name: "up-down", Display: "Up/down",
	Doc:    "graph: towards a root, then away from it, the shortest such way",
	Source: "Schroeder et al. 1991",
	Suits:  isKind[*topology.Graph],
	New:    func(w *router.Wiring, _ uint64) (router.Routing, error) { return newGraphUpDown(w), nil },
}

// newGraphUpDown returns up/down routing over the channels of w, which must be those of a
// Graph. The root is the router of most links, the first of equals; each plane has its own.
func newGraphUpDown(w *router.Wiring) *graphUpDown {
	t, n := w.Topology.(*topology.Graph), w.Topology.Routers()
	x := &graphUpDown{outputs: newOutputs(w), graph: t, home: homesOf(t), rank: make([]int32, n)}
	x.columns = make([]atomic.Pointer[column], min(n, max(1, upDownMemory/(8*n))))
	x.maxChoices, x.nextRange = max(x.virtual, x.ejection), x.next
	for r := range x.rank {
		x.rank[r] = none
	}
	for len(x.order) < n {
		x.search()
	}
	x.row = make([]int32, w.Channels())
	for c := range router.Channel(len(x.row)) {
		from, to := w.Leaves(w.LinkOf(c)), w.Enters(c)
		if x.row[c] = 2 * int32(to); from != none && to != none && x.rank[from] < x.rank[to] {
			x.row[c]++
		}
	}
	return x
}

// search orders the routers of a plane from its root.
func (x *graphUpDown) search() {
	t, root := x.graph, topology.Router(none)
	for r := range topology.Router(t.Routers()) {
		if x.rank[r] == none && (root == none || t.Links(r) > t.Links(root)) {
			root = r
		}
	}
	x.rank[root] = int32(len(x.order))
	x.order = append(x.order, root)
	for i := int(x.rank[root]); i < len(x.order); i++ {
		for p := range topology.Port(t.Links(x.order[i])) {
			if to, _, _ := t.Peer(x.order[i], p); x.rank[to] == none {
				x.rank[to] = int32(len(x.order))
				x.order = append(x.order, to)
			}
		}
	}
}

// next returns the channels that a packet may take which came by channel in: n from first
// on.
func (x *graphUpDown) next(r topology.Router, in router.Channel, h *router.Header) (first,
	n router.Channel) {
	to, n := x.home[h.Destination], x.virtual
	column := x.column(to)
	switch {
	case r == to:
		n = x.ejection
	case column.next[x.row[in]] == none: // failed links are on all paths
		return none, 0
	}
	return x.leaving(column, in, h.Destination), n
}

// Reroute implements Rerouting: the shortest paths in the same order of routers.
func (x *graphUpDown) Reroute(failed []bool) (of, left router.Routing) {
	k := *x
	k.failed, k.nextRange = failed, k.next
	k.columns = make([]atomic.Pointer[column], len(x.columns))
	return x, &k
}

// OutputTables implements Tabled.
func (x *graphUpDown) OutputTables() (router.Routing, *router.OutputTables) {
	return x, &router.OutputTables{OutputVC: func(_ topology.Router, in router.Channel,
		k *router.Packet) router.Channel {
		return x.leaving(x.column(x.home[k.To]), in, k.To)
	}}
}

// leaving returns the first VC by which a packet for node n leaves the router at which it arrived
// by VC in.
func (x *graphUpDown) leaving(c *column, in router.Channel, n topology.Node) router.Channel {
	next, eject := c.next[x.row[in]], x.wiring.Ejection(n)
	if next == none { // compiled without a branch, which would be unpredictable
		next = eject
	}
	return next
}

// column returns the column of router to, and keeps it if it was missing.
func (x *graphUpDown) column(to topology.Router) *column {
	at := &x.columns[int(to)%len(x.columns)]
	if c := at.Load(); c != nil && c.to == to {
		return c
	}
	c := x.newColumn(to)
	at.Store(c)
	return c
}

// far is larger than the number of hops of any path.
const far = int32(1) << 30

// newColumn finds the shortest paths to a router. Paths down are found from the last router of
// the order to the first, since they lead to later ones; then paths up, from first to last.
func (x *graphUpDown) newColumn(to topology.Router) *column {
	n := len(x.order)
	c := &column{to: to, next: make([]router.Channel, 2*n)}
	up, down := make([]int32, n), make([]int32, n)
	for _, r := range slices.Backward(x.order) {
		down[r], c.next[2*r+1] = x.nearest(r, to, func(next topology.Router) int32 {
			if x.rank[next] < x.rank[r] {
				return far
			}
			return down[next]
		})
	}
	for _, r := range x.order {
		up[r], c.next[2*r] = x.nearest(r, to, func(next topology.Router) int32 {
			if x.rank[next] < x.rank[r] {
				return up[next]
			}
			return down[next]
		})
	}
	return c
}

// nearest returns the hops of a shortest path from router r to another one, given those from its
// neighbours, and the first channel of the path: none if r is that router or no path exists.
func (x *graphUpDown) nearest(r, to topology.Router,
	hops func(next topology.Router) int32) (int32, router.Channel) {
	if r == to {
		return 0, none
	}
	var buffer [16]topology.Port
	fewest, equal := far, buffer[:0]
	for p := range topology.Port(x.graph.Links(r)) {
		if x.failed != nil && x.failed[x.wiring.LinkOf(x.out(r, p))] {
			continue
		}
		next, _, _ := x.graph.Peer(r, p)
		n := hops(next) + 1
		if n < fewest {
			fewest, equal = n, equal[:0]
		}
		if n == fewest {
			equal = append(equal, p)
		}
	}
	if fewest >= far {
		return far, none
	}
	p := equal[router.Draw(0, int64(to), int64(r), int32(len(equal)))]
	return fewest, x.out(r, p)
}

// Witnesses implements Witnessing: packets between each two routers.
func (x *graphUpDown) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.RouterPairs(x.wiring, x)
}
