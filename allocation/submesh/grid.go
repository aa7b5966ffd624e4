package submesh

import (
	"fmt"
	"slices"
	"strconv"

	"contend/allocation"
	"contend/router/topology"
)

// grid is the mesh of the allocators of submeshes, pages and blocks, in two or more dimensions:
// the node at (x, y, z, ...) is x + X·(y + Y·(z + ...)). A line is a mesh of one row, and a
// hypercube a mesh with sides of two. A torus counts as the mesh it contains, in which the first
// and last places of a dimension are borders. With wrap, frames of a dimension whose ends are
// joined may lie over them.
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

// numeral returns a number of dimensions as text has it.
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
// row-major. It goes on from the first place behind the last one of a dimension.
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
