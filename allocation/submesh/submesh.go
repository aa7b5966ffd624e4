// Package submesh has the allocators that give a job free submeshes, pages or blocks of a mesh,
// a torus or a hypercube, or a box of a HyperX.
//
// Example: two nodes of a mesh of 5x4 are busy (*). A job asks for 2x2 processors. first-fit takes
// the first free submesh, at the lower left. best-fit takes the one with the most sides at the
// border or at busy nodes. mbs serves a job of six with a block of 2x2 and two blocks of one
// processor (testdata/package.txt):
//
//	first-fit    best-fit     mbs
//	. . * . .    2 3 * . .    . . * . .
//	. . * . .    0 1 * . .    . . * . .
//	2 3 . . .    . . . . .    2 3 . . 5
//	0 1 . . .    . . . . .    0 1 . . 4
package submesh

import (
	"fmt"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// submesh gives a job a free submesh of the requested shape: first fit and best fit of Y. Zhu (J.
// Parallel and Distributed Computing 16, 1992) and frame sliding of P. Chuang and N. Tzeng (ICDCS
// 1991), all as in [Lo et al. 1994, sec. 2], which scan places row-major from (0, 0). Ranks are
// row-major in the submesh. A job without a shape gets the shape of NearCube and reserves the
// processors left over. A shape has side one in the dimensions that it lacks.
//
// With rotate, a job that does not fit as requested is tried with its sides in all other orders, in
// descending lexicographic order. The papers compared do not rotate.
//
// With wrap, a submesh may lie over the joined ends of a torus. Then every place of such a
// dimension may be its lowest corner, and ranks continue behind the end with the first place.
type submesh struct {
	name   string
	grid   *grid
	rotate bool // try sides in other orders
	placer placer
	bases  *rows // lowest corners of the free frames
	sides  []int // memory for the requested sides, and for other orders of them
}

// A placer chooses among the places where a frame of the given sides fits. Its arguments are the
// free nodes and the lowest corners of the free frames, of which there is at least one.
type placer interface {
	choose(free *allocation.FreeSet, bases *rows, sides []int) (topology.Node, bool)
}

// Options choose other readings of an allocator's paper than the first.
type Options struct {
	// Rotate tries the sides of a job in other orders too, and Wrap lets submeshes lie over the
	// ends of a torus.
	Rotate, Wrap bool
	// Score is one of the scores of best-fit, and Start one of the starts of frame-sliding.
	Score, Start string
}

// New returns an allocator of submeshes: first-fit, best-fit or frame-sliding.
func New(name string, machine topology.Topology, o Options) (*submesh, error) {
	g, err := newGrid(name, machine, o.Wrap)
	if err != nil {
		return nil, err
	}
	a := &submesh{name: name, grid: g, rotate: o.Rotate, bases: newRows(g.sides)}
	switch name {
	case "first-fit":
		a.placer = firstFit{}
	case "best-fit":
		a.placer = bestFit{grid: g}
		if o.Score == ScoreBoundary {
			a.placer = newLongestBoundary(g)
		}
	case "frame-sliding":
		a.placer = &frameSliding{grid: g, free: o.Start == StartFree}
	default:
		panic("allocation: no placer of submeshes " + name)
	}
	return a, nil
}

// Check implements Allocator.
func (a *submesh) Check(req allocation.Request) error {
	if err := a.grid.check(req); err != nil {
		return err
	}
	sides, shaped := a.grid.appendShape(nil, req)
	if !shaped || a.grid.fits(sides) {
		return nil
	}
	turned := slices.Clone(sides)
	for firstOrder(turned); !a.grid.fits(turned); {
		if !nextOrder(turned) {
			return fmt.Errorf("asks for %s processors; the %s has no such submesh",
				req.ShapeName(), a.grid)
		}
	}
	if !a.rotate {
		return fmt.Errorf("asks for %s processors; the %s has no such submesh, but one of %s: ask "+
			"for that, or use %s:rotate",
			req.ShapeName(), a.grid, allocation.Request{Shape: turned}.ShapeName(), a.name)
	}
	return nil
}

// Allocate implements Allocator.
func (a *submesh) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	sides, ok := a.grid.appendShape(a.sides[:0], req)
	if !ok {
		if len(req.Shape) > 0 {
			return dst, false
		}
		if sides, ok = allocation.NearCube(sides, req.Size, a.grid.sides); !ok {
			return dst, false
		}
	}
	a.sides = append(sides, sides...)
	sides, turned := a.sides[:len(sides)], a.sides[len(sides):]
	if dst, ok = a.allocate(dst, free, sides); ok || !a.rotate {
		return dst, ok
	}
	firstOrder(turned)
	for more := true; more; more = nextOrder(turned) {
		if slices.Equal(turned, sides) {
			continue
		}
		if dst, ok = a.allocate(dst, free, turned); ok {
			return dst, true
		}
	}
	return dst, false
}

// allocate places a job of some sides, not turned.
func (a *submesh) allocate(dst []topology.Node, free *allocation.FreeSet,
	sides []int) ([]topology.Node, bool) {
	if !a.grid.fits(sides) || volume(sides) > free.Count() {
		return dst, false
	}
	a.bases.load(free, 0)
	a.bases.keepCorners(sides, a.grid.wraps)
	if _, any := a.bases.first(); !any {
		return dst, false
	}
	at, ok := a.placer.choose(free, a.bases, sides)
	if !ok {
		return dst, false
	}
	return a.grid.appendFrame(dst, at, sides), true
}

// volume returns the number of places of a frame.
func volume(sides []int) int {
	v := 1
	for _, side := range sides {
		v *= side
	}
	return v
}

// firstOrder puts sides in the first of their orders, the longest first.
func firstOrder(sides []int) {
	slices.Sort(sides)
	slices.Reverse(sides)
}

// nextOrder puts sides in the next of their different orders, in descending lexicographic order. It
// reports false after the last.
func nextOrder(sides []int) bool {
	i := len(sides) - 2
	for i >= 0 && sides[i] <= sides[i+1] {
		i--
	}
	if i < 0 {
		return false
	}
	j := len(sides) - 1
	for sides[j] >= sides[i] {
		j--
	}
	sides[i], sides[j] = sides[j], sides[i]
	slices.Reverse(sides[i+1:])
	return true
}

// firstFit takes the first base [Zhu 1992].
type firstFit struct{}

// choose takes the first base.
func (firstFit) choose(_ *allocation.FreeSet, bases *rows, _ []int) (topology.Node, bool) {
	return bases.first()
}

// Readings of papers that are ambiguous. The first of each list reproduces the printed
// figures.
const (
	// ScoreSides makes best-fit count the sides of a frame that touch a busy processor
	// or the border. ScoreBoundary makes it count the places along its sides that are
	// busy or outside [Lo et al. 1994, sec. 2].
	ScoreSides, ScoreBoundary = "sides", "boundary"
	// StartFitting makes frame-sliding start at the lowest leftmost free processor at
	// which the frame lies in the machine. StartFree makes it start at the lowest
	// leftmost free processor [Lo et al. 1994, sec. 2].
	StartFitting, StartFree = "fitting", "free"
)

// frameSliding starts with the frame whose lowest corner is the lowest leftmost free processor: the
// first in row-major order. It moves by multiples of the frame's sides along each dimension. It
// takes the first free frame, by rows from below and in each row from the left [Chuang and Tzeng
// 1991]. So it misses frames between its strides and may refuse a job that first fit places.
//
// The search for the start skips processors so near to a far border that the frame does not fit.
// The reading free, which starts at these too, is far worse than Frame Sliding in [Lo et al. 1994,
// Table 1].
//
// Along a dimension that wraps, strides begin at the start and go round once.
type frameSliding struct {
	grid *grid
	free bool
}

// choose takes the first base at a whole number of strides from the start.
func (a *frameSliding) choose(free *allocation.FreeSet, bases *rows, sides []int) (topology.Node,
	bool) {
	start, ok := a.start(free, sides)
	if !ok {
		return 0, false
	}
	return a.slide(bases, sides, start, len(sides)-1, 0)
}

// slide moves along dimension d and the dimensions below it. offset is the offset of the
// coordinates chosen in the dimensions above.
func (a *frameSliding) slide(bases *rows, sides []int, start topology.Node, d, offset int) (
	topology.Node, bool) {
	all, side := a.grid.sides[d], sides[d]
	from := a.grid.at(start, d)
	end := from + all
	if !a.grid.wraps[d] {
		end = all - side + 1
		if d < len(sides)-1 {
			from %= side // in the start's row no frame to the left is free; further up one may be
		}
	}
	row := offset / a.grid.sides[0] * bases.per
	for x := from; x < end; x += side {
		at := x
		if x >= all {
			at -= all
		}
		if d == 0 {
			if bases.words[row+at>>6]>>(at&63)&1 != 0 {
				return topology.Node(offset + at), true
			}
			continue
		}
		n, ok := a.slide(bases, sides, start, d-1, offset+at*a.grid.stride[d])
		if ok {
			return n, true
		}
	}
	return 0, false
}

// start returns the first free processor at which a frame lies in the machine.
func (a *frameSliding) start(free *allocation.FreeSet, sides []int) (topology.Node, bool) {
	n, ok := free.Next(0)
	for ok && !a.free {
		d := a.out(n, sides)
		if d < 0 {
			break
		}
		step := a.grid.stride[d+1]
		n, ok = free.Next(topology.Node((int(n)/step + 1) * step))
	}
	return n, ok
}

// out returns the last dimension in which a frame at a node extends beyond the machine, or -1.
func (a *frameSliding) out(n topology.Node, sides []int) int {
	for d := len(sides) - 1; d >= 0; d-- {
		if !a.grid.wraps[d] && a.grid.at(n, d)+sides[d] > a.grid.sides[d] {
			return d
		}
	}
	return -1
}
