package submesh

import (
	"math/bits"

	"contend/allocation"
)

// block is a square submesh <x, y, side> of side 2^i [Lo et al. 1994, Def. 1].
type block struct{ x, y, side int }

// freeBlocks holds the free block records of [Lo et al. 1994, sec. 3.3.1]: for each
// size, the free blocks that are not part of a larger free block.
//
// The paper keeps the records between calls. Here they are derived from the free nodes,
// so that the allocators need no state:
//
//   - The initial blocks (Fig. 4) are cut off the lower-left corner, the
//     largest first. So the corner of a block of side s is at multiples of s,
//     and each square of side s at multiples of s in the machine is a block.
//   - A release merges buddies as long as all four are free, and a split grants
//     part of the block. So the records always hold exactly the largest free
//     blocks.
type freeBlocks struct {
	grid grid
	// levels[i] holds the blocks of side 2^i: the bit at column x of row y>>i is the
	// block with lower-left corner (x, y).
	levels []rows
	counts []int // of the blocks of each level
}

// newFreeBlocks returns memory for the free blocks of a grid.
func newFreeBlocks(g grid) *freeBlocks {
	b := &freeBlocks{grid: g}
	for i := 0; 1<<i <= min(g.width, g.height); i++ {
		b.levels = append(b.levels, newRows(g.width, g.height>>i))
	}
	b.counts = make([]int, len(b.levels))
	return b
}

// count returns the number of blocks of side 2^i.
func (b *freeBlocks) count(i int) int {
	if i >= len(b.counts) {
		return 0
	}
	return b.counts[i]
}

// take removes and returns the first block of side 2^i by (y, x).
func (b *freeBlocks) take(i int) block {
	x, y, ok := b.levels[i].first()
	if !ok {
		panic("allocation: no block of the size counted")
	}
	b.levels[i].remove(x, y)
	b.counts[i]--
	return block{x, y << i, 1 << i}
}

// add adds a free block to level i.
func (b *freeBlocks) add(i, x, y int) {
	b.levels[i].add(x, y>>i)
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
	whole := b.take(j)
	for j > i {
		j--
		half := 1 << j
		b.add(j, whole.x+half, whole.y)
		b.add(j, whole.x, whole.y+half)
		b.add(j, whole.x+half, whole.y+half)
	}
	b.add(i, whole.x, whole.y)
	return true
}

// derive computes the records from the free nodes. Going up, four free buddies form a
// free block of the next size. Then blocks inside larger ones are dropped.
func (b *freeBlocks) derive(free *allocation.FreeSet) {
	b.levels[0].load(b.grid, free)
	for i := range len(b.levels) - 1 {
		b.merge(i)
	}
	for i := range b.levels {
		if i+1 < len(b.levels) {
			b.drop(i)
		}
		b.counts[i] = 0
		for _, word := range b.levels[i].words {
			b.counts[i] += bits.OnesCount64(word)
		}
	}
}

// merge sets level i+1 to the blocks whose four quarters are in level i.
func (b *freeBlocks) merge(i int) {
	low, high := b.levels[i], b.levels[i+1]
	per := low.per
	for k := range high.words {
		y, j := k/per, k%per
		at := 2*y*per + j
		both := low.words[at] & low.words[at+per]
		if i < 6 {
			high.words[k] = both & (both >> (1 << i)) & multiples(i+1)
			continue
		}
		// Blocks of side 64 and more have their corners in the lowest bits of words,
		// one word in 2^(i-6), and their right quarters whole words away.
		step := 1 << (i - 6)
		high.words[k] = 0
		if j%(2*step) == 0 && j+step < per {
			high.words[k] = both & low.words[at+step] & low.words[at+per+step]
		}
	}
}

// drop removes the quarters of the blocks of level i+1 from level i.
func (b *freeBlocks) drop(i int) {
	low, high := b.levels[i], b.levels[i+1]
	per := low.per
	for k, word := range high.words {
		if word == 0 {
			continue
		}
		y, j := k/per, k%per
		at := 2*y*per + j
		if i < 6 {
			word |= word << (1 << i)
		} else {
			step := 1 << (i - 6)
			low.words[at+step] &^= word
			low.words[at+per+step] &^= word
		}
		low.words[at] &^= word
		low.words[at+per] &^= word
	}
}

// multiples returns the word with the bits at multiples of 2^i set, i <= 6.
func multiples(i int) uint64 {
	if i == 6 {
		return 1
	}
	return ^uint64(0) / (1<<(1<<i) - 1)
}
