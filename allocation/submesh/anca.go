package submesh

import (
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// anca is the adaptive non-contiguous allocation of C. Chang and P. Mohapatra (J. Parallel
// and Distributed Computing 52, 1998). A job gets a free submesh of its shape. If there is
// none, the shape is cut into two equal parts, and the job gets a free submesh for each of
// them. If not all parts find one, each of them is cut in two, and so on down to single
// processors: 2^k parts at attempt k. So a job gets exactly the processors it asks for, and
// waits only if too few are free.
//
// The text of the paper was not at hand. These readings are ours:
//
//   - A part is cut across its longest side, of equal sides across the first of them, the width
//     on two dimensions. Half of an odd side has the place more in the first part. A single
//     processor stays whole.
//   - Parts are placed in the order of cutting, each at the first place of First Fit in what
//     the parts before have left, as it is or turned.
//   - A job without a shape of at most as many dimensions has the first processors of that of
//     NearCube. Those beyond its size belong to no part and stay free, unlike under First Fit.
//
// Ranks are row-major in each part.
type anca struct {
	space
	pieces, halves pieces // of the job, and memory for the next cut
}

// A piece of a job has the first count processors of a frame in row-major order.
type piece struct {
	sides []int
	count int
}

// pieces is a list of pieces, with the memory of their sides.
type pieces struct {
	list  []piece
	sides []int
}

// NewANCA returns anca [Chang and Mohapatra 1998].
func NewANCA(machine topology.Topology) (*anca, error) {
	g, err := newGrid("anca", machine, false)
	if err != nil {
		return nil, err
	}
	return &anca{space: newSpace(g)}, nil
}

// Check implements Allocator.
func (a *anca) Check(req allocation.Request) error { return req.Check(a.grid.nodes()) }

// CountDecides implements Counting: single processors always find a place.
func (a *anca) CountDecides() bool { return true }

// Allocate implements Allocator.
func (a *anca) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.pieces.clear()
	a.pieces.add(a.sidesOf(req), req.Size)
	for !a.place(free) {
		a.halves.clear()
		for _, p := range a.pieces.list {
			a.halves.addHalves(p)
		}
		a.pieces, a.halves = a.halves, a.pieces
	}
	return append(dst, a.nodes...), true
}

// place gives the job a frame for each piece, or reports that one has found none.
func (a *anca) place(free *allocation.FreeSet) bool {
	a.reset(free)
	for _, p := range a.pieces.list {
		if !a.fit(p.sides, p.count) {
			return false
		}
	}
	return true
}

// clear removes all pieces.
func (l *pieces) clear() { l.list, l.sides = l.list[:0], l.sides[:0] }

// add adds a piece, in a frame that ends behind its last processors.
func (l *pieces) add(sides []int, count int) {
	from := len(l.sides)
	l.sides = append(l.sides, sides...)
	sides = l.sides[from:]
	for d := len(sides) - 1; d >= 0; d-- {
		below := volume(sides[:d])
		if sides[d] = (count + below - 1) / below; sides[d] > 1 {
			break
		}
	}
	l.list = append(l.list, piece{sides, count})
}

// addHalves adds the two halves of a piece, less those without a processor.
func (l *pieces) addHalves(p piece) {
	longest, d := slices.Max(p.sides), 0
	for p.sides[d] < longest {
		d++
	}
	half := (longest + 1) / 2
	below := volume(p.sides[:d])
	count := p.count/(below*longest)*below*half + min(p.count%(below*longest), below*half)
	p.sides[d] = half
	l.add(p.sides, count)
	if p.count > count {
		p.sides[d] = longest - half
		l.add(p.sides, p.count-count)
	}
	p.sides[d] = longest
}
