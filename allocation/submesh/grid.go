package submesh

import (
	"fmt"
	"math/bits"

	"contend/allocation"
	"contend/router/topology"
)

// grid is the 2D mesh of the allocators of submeshes, pages and blocks: node x +
// width·y is at column x of row y. A torus counts as the mesh it contains: no submesh,
// page or block extends across the wrapping channels, and the first and last row and
// column are borders. A line is a mesh of one row.
type grid struct {
	width, height int
	torus         bool
}

// newGrid returns the grid of a machine. For an unsuitable machine it returns an error
// that names the allocator.
func newGrid(allocator string, machine topology.Topology) (grid, error) {
	cube, ok := machine.(*topology.Cube)
	if !ok {
		return grid{},
			fmt.Errorf("allocator %s needs a 2D mesh or torus; this machine is neither", allocator)
	}
	dims := cube.Dims()
	if len(dims) > 2 {
		return grid{}, fmt.Errorf("allocator %s needs a 2D mesh or torus; this machine has %d dimensions",
			allocator, len(dims))
	}
	if !cube.OneNodePerRouter() {
		return grid{}, fmt.Errorf("allocator %s needs one node on every router; this machine has %d "+
			"nodes on %d routers",
			allocator, cube.Nodes(), cube.Routers())
	}
	g := grid{width: dims[0], height: 1}
	if len(dims) == 2 {
		g.height = dims[1]
	}
	for _, wraps := range cube.Wrap() {
		g.torus = g.torus || wraps
	}
	return g, nil
}

// checkFlat returns an error for a shape of more than two dimensions.
func (g grid) checkFlat(req allocation.Request) error {
	if len(req.Shape) > 2 {
		return fmt.Errorf("asks for %s processors; the %s has only two dimensions", req.ShapeName(), g)
	}
	return nil
}

// nodes returns the number of places.
func (g grid) nodes() int { return g.width * g.height }

// String returns the sides and the kind, such as 4x4 mesh.
func (g grid) String() string {
	if g.torus {
		return fmt.Sprintf("%dx%d torus", g.width, g.height)
	}
	return fmt.Sprintf("%dx%d mesh", g.width, g.height)
}

// fits reports whether a frame fits the empty grid.
func (g grid) fits(width, height int) bool { return width <= g.width && height <= g.height }

// node returns the node of a place.
func (g grid) node(x, y int) topology.Node { return topology.Node(x + g.width*y) }

// appendFrame appends the nodes of the width x height submesh with lower-left
// corner (x, y), row-major.
func (g grid) appendFrame(dst []topology.Node, x, y, width, height int) []topology.Node {
	for row := y; row < y+height; row++ {
		for n := g.node(x, row); n < g.node(x+width, row); n++ {
			dst = append(dst, n)
		}
	}
	return dst
}

// rows is a set of places of a grid, with one bit each. Every row starts a word, unlike
// in a FreeSet, so that a step in y is a fixed number of words.
type rows struct {
	words []uint64
	per   int // words in a row
}

// newRows returns rows of bits, none of which is set.
func newRows(width, height int) rows {
	per := (width + 63) / 64
	return rows{make([]uint64, per*height), per}
}

// load sets r to the free nodes of g.
func (r rows) load(g grid, free *allocation.FreeSet) {
	for i := range r.words {
		x := i % r.per * 64
		r.words[i] = free.Window(i/r.per*g.width+x, min(64, g.width-x))
	}
}

// has reports whether a place is in the set.
func (r rows) has(x, y int) bool { return r.words[y*r.per+x>>6]>>(x&63)&1 != 0 }

// add adds a place to the set.
func (r rows) add(x, y int) { r.words[y*r.per+x>>6] |= 1 << (x & 63) }

// remove removes a place from the set.
func (r rows) remove(x, y int) { r.words[y*r.per+x>>6] &^= 1 << (x & 63) }

// first returns the first place of the set in row-major order.
func (r rows) first() (x, y int, ok bool) {
	for i, word := range r.words {
		if word != 0 {
			return i%r.per*64 + bits.TrailingZeros64(word), i / r.per, true
		}
	}
	return 0, 0, false
}

// keepCorners reduces the set to the lower-left corners of the width x height frames
// that lie entirely in it. For a free set these are the base nodes of [Zhu 1992]. Runs
// grow by doubling, first along the rows and then across them, one word of places at a
// time.
func (r rows) keepCorners(width, height int) {
	for run := 1; run < width; {
		step := min(run, width-run)
		for start := 0; start < len(r.words); start += r.per {
			keepShifted(r.words[start:start+r.per], step)
		}
		run += step
	}
	for run := 1; run < height; {
		step := min(run, height-run)
		last := max(0, len(r.words)-step*r.per)
		for i := range last {
			r.words[i] &= r.words[i+step*r.per]
		}
		clear(r.words[last:])
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
