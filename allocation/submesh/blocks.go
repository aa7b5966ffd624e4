package submesh

import (
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
//   - The initial blocks (Fig. 4) are cut off the lowest corner, the
//     largest first. So the corner of a block of side s is at multiples of s,
//     and each cube of side s at multiples of s in the machine is a block. None lies over the
//     ends of a torus.
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
	// below[i] has, for each row of level i+1, the first word of the lowest row of its parts in
	// level i, and parts[i] the words from there to those that the parts begin in.
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

// corner returns that of the block at a place of level i.
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

// generate makes blocks of side 2^i from the first block of the next larger size
// available. It reports whether there is one: Algorithm 2 of the paper.
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

// split adds parts of a block to level i: all that differ from it in dimensions up to d, and the
// one at the corner itself if it is another part already.
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

// derive computes the records from the free nodes. Going up, free buddies form a free block of the
// next size, and only those that do not remain.
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
