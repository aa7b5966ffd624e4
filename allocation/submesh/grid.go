package submesh

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"contend/allocation"
	"contend/router/topology"
)

// grid is the mesh of the allocators of submeshes, pages and blocks, in two or more dimensions: the
// node at (x, y, z, ...) is x + X·(y + Y·(z + ...)). A line is a mesh of one row, and a hypercube a
// mesh with sides of two. A torus counts as the mesh that it contains, in which the first and last
// places of a dimension are borders. With wrap, frames may lie over the ends of a dimension that
// are joined.
type grid struct {
	sides  []int  // number of places along each dimension
	stride []int  // distance between the nodes of neighbours, and last the number of nodes
	wraps  []bool // frames may lie over the ends
	torus  bool
}

// maxDims is the greatest number of dimensions, that of the largest hypercube.
const maxDims = 24

// newGrid returns the grid of a machine. For an unsuitable machine it returns an error
// that names the allocator.
func newGrid(allocator string, machine topology.Topology, wrap bool) (*grid, error) {
	cube, ok := machine.(*topology.Cube)
	if !ok {
		return nil, fmt.Errorf("allocator %s needs a mesh, a torus or a hypercube; this machine is none",
			allocator)
	}
	if n := len(cube.Dims()); n > maxDims {
		return nil, fmt.Errorf("allocator %s needs at most %d dimensions; this machine has %d", allocator,
			maxDims, n)
	}
	if !cube.OneNodePerRouter() {
		return nil, fmt.Errorf("allocator %s needs one node on every router; this machine has %d "+
			"nodes on %d routers",
			allocator, cube.Nodes(), cube.Routers())
	}
	g := gridOf(cube.Dims()...)
	if len(g.sides) == 1 {
		g = gridOf(g.sides[0], 1)
	}
	for d, wraps := range cube.Wrap() {
		g.torus = g.torus || wraps
		g.wraps[d] = wraps && wrap
	}
	if wrap && !g.torus {
		return nil, fmt.Errorf("allocator %s: wrap needs a torus, whose ends are joined; this machine "+
			"is a %s: leave wrap out", allocator, g)
	}
	return g, nil
}

// gridOf returns the mesh of some sides.
func gridOf(sides ...int) *grid {
	g := &grid{slices.Clone(sides), []int{1}, make([]bool, len(sides)), false}
	for d, side := range g.sides {
		g.stride = append(g.stride, g.stride[d]*side)
	}
	return g
}

// dims returns the number of dimensions.
func (g *grid) dims() int { return len(g.sides) }

// nodes returns the number of places.
func (g *grid) nodes() int { return g.stride[len(g.sides)] }

// at returns the coordinate of a node along dimension d.
func (g *grid) at(n topology.Node, d int) int {
	return int(uint32(n) / uint32(g.stride[d]) % uint32(g.sides[d])) // faster than with 64 bits
}

// String returns the sides and the kind, such as 4x4 mesh.
func (g *grid) String() string {
	name := allocation.Request{Shape: g.sides}.ShapeName()
	if g.torus {
		return name + " torus"
	}
	return name + " mesh"
}

// fits reports whether a frame fits the empty grid.
func (g *grid) fits(sides []int) bool {
	for d, side := range sides {
		if side > g.sides[d] {
			return false
		}
	}
	return true
}

// check returns an error for a request that is invalid, or whose shape has more sides than the
// grid.
func (g *grid) check(req allocation.Request) error {
	if err := req.Check(g.nodes()); err != nil {
		return err
	}
	if len(req.Shape) > g.dims() {
		return fmt.Errorf("asks for %s processors; the %s has only %s dimensions", req.ShapeName(), g,
			numeral(g.dims()))
	}
	return nil
}

// numeral returns a number of dimensions as a word.
func numeral(n int) string {
	if n == 2 {
		return "two"
	}
	return strconv.Itoa(n)
}

// appendShape appends the sides of a request's shape, with a side of one in each dimension that the
// shape lacks. It reports false for a request without a shape, and for one with more sides than
// the grid.
func (g *grid) appendShape(dst []int, req allocation.Request) ([]int, bool) {
	if len(req.Shape) == 0 || len(req.Shape) > g.dims() {
		return dst, false
	}
	dst = append(dst, req.Shape...)
	for range g.dims() - len(req.Shape) {
		dst = append(dst, 1)
	}
	return dst, true
}

// appendFrame appends the nodes of the frame of some sides with its lowest corner at a node,
// row-major. Behind the last place of a dimension it continues with the first.
func (g *grid) appendFrame(dst []topology.Node, at topology.Node, sides []int) []topology.Node {
	d := len(sides) - 1
	stride, inside := topology.Node(g.stride[d]), sides[d]
	if g.wraps[d] {
		inside = min(inside, g.sides[d]-g.at(at, d))
	}
	for i := range sides[d] {
		if i == inside {
			at -= topology.Node(g.stride[d+1])
		}
		switch {
		case d == 0:
			dst = append(dst, at)
		case d > 1 || g.wraps[0]:
			dst = g.appendFrame(dst, at, sides[:d])
		default: // a row, in half the time
			for n := at; n < at+topology.Node(sides[0]); n++ {
				dst = append(dst, n)
			}
		}
		at += stride
	}
	return dst
}

// rows is a set of places of a mesh, with one bit each. Every row of the first dimension begins at
// a word, unlike in a FreeSet, so that a step in any other dimension is a fixed number of words.
type rows struct {
	words   []uint64
	sides   []int
	stride  []int    // words from a place to the next along dimensions 1, 2, ..., and last all words
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

// load sets r to the free nodes of a grid with the sides of r, or of the part of a grid that begins
// at node first.
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

// keepCorners reduces the set to the lowest corners of those frames of the given sides that lie
// entirely in the set. For a free set these are the base nodes of [Zhu 1992]. Runs grow by
// doubling, first along the rows and then across them, one word of places at a time.
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

// keepAcross keeps those places of a part for which the place step words further on is in the part
// too. A part that wraps continues with its beginning.
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

// keepRings keeps the places of each row at which a run of the given length begins; runs continue
// past the end of the row. It searches for runs in the row written twice.
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

// keepRuns keeps the places of rows of per words at which a run of the given length begins.
func keepRuns(words []uint64, per, length int) {
	for run := 1; run < length; {
		step := min(run, length-run)
		for start := 0; start < len(words); start += per {
			keepShifted(words[start:start+per], step)
		}
		run += step
	}
}

// keepShifted keeps those places of a row for which the place step further right is in the row too.
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
