package routes

import (
	"slices"
	"sync/atomic"

	"contend/router"
	"contend/router/topology"
)

// upDown finds up/down paths on any network (Schroeder et al., "Autonet: A High-Speed,
// Self-Configuring Local Area Network Using Point-to-Point Links", IEEE JSAC 9(8), 1991, sec. 4.2).
// Routers are ordered by a breadth-first search from a root. A channel leads up if it leads to an
// earlier router, otherwise down. A packet goes any number of hops up and then down, never up
// again. So there is no cycle of channels with any number of virtual channels, and each router can
// be reached over the root.
//
// A packet takes a shortest of these paths, which may be longer than a shortest path of the network.
// A hash of router and destination's router chooses among several.
type upDown struct {
	w       *router.Wiring
	vc      router.Channel           // of each link, the first that packets take
	home    []topology.Router        // of each node
	hops    [][]routerHop            // from each router to others
	rank    []int32                  // rank[r] is the place of router r in the order
	order   []topology.Router        // order[i] is the router of rank i
	columns []atomic.Pointer[column] // kept ones, by router modulo their number
	failed  []bool                   // links that have failed; nil if none has
}

// routerHop is a channel from one router to another, the first of its link that packets take.
type routerHop struct {
	out router.Channel
	to  topology.Router
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

// newUpDown orders the routers over the cables of which no direction has failed. The root is the
// router of most cables, the first of equals; each plane, and each part without a cable to others,
// has its own.
func newUpDown(w *router.Wiring, vc router.Channel, failed []bool) *upDown {
	n := w.Topology.Routers()
	x := &upDown{w: w, vc: vc, failed: failed, rank: make([]int32, n), hops: make([][]routerHop, n),
		home: make([]topology.Router, w.Nodes())}
	for i := range x.home {
		x.home[i], _ = w.Attach(topology.Node(i))
	}
	for i, c := range w.Outs() {
		if c >= 0 && w.Enters(c) != none {
			r := i / w.Topology.Ports()
			x.hops[r] = append(x.hops[r], routerHop{c + vc, w.Enters(c)})
		}
	}
	for r := range x.rank {
		x.rank[r] = none
	}
	for len(x.order) < n {
		x.search()
	}
	x.forget()
	return x
}

// over returns the paths in the same order of routers without failed links.
func (x *upDown) over(failed []bool) *upDown {
	k := *x
	k.failed = failed
	k.forget()
	return &k
}

// forget keeps no columns.
func (x *upDown) forget() {
	n := len(x.rank)
	x.columns = make([]atomic.Pointer[column], min(n, max(1, upDownMemory/(8*n))))
}

// search orders the routers that a root reaches over cables.
func (x *upDown) search() {
	root, most := topology.Router(none), none
	for r := range topology.Router(len(x.rank)) {
		if x.rank[r] != none {
			continue
		}
		cables := 0
		for _, k := range x.hops[r] {
			if x.works(k) {
				cables++
			}
		}
		if cables > most {
			root, most = r, cables
		}
	}
	x.rank[root] = int32(len(x.order))
	x.order = append(x.order, root)
	for i := int(x.rank[root]); i < len(x.order); i++ {
		for _, k := range x.hops[x.order[i]] {
			if x.rank[k.to] == none && x.works(k) {
				x.rank[k.to] = int32(len(x.order))
				x.order = append(x.order, k.to)
			}
		}
	}
}

// works reports whether neither direction of the cable of a hop has failed.
func (x *upDown) works(k routerHop) bool {
	if x.failed == nil {
		return true
	}
	_, to := x.w.Ends(x.w.LinkOf(k.out))
	back, _ := x.w.Out(to.Router, to.Port)
	return !x.failed[x.w.LinkOf(k.out)] && !x.failed[back]
}

// row returns the row of columns for packets that arrive by VC in.
func (x *upDown) row(in router.Channel) int32 {
	l, to := x.w.LinkOf(in), x.w.Enters(in)
	from := x.w.Leaves(l)
	if from != none && to != none && in-x.w.First(l) >= x.vc && x.rank[from] < x.rank[to] {
		return 2*int32(to) + 1
	}
	return 2 * int32(to)
}

// first returns the first channel by which a packet for a node leaves the router to which it came by
// channel in: none at the node's router, or if no path exists.
func (x *upDown) first(in router.Channel, to topology.Node) router.Channel {
	return x.column(x.home[to]).next[x.row(in)]
}

// column returns the column of router to, and keeps it if it was missing.
func (x *upDown) column(to topology.Router) *column {
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
func (x *upDown) newColumn(to topology.Router) *column {
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
func (x *upDown) nearest(r, to topology.Router,
	hops func(next topology.Router) int32) (int32, router.Channel) {
	if r == to {
		return 0, none
	}
	var buffer [16]router.Channel
	fewest, equal := far, buffer[:0]
	for _, k := range x.hops[r] {
		if x.failed != nil && x.failed[x.w.LinkOf(k.out)] {
			continue
		}
		n := hops(k.to) + 1
		if n < fewest {
			fewest, equal = n, equal[:0]
		}
		if n == fewest {
			equal = append(equal, k.out)
		}
	}
	if fewest >= far {
		return far, none
	}
	return fewest, equal[router.Draw(0, int64(to), int64(r), int32(len(equal)))]
}
