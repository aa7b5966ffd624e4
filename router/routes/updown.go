package routes

import (
	"cmp"
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
// If several links lead on, a hash of router and destination's router chooses one for first, and
// firstTo deals them to the nodes of that router in turn, as subnet managers of InfiniBand spread
// destinations over links (Hoefler, Schneider and Lumsdaine, "Optimized routing for large-scale
// InfiniBand networks", HOTI 2009, sec. II).
type upDown struct {
	w       *router.Wiring
	vc      router.Channel           // of each link, the first that packets take
	home    []topology.Router        // of each node
	slot    []int32                  // of each node, its place among the nodes of its router
	nodes   []int32                  // of each router, their number
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
	// from[row] is the place in equal of the channels of a row with several, which come after an entry
	// with their number and the hops; none for other rows. It is nil if there is no such row, or if
	// the router has one node.
	from  []int32
	equal []router.Channel
	// turns has the turn of each node of the router, of all rows with so many hops. So the nodes for
	// which packets come to a router by one link are dealt to several there.
	turns []uint16
}

// hopsShift is the place of the hops in an entry of column.equal.
const hopsShift = 16

// upDownMemory is the maximum size of the columns kept, in bytes. Columns beyond it are computed
// again.
const upDownMemory = 256 << 20

// newUpDown orders the routers over the cables of which no direction has failed. The root is the
// router of most cables, the first of equals; each plane, and each part without a cable to others,
// has its own.
func newUpDown(w *router.Wiring, vc router.Channel, failed []bool) *upDown {
	n := w.Topology.Routers()
	x := &upDown{w: w, vc: vc, failed: failed, rank: make([]int32, n), hops: make([][]routerHop, n),
		home: make([]topology.Router, w.Nodes()), slot: make([]int32, w.Nodes()),
		nodes: make([]int32, n)}
	for i := range x.home {
		r, _ := w.Attach(topology.Node(i))
		x.home[i], x.slot[i] = r, x.nodes[r]
		x.nodes[r]++
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
	x.columns = make([]atomic.Pointer[column], min(n, max(1, upDownMemory/(64*n))))
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

// firstTo is first for the packets of a row of the column of the node's router, with the links
// dealt to the nodes.
func (x *upDown) firstTo(c *column, row int32, to topology.Node) router.Channel {
	if c.from == nil || c.from[row] < 0 {
		return c.next[row]
	}
	list := c.equal[c.from[row]:]
	number, hops := int32(list[0])&(1<<hopsShift-1), int32(list[0])>>hopsShift
	return list[1+int32(c.turns[hops*x.nodes[c.to]+x.slot[to]])%number]
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
	n, most := len(x.order), int32(0)
	c := &column{to: to, next: make([]router.Channel, 2*n)}
	up, down := make([]int32, n), make([]int32, n)
	find := func(row int32, r topology.Router, hops func(next topology.Router) int32) int32 {
		var buffer [16]router.Channel
		fewest, equal := x.nearest(r, to, hops, buffer[:0])
		if len(equal) == 0 {
			c.next[row] = none
			return fewest
		}
		first := int(router.Draw(0, int64(to), int64(r), int32(len(equal))))
		c.next[row] = equal[first]
		if len(equal) > 1 && len(equal) < 1<<hopsShift && x.nodes[to] > 1 &&
			x.nodes[to] <= 1<<16 {
			if c.from == nil {
				c.from = slices.Repeat([]int32{none}, 2*n)
			}
			c.from[row], most = int32(len(c.equal)), max(most, fewest)
			c.equal = append(c.equal, router.Channel(int32(len(equal))|fewest<<hopsShift))
			c.equal = append(append(c.equal, equal[first:]...), equal[:first]...)
		}
		return fewest
	}
	for _, r := range slices.Backward(x.order) {
		down[r] = find(2*int32(r)+1, r, func(next topology.Router) int32 {
			if x.rank[next] < x.rank[r] {
				return far
			}
			return down[next]
		})
	}
	for _, r := range x.order {
		up[r] = find(2*int32(r), r, func(next topology.Router) int32 {
			if x.rank[next] < x.rank[r] {
				return up[next]
			}
			return down[next]
		})
	}
	if c.from != nil {
		c.turns = dealtTurns(int(x.nodes[to]), int(most))
	}
	return c
}

// dealtTurns returns the turns of some nodes for 0 to most hops: in the order of nodes for the most
// hops, drawn for others.
func dealtTurns(nodes, most int) (turns []uint16) {
	order := make([]uint16, nodes)
	for hops := range most + 1 {
		for i := range order {
			order[i] = uint16(i)
		}
		if hops < most {
			slices.SortFunc(order, func(a, b uint16) int {
				draw := func(node uint16) int32 { return router.Draw(0, int64(node), int64(hops), 1<<30) }
				return cmp.Or(cmp.Compare(draw(a), draw(b)), cmp.Compare(a, b))
			})
		}
		turns = append(turns, order...)
	}
	return turns
}

// nearest returns the hops of a shortest path from router r to another one, given those from its
// neighbours, and appends the first channels of all such paths: none if r is that router or no path
// exists.
func (x *upDown) nearest(r, to topology.Router, hops func(next topology.Router) int32,
	equal []router.Channel) (int32, []router.Channel) {
	if r == to {
		return 0, nil
	}
	fewest := far
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
		return far, nil
	}
	return fewest, equal
}
