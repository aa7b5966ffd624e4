package submesh

import (
	"fmt"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// buddy2d is the two-dimensional buddy system of K. Li and K. Cheng (J. Parallel and
// Distributed Computing 12, 1991; Lo et al. 1994, sec. 2), and its like in n dimensions. On a
// machine with sides of 2^n a job gets the smallest block of side 2^i that holds it. It is the
// first free block of that size. If there is none, it is the lowest part of the first block of
// the next larger size available. A job with a shape uses the lowest corner of the
// block. Another job uses the first processors in row-major order. The rest of the
// block is reserved, which may be most of it.
type buddy2d struct {
	grid   *grid
	blocks *freeBlocks
	sides  []int // memory for the sides of a job
}

// NewBuddy2D returns buddy2d [Li and Cheng 1991].
func NewBuddy2D(machine topology.Topology) (*buddy2d, error) {
	g, err := newGrid("buddy2d", machine, false)
	if err != nil {
		return nil, err
	}
	if side := g.sides[0]; side != slices.Min(g.sides) || side != slices.Max(g.sides) ||
		side&(side-1) != 0 {
		return nil, fmt.Errorf("allocator buddy2d needs a square machine whose side is a power of "+
			"two, not a %s; mbs takes any", g)
	}
	return &buddy2d{g, newFreeBlocks(g, 0), nil}, nil
}

// Check implements Allocator.
func (a *buddy2d) Check(req allocation.Request) error {
	if err := a.grid.check(req); err != nil {
		return err
	}
	if sides, ok := a.grid.appendShape(nil, req); ok && !a.grid.fits(sides) {
		return fmt.Errorf("asks for %s processors; the %s has no such submesh",
			req.ShapeName(), a.grid)
	}
	return nil
}

// Allocate implements Allocator.
func (a *buddy2d) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	sides, shaped := a.grid.appendShape(a.sides[:0], req)
	a.sides = sides
	if !shaped && len(req.Shape) > 0 {
		return dst, false
	}
	level := 0
	for (shaped && slices.Max(sides) > 1<<level) || req.Size > 1<<(a.grid.dims()*level) {
		if level++; 1<<(a.grid.dims()*level) > free.Count() {
			return dst, false
		}
	}
	a.blocks.derive(free)
	if a.blocks.count(level) == 0 && !a.blocks.generate(level) {
		return dst, false
	}
	block := a.blocks.take(level)
	if !shaped {
		return a.blocks.appendBlock(dst, block), true
	}
	dst = a.grid.appendFrame(dst, block.corner, sides)
	return a.appendRest(dst, block.corner, block.side, len(sides)-1, sides[0]), true
}

// appendRest appends the nodes of a block that are not in the job's frame at its corner, row-major,
// in the dimensions up to d. from is the width of the frame, or 0 if the place in the dimensions
// above is outside of it.
func (a *buddy2d) appendRest(dst []topology.Node, at topology.Node,
	side, d, from int) []topology.Node {
	if d == 0 {
		for n := at + topology.Node(from); n < at+topology.Node(side); n++ {
			dst = append(dst, n)
		}
		return dst
	}
	for i := range side {
		if i == a.sides[d] {
			from = 0
		}
		dst = a.appendRest(dst, at, side, d-1, from)
		at += topology.Node(a.grid.stride[d])
	}
	return dst
}

// mbs is the multiple buddy strategy [Lo et al. 1994, sec. 3.3]. The size of a request
// in base 4, on n dimensions in base 2^n, says how many blocks of each size to grant. A missing
// block is split off a larger block, or replaced by 4 or 2^n blocks of the next smaller size. A job
// gets exactly
// the processors it asks for. It waits only if too few processors are free (Corollary
// 1). Ranks are row-major in each block. Blocks are in the order of granting: the
// largest first, and those of one size by (..., z, y, x).
type mbs struct {
	grid   *grid
	blocks *freeBlocks
}

// NewMBS returns mbs [Lo et al. 1994, sec. 3.3].
func NewMBS(machine topology.Topology) (*mbs, error) {
	g, err := newGrid("mbs", machine, false)
	if err != nil {
		return nil, err
	}
	return &mbs{grid: g, blocks: newFreeBlocks(g, 0)}, nil
}

// Check implements Allocator.
func (a *mbs) Check(req allocation.Request) error { return req.Check(a.grid.nodes()) }

// CountDecides implements Counting (Lo et al. 1994, sec. 3.3).
func (a *mbs) CountDecides() bool { return true }

// Allocate implements Allocator: Algorithm 3 of the paper, with its step numbers. The
// paper's search_level only shortens searches that find nothing, so generate omits it.
func (a *mbs) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() { // 1
		return dst, false
	}
	a.blocks.derive(free)
	start, dims := len(dst), a.grid.dims()
	var want [16]int // Request_Array; machines have at most 4^12 nodes
	level := 0
	for size := req.Size; ; level++ { // 2
		want[level] = size & (1<<dims - 1)
		if size >>= dims; size == 0 {
			break
		}
	}
	for ; level >= 0; level-- { // 3, 7
		have := a.blocks.count(level)
		if want[level] > have { // 4
			if a.blocks.generate(level) { // 5
				have = a.blocks.count(level)
			} else { // 6
				want[level-1] += (want[level] - have) << dims
			}
		}
		for range min(want[level], have) {
			dst = a.blocks.appendBlock(dst, a.blocks.take(level))
		}
	}
	if len(dst)-start != req.Size {
		panic("allocation: mbs did not grant what was asked for")
	}
	return dst, true
}
