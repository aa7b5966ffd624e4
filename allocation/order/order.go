// Package order puts the nodes of a machine in the order of a curve, and has the allocators that
// treat the machine as such a line.
//
// Example: Hilbert's curve numbers the nodes of a mesh of 4x4 from 0 to f. With the busy nodes 3,
// 6, 7, 8, c, d and f, first-fit-1d gives a job of two processors the nodes of the first interval
// that fits, of ranks 0 to 2. best-fit-1d gives it the smallest interval that fits, of ranks 4 and
// 5 (testdata/package.txt):
//
//	Hilbert     first fit   best fit
//	5 6 9 a     . * . .     1 * . .
//	4 7 8 b     . * * .     0 * * .
//	3 2 d c     * . * *     * . * *
//	0 1 e f     0 1 . *     . . . *
package order

import (
	"fmt"
	"slices"
	"strings"

	"contend/allocation"
	"contend/router/topology"
)

// Orders of nodes and pages. The first four are those of [Lo et al. 1994, Fig. 2].
const (
	RowMajor         = "row-major"
	ShuffledRowMajor = "shuffled-row-major"
	Snake            = "snake"
	ShuffledSnake    = "shuffled-snake"
	MiddleOut        = "middle-out"
	Hilbert          = "hilbert"
	HIndex           = "h-index"
	Optimized        = "optimized"
)

// Morton is another name of ShuffledRowMajor, its usual name among curves.
const Morton = "morton"

// LabelWords are the words that labels of tables have for an order, or the span Linear, behind the
// name of a packer: First fit, Hilbert. Other parameters stand there as they are given.
var LabelWords = map[string]string{Hilbert: "Hilbert", Snake: "snake", string(Linear): "linear"}

// Orders lists the orders of pages. The first is the default.
func Orders() []allocation.Info { return NodeOrders()[:5] }

// NodeOrders lists the orders of the nodes of a machine, beginning with the orders of pages. An
// order that is drawn on a grid may be turned: see New.
func NodeOrders() []allocation.Info {
	return []allocation.Info{
		{Name: RowMajor, Doc: "rows from the lowest, each from the left (Lo et al. 1994, Fig. 2a)"},
		{Name: ShuffledRowMajor,
			Doc: "bits of row and column interleaved: quadrants of quadrants, each " +
				"row-major (Fig. 2b)"},
		{Name: Snake, Doc: "rows from the lowest, odd ones from the right (Fig. 2c)"},
		{Name: ShuffledSnake,
			Doc: "quadrants of quadrants, each a snake: its upper row from the right (Fig. 2d)"},
		{Name: MiddleOut,
			Doc: "rows from the lowest, each from its middle outward, left and right in turn " +
				"(pairs as in Lo et al. 1994, sec. 5)"},
		{Name: Hilbert, Doc: "Hilbert's curve in any number of dimensions (Leung et al. 2002, sec. 2.2)"},
		{Name: HIndex,
			Doc: "H-indexing, a closed curve in two dimensions (Niedermeier, Reinhardt and Sanders " +
				"1997)"},
		{Name: Optimized,
			Doc: "local search from the best curve for nodes near in the order to be near in the " +
				"network, on any machine (Leung et al. 2002, sec. 2.2)"},
	}
}

// New returns the nodes of a machine in the named order, one of NodeOrders.
//
// It orders the routers and leaves out those without nodes. The nodes of one router follow each
// other. The curves need a mesh, a torus or a hypercube. On any machine row-major is the order of
// the node numbers.
//
// A curve may be turned: hilbert/yx is the Hilbert curve with x and y exchanged, and
// snake/x-y is the snake that begins in the highest row. The slash precedes the
// dimensions of the machine, x, y, z, u, v, w, in the order in which the curve uses
// them. A minus follows a dimension that is counted from its far end.
func New(name string, machine topology.Topology) ([]topology.Node, error) {
	base, turned, slash := strings.Cut(name, "/")
	if base == Morton {
		base = ShuffledRowMajor
	}
	if err := allocation.Known("order", base, NodeOrders()); err != nil {
		return nil, err
	}
	if base == Optimized {
		if slash {
			return nil, fmt.Errorf("order %s: optimized cannot be turned; only curves can", name)
		}
		return optimizedOrder(machine)
	}
	cube, ok := machine.(*topology.Cube)
	if !ok {
		if base == RowMajor && !slash {
			return byNumber(machine), nil
		}
		return nil, fmt.Errorf("order %s needs a mesh, a torus or a hypercube; this machine is none: "+
			"%s or %s would do", name, RowMajor, Optimized)
	}
	if base == HIndex && len(cube.Dims()) != 2 {
		return nil, fmt.Errorf("order %s needs two dimensions; this machine has %d: %s would do", name,
			len(cube.Dims()), Hilbert)
	}
	view, err := parseOrientation(name, turned, slash, len(cube.Dims()))
	if err != nil {
		return nil, err
	}
	draw, _ := CurveByName(base)
	return nodesOf(cube, view.cells(draw, cube.Dims())), nil
}

// byNumber returns the nodes in the order of their numbers.
func byNumber(machine topology.Topology) []topology.Node {
	order := make([]topology.Node, machine.Nodes())
	for i := range order {
		order[i] = topology.Node(i)
	}
	return order
}

// nodesOf lists the nodes of routers, router by router.
func nodesOf(cube *topology.Cube, routers []int) []topology.Node {
	order := make([]topology.Node, 0, cube.Nodes())
	for _, r := range routers {
		first, n := cube.NodesAt(topology.Router(r))
		for i := range n {
			order = append(order, first+topology.Node(i))
		}
	}
	return order
}

// orientation maps the axes of a curve to the dimensions of a machine: axis i of the curve is
// dimension axes[i], counted from its far end if back[i].
type orientation struct {
	axes []int
	back []bool
}

// axisNames are the dimensions of a machine in the names of turned orders.
const axisNames = "xyzuvw"

// parseOrientation parses the part of an order's name after the slash.
func parseOrientation(name, turned string, slash bool, dims int) (orientation, error) {
	var t orientation
	back := false
	for _, c := range turned {
		if c == '-' && !back {
			back = true
			continue
		}
		d := strings.IndexRune(axisNames, c)
		if d < 0 || d >= dims || slices.Contains(t.axes, d) {
			return t, turnError(name, dims)
		}
		t.axes, t.back, back = append(t.axes, d), append(t.back, back), false
	}
	if !slash {
		for d := range dims {
			t.axes, t.back = append(t.axes, d), append(t.back, false)
		}
	}
	if back || len(t.axes) != dims {
		return t, turnError(name, dims)
	}
	return t, nil
}

// turnError is the error for a bad list of dimensions after the slash.
func turnError(name string, dims int) error {
	if dims > len(axisNames) {
		return fmt.Errorf("order %q: curves can be turned in up to %d dimensions; this machine has %d",
			name, len(axisNames), dims)
	}
	return fmt.Errorf("order %q: after the slash each of the dimensions %s must stand once, with a "+
		"minus if it is to be counted from its far end",
		name, strings.Join(strings.Split(axisNames[:dims], ""), ", "))
}

// cells draws a turned curve on a box.
func (t orientation) cells(draw Curve, sides []int) []int {
	turned := make([]int, len(sides))
	for i, d := range t.axes {
		turned[i] = sides[d]
	}
	cells := draw(turned)
	from, at := make([]int, len(sides)), make([]int, len(sides))
	for k, cell := range cells {
		locate(from, cell, turned)
		for i, d := range t.axes {
			at[d] = from[i]
			if t.back[i] {
				at[d] = sides[d] - 1 - from[i]
			}
		}
		cells[k] = cellAt(at, sides)
	}
	return cells
}
