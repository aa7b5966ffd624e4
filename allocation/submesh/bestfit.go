package submesh

import (
	"math/bits"

	"contend/allocation"
	"contend/router/topology"
)

// bestFit takes the base whose frame fits most tightly [Zhu 1992]: the base with the most
// neighbours that are not bases, and among equals the first. A neighbour is not a base if the frame
// cannot move by one in its direction, because that side touches a busy processor or the border of
// the machine. So the score is the number of such sides, 0 to 4 on two dimensions. A frame that
// goes round a torus has no sides in that dimension.
//
// The reading boundary counts every busy place along the sides instead (longestBoundary). It causes
// less fragmentation than Best Fit in [Lo et al. 1994, Table 1], where Best Fit differs little from
// First Fit.
type bestFit struct{ grid *grid }

// choose takes the base with the fewest neighbours that are bases, 64 bases at a time.
func (a bestFit) choose(_ *allocation.FreeSet, bases *rows, _ []int) (at topology.Node, ok bool) {
	fewest := 2*a.grid.dims() + 1
	for i, word := range bases.words {
		if word == 0 {
			continue
		}
		n, least := a.neighbours(bases, i)
		if n >= fewest {
			continue
		}
		at, fewest = bases.place(i, bits.TrailingZeros64(least)), n
		if n == 0 {
			break
		}
	}
	return at, true
}

// neighbours returns the lowest number of neighbouring bases of any base of a word, and the bases
// that have this number.
func (a bestFit) neighbours(bases *rows, i int) (fewest int, least uint64) {
	var planes [6]uint64 // the bits of the number of neighbours of each base, up to 48
	add := func(neighbours uint64) {
		for p := 0; neighbours != 0; p++ {
			planes[p], neighbours = planes[p]^neighbours, planes[p]&neighbours
		}
	}
	add(a.before(bases, i))
	add(a.after(bases, i))
	for d := 1; d < a.grid.dims(); d++ {
		step, all := bases.stride[d], bases.stride[d+1]
		switch at := i % all; {
		case at >= step:
			add(bases.words[i-step])
		case a.grid.wraps[d]:
			add(bases.words[i-step+all])
		}
		switch at := i % all; {
		case at < all-step:
			add(bases.words[i+step])
		case a.grid.wraps[d]:
			add(bases.words[i+step-all])
		}
	}
	least = bases.words[i]
	for p := bits.Len(uint(2*a.grid.dims())) - 1; p >= 0; p-- {
		if none := least &^ planes[p]; none != 0 {
			least = none
		} else {
			fewest |= 1 << p
		}
	}
	return fewest, least
}

// before returns the places of a word whose neighbour to the left is a base.
func (a bestFit) before(bases *rows, i int) uint64 {
	neighbours, last := bases.words[i]<<1, 63
	j := i - 1
	if i%bases.per == 0 {
		if !a.grid.wraps[0] {
			return neighbours
		}
		j, last = i+bases.per-1, (a.grid.sides[0]-1)&63
	}
	return neighbours | bases.words[j]>>last&1
}

// after returns the places of a word whose neighbour to the right is a base.
func (a bestFit) after(bases *rows, i int) uint64 {
	neighbours, last := bases.words[i]>>1, 63
	j := i + 1
	if j%bases.per == 0 {
		if !a.grid.wraps[0] {
			return neighbours
		}
		j, last = i+1-bases.per, (a.grid.sides[0]-1)&63
	}
	return neighbours | bases.words[j]&1<<last
}

// longestBoundary takes the base of the frame with the most places along its sides that are busy or
// outside of the machine, and among equals the first.
type longestBoundary struct {
	grid *grid
	// slabs[d] has, for each node, the number of free processors in the frame at that node, reduced to
	// one place along dimension d.
	slabs [][]int32
	sums  []int32 // memory of addRuns
}

// newLongestBoundary returns best-fit with the score boundary on a grid.
func newLongestBoundary(g *grid) *longestBoundary {
	a := &longestBoundary{g, nil, make([]int32, g.nodes())}
	for range g.sides {
		a.slabs = append(a.slabs, make([]int32, g.nodes()))
	}
	return a
}

// choose takes the base whose sides have the fewest free places.
func (a *longestBoundary) choose(free *allocation.FreeSet, bases *rows,
	sides []int) (at topology.Node, ok bool) {
	for d := range sides {
		a.count(free, sides, d)
	}
	fewest := int32(-1)
	for base := range bases.all {
		n := a.along(base, sides)
		if fewest < 0 || n < fewest {
			at, fewest = base, n
		}
	}
	return at, true
}

// count sets the slab of a dimension.
func (a *longestBoundary) count(free *allocation.FreeSet, sides []int, thin int) {
	words, slab := free.Words(), a.slabs[thin]
	for n := range slab {
		slab[n] = int32(words[n>>6] >> (n & 63) & 1)
	}
	for d, side := range sides {
		if d != thin && side > 1 {
			a.addRuns(slab, d, side)
		}
	}
}

// addRuns replaces each count by the sum of the counts of a run of places that begins there, along
// dimension d. Sums from each place to the last one give the sums of runs.
func (a *longestBoundary) addRuns(counts []int32, d, length int) {
	stride, all := a.grid.stride[d], a.grid.stride[d+1]
	inside := all - length*stride // of all places of a part, those whose run does not pass the last
	for start := 0; start < len(counts); start += all {
		part, sums := counts[start:start+all], a.sums[:all]
		copy(sums[all-stride:], part[all-stride:])
		for n := all - stride - 1; n >= 0; n-- {
			sums[n] = part[n] + sums[n+stride]
		}
		for n, behind := range sums[length*stride:] {
			part[n] = sums[n] - behind
		}
		copy(part[inside:], sums[inside:])
		if a.grid.wraps[d] {
			for n := inside; n < all; n++ {
				part[n] += sums[n%stride] - sums[n-inside]
			}
		}
	}
}

// along returns the number of free places along the sides of a frame.
func (a *longestBoundary) along(base topology.Node, sides []int) (n int32) {
	for d, side := range sides {
		stride, all := a.grid.stride[d], a.grid.sides[d]
		at, slab, node := a.grid.at(base, d), a.slabs[d], int(base)
		switch {
		case at > 0:
			n += slab[node-stride]
		case a.grid.wraps[d]:
			n += slab[node+(all-1)*stride]
		}
		switch {
		case at+side < all:
			n += slab[node+side*stride]
		case a.grid.wraps[d]:
			n += slab[node+(side-all)*stride]
		}
	}
	return n
}
