package submesh

import (
	"fmt"
	"math/bits"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// block is a submesh of side 2^i in every dimension: <x, y, side> of [Lo et al. 1994, Def. 1]. Its
// corner is its lowest node.
type block struct {
	corner topology.Node
	side   int
}

// freeBlocks holds the free block records of [Lo et al. 1994, sec. 3.3.1]: for each
// size, the free blocks that are not part of a larger free block. On n dimensions a block has
// 2^n buddies as parts, four on two dimensions.
//
// The paper keeps the records between calls. Here they are derived from the free nodes,
// so that the allocators need no state:
//
//   - The initial blocks (Fig. 4) are cut off the lowest corner, the largest first. So the corner
//     of a block of side s is at multiples of s, and each cube of side s at multiples of s in the
//     machine is a block. No block lies over the ends of a torus.
//   - A release merges buddies as long as all are free, and a split grants
//     part of the block. So the records always hold exactly the largest free
//     blocks.
type freeBlocks struct {
	grid  *grid
	first topology.Node // the lowest node of the grid, which is a machine or a part of it
	// levels[i] holds the blocks of side 2^i: the bit at column x of row (y>>i, z>>i, ...) is the
	// block with its corner at (x, y, z, ...).
	levels []*rows
	counts []int // of the blocks of each level
	// below[i] has, for each row of level i+1, the first word of the lowest row of its parts in level
	// i. parts[i] has the offsets from that word to the words in which the parts begin.
	below, parts [][]int
	sides        []int // memory for the sides of a block
}

// newFreeBlocks returns memory for the free blocks of a grid, whose lowest node is given.
func newFreeBlocks(g *grid, first topology.Node) *freeBlocks {
	b := &freeBlocks{grid: g, first: first, sides: make([]int, g.dims())}
	for i := 0; 1<<i <= slices.Min(g.sides); i++ {
		sides := []int{g.sides[0]}
		for _, side := range g.sides[1:] {
			sides = append(sides, side>>i)
		}
		b.levels = append(b.levels, newRows(sides))
		if i > 0 {
			b.join(i - 1)
		}
	}
	b.counts = make([]int, len(b.levels))
	return b
}

// join appends the places of the parts of level i in the rows of level i+1.
func (b *freeBlocks) join(i int) {
	low, high := b.levels[i], b.levels[i+1]
	parts, below := []int{0}, []int{0}
	if step := 1 << i >> 6; step > 0 {
		parts = append(parts, step)
	}
	for d := 1; d < b.grid.dims(); d++ {
		for _, at := range slices.Clone(parts) {
			parts = append(parts, at+low.stride[d])
		}
		var rows []int
		for at := range high.sides[d] {
			for _, lower := range below {
				rows = append(rows, lower+2*at*low.stride[d])
			}
		}
		below = rows
	}
	b.parts, b.below = append(b.parts, parts), append(b.below, below)
}

// count returns the number of blocks of side 2^i.
func (b *freeBlocks) count(i int) int {
	if i >= len(b.counts) {
		return 0
	}
	return b.counts[i]
}

// take removes and returns the first block of side 2^i in row-major order of the corners.
func (b *freeBlocks) take(i int) block {
	at, ok := b.levels[i].first()
	if !ok {
		panic("allocation: no block of the size counted")
	}
	return b.takeAt(i, at)
}

// takeAt removes and returns the block at a place of level i.
func (b *freeBlocks) takeAt(i int, at topology.Node) block {
	b.levels[i].remove(at)
	b.counts[i]--
	return block{b.corner(i, at), 1 << i}
}

// corner returns the corner of the block at a place of level i.
func (b *freeBlocks) corner(i int, at topology.Node) topology.Node {
	sides := b.levels[i].sides
	corner, row := int(at)%sides[0], int(at)/sides[0]
	for d := 1; d < len(sides); d++ {
		corner += row % sides[d] << i * b.grid.stride[d]
		row /= sides[d]
	}
	return b.first + topology.Node(corner)
}

// add adds the free block at a corner to level i.
func (b *freeBlocks) add(i int, corner topology.Node) {
	level, n := b.levels[i], corner-b.first
	x := b.grid.at(n, 0)
	word := x >> 6
	for d := 1; d < len(level.sides); d++ {
		word += b.grid.at(n, d) >> i * level.stride[d]
	}
	level.words[word] |= 1 << (x & 63)
	b.counts[i]++
}

// generate makes blocks of side 2^i from the first block of the next larger size available, by
// Algorithm 2 of the paper. It reports whether there was such a block.
func (b *freeBlocks) generate(i int) bool {
	j := i + 1
	for b.count(j) == 0 {
		if j++; j >= len(b.levels) {
			return false
		}
	}
	whole := b.take(j).corner
	for j > i {
		j--
		b.split(j, whole, b.grid.dims()-1, false)
	}
	b.add(i, whole)
	return true
}

// split adds parts of a block to level i: all whose corners differ from the given one in dimensions
// up to d, and the part at the corner itself if another says that it is not the first part.
func (b *freeBlocks) split(i int, corner topology.Node, d int, another bool) {
	if d >= 0 {
		b.split(i, corner, d-1, another)
		b.split(i, corner+topology.Node(b.grid.stride[d])<<i, d-1, true)
	} else if another {
		b.add(i, corner)
	}
}

// splitDown splits all larger blocks into those of level i.
func (b *freeBlocks) splitDown(i int) {
	for j := len(b.levels) - 1; j > i; j-- {
		for at := range b.levels[j].all {
			b.split(j-1, b.corner(j, at), b.grid.dims()-1, true)
		}
		clear(b.levels[j].words)
		b.counts[j] = 0
	}
}

// appendBlock appends the nodes of a block.
func (b *freeBlocks) appendBlock(dst []topology.Node, k block) []topology.Node {
	for d := range b.sides {
		b.sides[d] = k.side
	}
	return b.grid.appendFrame(dst, k.corner, b.sides)
}

// derive computes the records from the free nodes. From the lowest level up, free buddies form a
// free block of the next size, and all other free blocks remain.
func (b *freeBlocks) derive(free *allocation.FreeSet) {
	b.levels[0].load(free, b.first)
	for i := range b.levels {
		if i+1 < len(b.levels) {
			b.merge(i)
		}
		b.counts[i] = 0
		for _, word := range b.levels[i].words {
			b.counts[i] += bits.OnesCount64(word)
		}
	}
}

// merge sets level i+1 to the blocks whose parts are all in level i, and removes these parts from
// level i.
func (b *freeBlocks) merge(i int) {
	low, high, per := b.levels[i].words, b.levels[i+1].words, b.levels[i].per
	// Two parts of a row, of side 32 at most, begin in one word, shift places apart. Larger parts are
	// step/2 words apart and begin at the lowest bits.
	shift, step, corners := 1<<i, max(1, 2<<i>>6), multiples(min(i+1, 6))
	if step > 1 {
		shift = 0
		clear(high)
	}
	parts := b.parts[i]
	for row, at := range b.below[i] {
		for j := 0; j+step/2 < per; j += step {
			word := ^uint64(0)
			for _, part := range parts {
				word &= low[at+part+j]
			}
			word &= word >> shift & corners
			high[row*per+j] = word
			word |= word << shift
			for _, part := range parts {
				low[at+part+j] &^= word
			}
		}
	}
}

// multiples returns the word with the bits at multiples of 2^i set, i <= 6.
func multiples(i int) uint64 {
	if i == 6 {
		return 1
	}
	return ^uint64(0) / (1<<(1<<i) - 1)
}

// buddy2d is the two-dimensional buddy system of K. Li and K. Cheng (J. Parallel and Distributed
// Computing 12, 1991; Lo et al. 1994, sec. 2), generalised to n dimensions. On a machine with sides
// of 2^n a job gets the smallest block of side 2^i that holds it. The block is the first free block
// of that size, or the lowest part of the first block of the next larger size available. A job with
// a shape uses the lowest corner of the block. Another job uses the first processors in row-major
// order. The rest of the block, which may be most of it, is reserved.
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
// in the dimensions up to d. from is the width of the frame, or 0 if the coordinates in the
// dimensions above are outside of the frame.
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

// mbs is the multiple buddy strategy [Lo et al. 1994, sec. 3.3]. The digits of the size of a
// request in base 4, or in base 2^n on n dimensions, are the numbers of blocks of each size to
// grant. A missing block is split off a larger block, or replaced by 4 or 2^n blocks of the next
// smaller size. A job gets exactly the processors it asks for. It waits only if too few processors
// are free (Corollary 1). Ranks are row-major in each block. Blocks are in the order of granting:
// the largest first, and those of one size by (..., z, y, x).
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

// Allocate implements Allocator: Algorithm 3 of the paper, with its step numbers. generate omits
// the paper's search_level, which only shortens unsuccessful searches.
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
