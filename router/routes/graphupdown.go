package routes

import (
	"iter"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// graphUpDown is up/down routing on any connected graph: see upDown. All virtual channels of a link
// are candidates.
type graphUpDown struct {
	fixedRule
	outputs
	upDown
	rows []int32 // by VC: upDown.row
}

// graphUpDownMaker makes graphUpDown.
var graphUpDownMaker = router.Maker{
	Name: "up-down", Display: "Up/down",
	Doc:    "graph: towards a root, then away from it, the shortest such way",
	Source: "Schroeder et al. 1991",
	Suits:  isKind[*topology.Graph],
	New:    func(w *router.Wiring, _ uint64) (router.Routing, error) { return newGraphUpDown(w), nil },
}

// newGraphUpDown returns up/down routing over the channels of w, which must be those of a Graph.
func newGraphUpDown(w *router.Wiring) *graphUpDown {
	x := &graphUpDown{outputs: newOutputs(w), upDown: *newUpDown(w, 0, nil)}
	x.maxChoices, x.nextRange = max(x.virtual, x.ejection), x.next
	x.rows = make([]int32, w.Channels())
	for c := range x.rows {
		x.rows[c] = x.row(router.Channel(c))
	}
	return x
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
	case column.next[x.rows[in]] == none: // failed links are on all paths
		return none, 0
	}
	return x.leaving(column, in, h.Destination), n
}

// Reroute implements Rerouting: the shortest paths in the same order of routers.
func (x *graphUpDown) Reroute(failed []bool) (of, left router.Routing) {
	k := *x
	k.upDown, k.nextRange = *x.over(failed), k.next
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
	next, eject := x.firstTo(c, x.rows[in], n), x.wiring.Ejection(n)
	if next == none { // compiled without a branch, which would be unpredictable
		next = eject
	}
	return next
}

// Witnesses implements Witnessing: packets between each two routers, from a node of each router to
// each node, and from each node by each channel that leaves its router.
func (x *graphUpDown) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	pairs := deadlock.RouterPairs(x.wiring, x)
	return x, func(yield func(router.Header) bool) {
		for h := range pairs {
			if !yield(h) {
				return
			}
		}
		for from, r := range x.home {
			row, left := x.rows[x.wiring.Injection(topology.Node(from))], map[router.Channel]bool{}
			for to, home := range x.home {
				next := x.firstTo(x.column(home), row, topology.Node(to))
				if r == home || next == none || x.slot[from] > 0 && left[next] {
					continue
				}
				left[next] = true
				if !yield(router.Header{Source: topology.Node(from), Destination: topology.Node(to)}) {
					return
				}
			}
		}
	}
}
