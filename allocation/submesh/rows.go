package submesh

import (
	"math/bits"

	"contend/allocation"
	"contend/router/topology"
)

// rows is a set of places of a mesh, with one bit each. Every row of the first dimension starts a
// word, unlike in a FreeSet, so that a step in any other dimension is a fixed number of words.
type rows struct {
	words   []uint64
	sides   []int
	stride  []int    // words from a place to the next one along dimensions 1, 2, ..., and last all
	per     int      // words in a row
	scratch []uint64 // memory of keepCorners where the mesh wraps
}

// newRows returns rows of bits, none of which is set.
func newRows(sides []int) *rows {
	r := &rows{sides: sides, per: (sides[0] + 63) / 64}
	r.stride = []int{0, r.per}
	for d := 1; d < len(sides); d++ {
		r.stride = append(r.stride, r.stride[d]*sides[d])
	}
	r.words = make([]uint64, r.stride[len(sides)])
	return r
}

// load sets r to the free nodes of a grid with its sides, or of a part of one from a node on.
func (r *rows) load(free *allocation.FreeSet, first topology.Node) {
	width := r.sides[0]
	for start, from := 0, int(first); start < len(r.words); start, from = start+r.per, from+width {
		for x := 0; x < width; x += 64 {
			r.words[start+x>>6] = free.Window(from+x, min(64, width-x))
		}
	}
}

// find returns the word of a place and its bit.
func (r *rows) find(n topology.Node) (word int, bit uint64) {
	row := uint32(n) / uint32(r.sides[0]) // faster than with 64 bits
	x := int(n) - int(row)*r.sides[0]
	return int(row)*r.per + x>>6, 1 << (x & 63)
}

// place returns the place of a bit, by its number in all words.
func (r *rows) place(word, bit int) topology.Node {
	return topology.Node(word/r.per*r.sides[0] + word%r.per*64 + bit)
}

// remove removes a place from the set.
func (r *rows) remove(n topology.Node) {
	word, bit := r.find(n)
	r.words[word] &^= bit
}

// first returns the first place of the set in row-major order.
func (r *rows) first() (n topology.Node, ok bool) {
	for n = range r.all {
		return n, true
	}
	return 0, false
}

// all goes through the places of the set in row-major order.
func (r *rows) all(yield func(topology.Node) bool) {
	for i, word := range r.words {
		for ; word != 0; word &= word - 1 {
			if !yield(r.place(i, bits.TrailingZeros64(word))) {
				return
			}
		}
	}
}

// keepCorners reduces the set to the lowest corners of the frames of some sides that lie entirely
// in it. For a free set these are the base nodes of [Zhu 1992]. Runs grow by doubling, first
// along the rows and then across them, one word of places at a time.
func (r *rows) keepCorners(sides []int, wraps []bool) {
	if wraps[0] && sides[0] > 1 {
		r.keepRings(sides[0])
	} else {
		keepRuns(r.words, r.per, sides[0])
	}
	for d := 1; d < len(sides); d++ {
		for run := 1; run < sides[d]; {
			step := min(run, sides[d]-run)
			for start := 0; start < len(r.words); start += r.stride[d+1] {
				r.keepAcross(r.words[start:start+r.stride[d+1]], step*r.stride[d], wraps[d])
			}
			run += step
		}
	}
}

// keepAcross keeps the places of a part for which the place step words on is in the part too,
// counted from its beginning where it wraps.
func (r *rows) keepAcross(part []uint64, step int, wraps bool) {
	last := max(0, len(part)-step)
	if wraps {
		r.scratch = append(r.scratch[:0], part[:step]...)
	}
	for i := range last {
		part[i] &= part[i+step]
	}
	if !wraps {
		clear(part[last:])
		return
	}
	for i, word := range r.scratch {
		part[last+i] &= word
	}
}

// keepRings keeps the places of each row from which a run of some length goes on, past the end of
// the row. It looks for runs in the row written twice.
func (r *rows) keepRings(length int) {
	width := r.sides[0]
	words, shift := width>>6, width&63
	for start := 0; start < len(r.words); start += r.per {
		row := r.words[start : start+r.per]
		twice := append(append(r.scratch[:0], row...), row...)
		r.scratch = twice
		if shift > 0 {
			clear(twice[r.per:])
			for i, word := range row {
				twice[words+i] |= word << shift
				twice[words+i+1] |= word >> (64 - shift)
			}
		}
		keepRuns(twice, len(twice), length)
		copy(row, twice)
		if shift > 0 {
			row[r.per-1] &= 1<<shift - 1
		}
	}
}

// keepRuns keeps the places of rows of per words from which a run of some length goes on.
func keepRuns(words []uint64, per, length int) {
	for run := 1; run < length; {
		step := min(run, length-run)
		for start := 0; start < len(words); start += per {
			keepShifted(words[start:start+per], step)
		}
		run += step
	}
}

// keepShifted keeps the places of a row for which the place step to the right is in the row too.
func keepShifted(row []uint64, step int) {
	words, low := step>>6, step&63
	for i := range row {
		var shifted uint64
		if i+words < len(row) {
			shifted = row[i+words] >> low
		}
		if i+words+1 < len(row) {
			shifted |= row[i+words+1] << (64 - low) // nothing if low is 0
		}
		row[i] &= shifted
	}
}
