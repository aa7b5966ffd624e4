package submesh

import (
	"fmt"

	"contend/allocation"
	"contend/router/topology"
)

// buddy2d is the two-dimensional buddy system of K. Li and K. Cheng (J. Parallel and
// Distributed Computing 12, 1991; Lo et al. 1994, sec. 2). On a square machine of side
// 2^n a job gets the smallest block of side 2^i that holds it. It is the first free
// block of that size. If there is none, it is the lower-left part of the first block of
// the next larger size available. A job with a shape uses the lower-left corner of the
// block. Another job uses the first processors in row-major order. The rest of the
// block is reserved, which may be most of it.
type buddy2d struct {
	grid   grid
	blocks *freeBlocks
}

// NewBuddy2D returns buddy2d [Li and Cheng 1991].
func NewBuddy2D(machine topology.Topology) (*buddy2d, error) {
	g, err := newGrid("buddy2d", machine)
	if err != nil {
		return nil, err
	}
	if g.width != g.height || g.width&(g.width-1) != 0 {
		return nil, fmt.Errorf("allocator buddy2d needs a square machine whose side is a power of "+
			"two, not a %s; mbs takes any", g)
	}
	return &buddy2d{g, newFreeBlocks(g)}, nil
}

// Check implements Allocator.
func (a *buddy2d) Check(req allocation.Request) error {
	if err := req.Check(a.grid.nodes()); err != nil {
		return err
	}
	if err := a.grid.checkFlat(req); err != nil {
		return err
	}
	if width, height, ok := req.Sides(); ok && !a.grid.fits(width, height) {
		return fmt.Errorf("asks for %s processors; the %s has no such submesh",
			req.ShapeName(), a.grid)
	}
	return nil
}

// Allocate implements Allocator.
func (a *buddy2d) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	width, height, shaped := req.Sides()
	level := 0
	for (shaped && max(width, height) > 1<<level) || req.Size > 1<<(2*level) {
		if level++; 1<<(2*level) > free.Count() {
			return dst, false
		}
	}
	a.blocks.derive(free)
	if a.blocks.count(level) == 0 && !a.blocks.generate(level) {
		return dst, false
	}
	block := a.blocks.take(level)
	if !shaped {
		return a.grid.appendFrame(dst, block.x, block.y, block.side, block.side), true
	}
	dst = a.grid.appendFrame(dst, block.x, block.y, width, height)
	for y := range block.side {
		from := 0
		if y < height {
			from = width
		}
		dst = a.grid.appendFrame(dst, block.x+from, block.y+y, block.side-from, 1)
	}
	return dst, true
}

// mbs is the multiple buddy strategy [Lo et al. 1994, sec. 3.3]. The size of a request
// in base 4 says how many blocks of each size to grant. A missing block is split off a
// larger block, or replaced by four blocks of the next smaller size. A job gets exactly
// the processors it asks for. It waits only if too few processors are free (Corollary
// 1). Ranks are row-major in each block. Blocks are in the order of granting: the
// largest first, and those of one size by (y, x).
type mbs struct {
	grid   grid
	blocks *freeBlocks
}

// NewMBS returns mbs [Lo et al. 1994, sec. 3.3].
func NewMBS(machine topology.Topology) (*mbs, error) {
	g, err := newGrid("mbs", machine)
	if err != nil {
		return nil, err
	}
	return &mbs{grid: g, blocks: newFreeBlocks(g)}, nil
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
	start := len(dst)
	var want [16]int // Request_Array; machines have at most 4^12 nodes
	level := 0
	for size := req.Size; ; level++ { // 2
		want[level] = size & 3
		if size >>= 2; size == 0 {
			break
		}
	}
	for ; level >= 0; level-- { // 3, 7
		have := a.blocks.count(level)
		if want[level] > have { // 4
			if a.blocks.generate(level) { // 5
				have = a.blocks.count(level)
			} else { // 6
				want[level-1] += 4 * (want[level] - have)
			}
		}
		for range min(want[level], have) {
			b := a.blocks.take(level)
			dst = a.grid.appendFrame(dst, b.x, b.y, b.side, b.side)
		}
	}
	if len(dst)-start != req.Size {
		panic("allocation: mbs did not grant what was asked for")
	}
	return dst, true
}
