package allocation

import (
	"fmt"
	"math/bits"
	"slices"

	"contend/netsim/topology"
)

// isolated gives a job nodes of a k-ary n-tree whose packets share no link with those of
// any other job, under the routings d-mod-k and s-mod-k. It follows Jigsaw [Smith and
// Lowenthal, "Jigsaw: A High-Utilization, Interference-Free Job Scheduler for Fat-Tree
// Clusters", HPDC 2021].
//
// A job in one leaf, the nodes of one router, uses no link between routers. Any other job
// gets, as in Jigsaw, the same positions in each of several subtrees of one level under
// one parent: rows of units, where a unit is a node, a whole leaf, a whole subtree of two
// levels and so on, and a row is a subtree one level above.
//
// Why the links are the job's own: d-mod-k leads a packet up by the digits of its
// destination. The link up that it takes at level l is that of the switch position and
// port of the digits 0 to l. In the subtree below that switch the job has a node with these
// digits, because it has the same positions everywhere. So each link up that a job uses
// belongs to a node of the job, and different jobs have different nodes. A link down leads
// to one node only. For s-mod-k up and down change places.
//
// Jigsaw also gives a job a part of one more row, and a routing of the job's own within
// that partition. No routing here knows of jobs, so the other positions of that row would
// be used too: they are reserved with the job. The text of the paper was not available; its
// conditions are taken from the argument above.
//
// The level is the lowest that has room, and the numbers of rows and of units in a row are
// those that reserve the fewest nodes, of equals the fewest rows. The parent is the first
// that has such rows. The rows are the first in lexicographic order, and the units the
// first that all of them have free.
type isolated struct {
	arity, nodes int
	// rows[l] holds, for each row of level l, a bit for each unit that is free as a
	// whole. A row of level 0 is a leaf, and its units are nodes.
	rows   [][]uint64
	shapes []rowShape
	search rowSearch
}

// rowShape is so many rows with so many units of each.
type rowShape struct{ rows, units, waste int }

// mostArity bounds the arity of the trees of isolated: the units of a row are bits of a
// word.
const mostArity = 64

func newIsolated(machine topology.Topology) (*isolated, error) {
	t, ok := machine.(*topology.Tree)
	if !ok {
		return nil, fmt.Errorf("allocator isolated needs a tree; this machine is none")
	}
	if t.Arity() > mostArity {
		return nil, fmt.Errorf("allocator isolated needs a tree of arity %d at most; this one has %d",
			mostArity, t.Arity())
	}
	a := &isolated{arity: t.Arity(), nodes: t.Nodes()}
	for l := range t.Levels() {
		if l < t.Levels()-1 && t.UpPorts(l) != t.Arity() {
			return nil, fmt.Errorf("allocator isolated needs a tree with as many ports up as down; this "+
				"one has %d up and %d down", t.UpPorts(l), t.Arity())
		}
		a.rows = append(a.rows, make([]uint64, t.Span(t.Levels()-1)/t.Span(l)))
	}
	return a, nil
}

// Check implements Allocator. Missing nodes may leave no room for what the reserved ones
// need.
func (a *isolated) Check(req Request) error {
	if err := req.check(a.nodes); err != nil {
		return err
	}
	if _, ok := a.Allocate(nil, NewFreeSet(a.nodes), req); !ok {
		return fmt.Errorf("asks for %d processors; the machine has no isolated part of that size",
			req.Size)
	}
	return nil
}

// Allocate implements Allocator.
func (a *isolated) Allocate(dst []topology.Node, free *FreeSet,
	req Request) ([]topology.Node, bool) {
	req.mustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.load(free)
	if leaf, ok := a.leaf(req.Size); ok {
		return free.appendFirst(dst, leaf*a.arity, a.arity, req.Size), true
	}
	a.search.left = mostSearched
	for l, unit := 1, 1; l < len(a.rows); l, unit = l+1, unit*a.arity {
		for _, shape := range a.shapesOf((req.Size + unit - 1) / unit) {
			for first := 0; first < len(a.rows[l-1]); first += a.arity {
				if a.search.find(a.rows[l-1][first:first+a.arity], shape) {
					return a.appendRows(dst, first, unit), true
				}
			}
		}
	}
	return dst, false
}

// load finds the free units of all levels.
func (a *isolated) load(free *FreeSet) {
	for leaf := range a.rows[0] {
		a.rows[0][leaf] = 0
		if from := leaf * a.arity; from < a.nodes {
			a.rows[0][leaf] = free.window(from, min(a.arity, a.nodes-from))
		}
	}
	whole := ^uint64(0) >> (64 - a.arity)
	for l := 1; l < len(a.rows); l++ {
		clear(a.rows[l])
		for i, row := range a.rows[l-1] {
			if row == whole {
				a.rows[l][i/a.arity] |= 1 << (i % a.arity)
			}
		}
	}
}

// leaf returns the leaf with the fewest free nodes that suffice, the first of equals.
func (a *isolated) leaf(size int) (leaf int, ok bool) {
	least := a.arity + 1
	for i, row := range a.rows[0] {
		if n := bits.OnesCount64(row); n >= size && n < least {
			leaf, least = i, n
		}
	}
	return leaf, least <= a.arity
}

// shapesOf returns the numbers of rows and units that hold so many units, without a row
// or a column to spare, in the order in which they are tried.
func (a *isolated) shapesOf(units int) []rowShape {
	a.shapes = a.shapes[:0]
	for rows := 2; rows <= min(a.arity, units); rows++ {
		across := (units + rows - 1) / rows
		if across <= a.arity && across*(rows-1) < units {
			a.shapes = append(a.shapes, rowShape{rows, across, across*rows - units})
		}
	}
	slices.SortStableFunc(a.shapes, func(x, y rowShape) int { return x.waste - y.waste })
	return a.shapes
}

// appendRows appends the nodes that the search has found below a parent, in their order.
func (a *isolated) appendRows(dst []topology.Node, first, unit int) []topology.Node {
	for _, row := range a.search.rows {
		for units := a.search.units; units != 0; units &= units - 1 {
			from := ((first+row)*a.arity + bits.TrailingZeros64(units)) * unit
			for n := range unit {
				dst = append(dst, topology.Node(from+n))
			}
		}
	}
	return dst
}
