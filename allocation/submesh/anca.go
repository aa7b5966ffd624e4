package submesh

import (
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
//   - A part is cut across its longer side, of equal sides across the width. Half of an odd
//     side has the place more in the first part. A single processor stays whole.
//   - Parts are placed in the order of cutting, each at the first place of First Fit in what
//     the parts before have left, as it is or turned.
//   - A job without a shape of at most two dimensions has the first processors of that of
//     NearSquare. Those beyond its size belong to no part and stay free, unlike under First Fit.
//
// Ranks are row-major in each part.
type anca struct {
	space
	pieces []piece // of the job
	halves []piece // memory for the next cut
}

// A piece of a job has width x height processors less those of the last row beyond count.
type piece struct{ width, height, count int }

// NewANCA returns anca [Chang and Mohapatra 1998].
func NewANCA(machine topology.Topology) (*anca, error) {
	g, err := newGrid("anca", machine)
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
	width, height := a.sides(req)
	a.pieces = append(a.pieces[:0], piece{width, height, req.Size})
	for !a.place(free) {
		a.halves = a.halves[:0]
		for _, p := range a.pieces {
			a.halves = p.appendHalves(a.halves)
		}
		a.pieces, a.halves = a.halves, a.pieces
	}
	return a.appendParts(dst), true
}

// place gives the job a frame for each piece, or reports that one has found none.
func (a *anca) place(free *allocation.FreeSet) bool {
	a.reset(free)
	for _, p := range a.pieces {
		if !a.fit(p.width, p.height, p.count) {
			return false
		}
	}
	return true
}

// appendHalves appends the two halves of a piece, less those without a processor.
func (p piece) appendHalves(list []piece) []piece {
	if p.width == 1 && p.height == 1 {
		return append(list, p)
	}
	last := p.count - p.width*(p.height-1) // processors of the last row
	if p.height > p.width {
		half := (p.height + 1) / 2
		return appendPiece(appendPiece(list, p.width, half, p.width), p.width, p.height-half, last)
	}
	half := (p.width + 1) / 2
	return appendPiece(appendPiece(list, half, p.height, min(last, half)), p.width-half, p.height,
		max(last-half, 0))
}

// appendPiece appends a piece with that many processors in its last row.
func appendPiece(list []piece, width, height, last int) []piece {
	if last == 0 {
		height, last = height-1, width
	}
	switch height {
	case 0:
		return list
	case 1:
		width = last
	}
	return append(list, piece{width, height, width*(height-1) + last})
}
