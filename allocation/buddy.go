package allocation

import (
	"fmt"

	"contend/netsim/topology"
)

// buddy2d is the two-dimensional buddy system of K. Li and K. Cheng (J.
// Parallel and Distributed Computing 12, 1991; Lo et al. 1994, sec. 2): on a
// square machine of side 2^n a job gets the smallest block of side 2^i that
// holds it, the first free one of that size or, if there is none, the
// lower-left part of the first of the next larger size there is. Of the block
// a job with a shape uses the lower-left corner, another job the first
// processors, both row-major; all else is reserved, most of the block at
// worst.
type buddy2d struct {
	grid   grid
	blocks *freeBlocks
}

func newBuddy2D(machine topology.Topology) (*buddy2d, error) {
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
func (a *buddy2d) Check(req Request) error {
	if err := req.check(a.grid.nodes()); err != nil {
		return err
	}
	if err := req.checkFlat(a.grid); err != nil {
		return err
	}
	if width, height, ok := req.sides(); ok && !a.grid.fits(width, height) {
		return fmt.Errorf("asks for %s processors; the %s has no such submesh",
			shapeName(req.Shape), a.grid)
	}
	return nil
}

// Allocate implements Allocator.
func (a *buddy2d) Allocate(dst []topology.Node, free *FreeSet,
	req Request) ([]topology.Node, bool) {
	req.mustMakeSense()
	width, height, shaped := req.sides()
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

// mbs is the multiple buddy strategy [Lo et al. 1994, sec. 3.3]: the size of
// a request written in base 4 says how many blocks of each size to grant; a
// size that has run out is made from a larger block, or replaced by four
// times as many of the next smaller. A job gets exactly what it asks for, and
// waits only when too few processors are free (Corollary 1). Ranks are
// row-major in each block, blocks as granted: the largest first, those of a
// size by (y, x).
type mbs struct {
	grid    grid
	blocks  *freeBlocks
	granted []block // of the last call, for the tests
}

func newMBS(machine topology.Topology) (*mbs, error) {
	g, err := newGrid("mbs", machine)
	if err != nil {
		return nil, err
	}
	return &mbs{grid: g, blocks: newFreeBlocks(g)}, nil
}

// Check implements Allocator.
func (a *mbs) Check(req Request) error { return req.check(a.grid.nodes()) }

// Allocate implements Allocator: Algorithm 3 of the paper, steps numbered as
// there. Its search_level only shortens searches that would find nothing, so
// generate does without.
func (a *mbs) Allocate(dst []topology.Node, free *FreeSet, req Request) ([]topology.Node, bool) {
	req.mustMakeSense()
	if req.Size > free.Count() { // 1
		return dst, false
	}
	a.blocks.derive(free)
	a.granted = a.granted[:0]
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
			a.granted = append(a.granted, b)
			dst = a.grid.appendFrame(dst, b.x, b.y, b.side, b.side)
		}
	}
	if len(dst)-start != req.Size {
		panic("allocation: mbs did not grant what was asked for")
	}
	return dst, true
}
