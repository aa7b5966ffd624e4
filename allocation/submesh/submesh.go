// Package submesh has the allocators that give a job free submeshes, pages or blocks of a mesh
// of up to two dimensions, or a box of a HyperX.
package submesh

import (
	"fmt"
	"math/bits"

	"contend/allocation"
	"contend/router/topology"
)

// submesh gives a job a free submesh of the requested shape: first fit and best fit of
// Y. Zhu (J. Parallel and Distributed Computing 16, 1992) and frame sliding of P.
// Chuang and N. Tzeng (ICDCS 1991), all as in [Lo et al. 1994, sec. 2], which scan
// places row-major from (0, 0). Ranks are row-major in the submesh. A job without a
// shape gets that of NearSquare and reserves the processors left over.
//
// With rotate, a job that does not fit as requested is tried with its sides exchanged.
// The papers compared do not rotate.
type submesh struct {
	name   string
	grid   grid
	rotate bool // try sides exchanged
	placer placer
	bases  rows // lower-left corners of the free frames
}

// A placer chooses among the places where a frame of width x height fits. Its arguments
// are the free nodes and the lower-left corners of the free frames, of which there is
// at least one.
type placer interface {
	choose(free *allocation.FreeSet, bases rows, width, height int) (x, y int, ok bool)
}

// New returns an allocator of submeshes: first-fit, best-fit with one of Scores, or
// frame-sliding with one of Starts.
func New(name string, machine topology.Topology, rotate bool, score,
	start string) (*submesh, error) {
	g, err := newGrid(name, machine)
	if err != nil {
		return nil, err
	}
	a := &submesh{name: name, grid: g, rotate: rotate, bases: newRows(g.width, g.height)}
	switch name {
	case "first-fit":
		a.placer = firstFit{}
	case "best-fit":
		a.placer = bestFit{g, score == ScoreBoundary}
	case "frame-sliding":
		a.placer = frameSliding{g, start == StartFree}
	default:
		panic("allocation: no placer of submeshes " + name)
	}
	return a, nil
}

// Check implements Allocator.
func (a *submesh) Check(req allocation.Request) error {
	if err := req.Check(a.grid.nodes()); err != nil {
		return err
	}
	if err := a.grid.checkFlat(req); err != nil {
		return err
	}
	width, height, ok := req.Sides()
	if !ok || a.grid.fits(width, height) {
		return nil
	}
	if !a.grid.fits(height, width) {
		return fmt.Errorf("asks for %s processors; the %s has no such submesh",
			req.ShapeName(), a.grid)
	}
	if !a.rotate {
		return fmt.Errorf("asks for %s processors; the %s has no such submesh, but one of %dx%d: ask "+
			"for that, or use %s:rotate",
			req.ShapeName(), a.grid, height, width, a.name)
	}
	return nil
}

// Allocate implements Allocator.
func (a *submesh) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	width, height, ok := req.Sides()
	if !ok {
		if width, height, ok = allocation.NearSquare(req.Size, a.grid.width, a.grid.height); !ok {
			return dst, false
		}
	}
	if dst, ok = a.allocate(dst, free, width, height); ok || !a.rotate || width == height {
		return dst, ok
	}
	return a.allocate(dst, free, height, width)
}

// allocate places a job of width x height, not turned.
func (a *submesh) allocate(dst []topology.Node, free *allocation.FreeSet, width,
	height int) ([]topology.Node, bool) {
	if !a.grid.fits(width, height) || width*height > free.Count() {
		return dst, false
	}
	a.bases.load(a.grid, free)
	a.bases.keepCorners(width, height)
	if _, _, any := a.bases.first(); !any {
		return dst, false
	}
	x, y, ok := a.placer.choose(free, a.bases, width, height)
	if !ok {
		return dst, false
	}
	return a.grid.appendFrame(dst, x, y, width, height), true
}

// firstFit takes the first base [Zhu 1992].
type firstFit struct{}

// choose takes the first base.
func (firstFit) choose(_ *allocation.FreeSet, bases rows, _, _ int) (x, y int, ok bool) {
	return bases.first()
}

// bestFit takes the base whose frame fits tightest [Zhu 1992]: the base with the most
// neighbours that are not bases, and among equals the first. A neighbour is not a base
// if the frame cannot move by one in its direction, because that side touches a busy
// processor or the border of the machine. So the score is the number of sides that
// touch, 0 to 4.
//
// The reading boundary counts every busy place along the sides instead. It keeps the
// machine in better order than Best Fit does in [Lo et al. 1994, Table 1], where Best
// Fit differs little from First Fit.
type bestFit struct {
	grid     grid
	boundary bool
}

// choose takes the base whose frame scores highest, of equals the first.
func (a bestFit) choose(free *allocation.FreeSet, bases rows, width, height int) (x, y int,
	ok bool) {
	if a.boundary {
		x, y = a.longestBoundary(free, bases, width, height)
		return x, y, true
	}
	maxTouching := -1
	for i, word := range bases.words {
		for ; word != 0; word &= word - 1 {
			bx, by := i%bases.per*64+bits.TrailingZeros64(word), i/bases.per
			if touching := a.touching(bases, bx, by); touching > maxTouching {
				x, y, maxTouching = bx, by, touching
			}
			if maxTouching == 4 {
				return x, y, true
			}
		}
	}
	return x, y, true
}

// touching returns the number of neighbours of a base that are not bases.
func (a bestFit) touching(bases rows, x, y int) int {
	touching := 4
	if x > 0 && bases.has(x-1, y) {
		touching--
	}
	if y > 0 && bases.has(x, y-1) {
		touching--
	}
	if x+1 < a.grid.width && bases.has(x+1, y) {
		touching--
	}
	if y+1 < a.grid.height && bases.has(x, y+1) {
		touching--
	}
	return touching
}

// longestBoundary returns the base of the frame with the most places along its four
// sides that are busy or outside of the machine, and among equals the first.
func (a bestFit) longestBoundary(free *allocation.FreeSet, bases rows, width, height int) (x,
	y int) {
	maxCount := -1
	for by := range a.grid.height {
		for bx := range a.grid.width {
			if !bases.has(bx, by) {
				continue
			}
			count := 0
			for i := range width {
				count += a.closed(free, bx+i, by-1) + a.closed(free, bx+i, by+height)
			}
			for i := range height {
				count += a.closed(free, bx-1, by+i) + a.closed(free, bx+width, by+i)
			}
			if count > maxCount {
				x, y, maxCount = bx, by, count
			}
		}
	}
	return x, y
}

// closed returns 1 for a place that is busy or outside of the machine, else 0.
func (a bestFit) closed(free *allocation.FreeSet, x, y int) int {
	inside := x >= 0 && y >= 0 && x < a.grid.width && y < a.grid.height
	if inside && free.Free(a.grid.node(x, y)) {
		return 0
	}
	return 1
}

// frameSliding starts with the frame whose lower-left corner is the lowest leftmost
// free processor. It moves by multiples of the frame's width to the sides and of its
// height upward. It takes the first free frame, by rows from below and in each row from
// the left [Chuang and Tzeng 1991]. So it misses frames between its strides and may
// refuse where first fit would not.
//
// The search for the start skips processors so near to the right or upper border that
// the frame would not fit. Starting at one of them (free) costs far more than Frame
// Sliding loses in [Lo et al. 1994, Table 1].
type frameSliding struct {
	grid grid
	free bool
}

// choose takes the first base that lies whole strides from the start.
func (a frameSliding) choose(free *allocation.FreeSet, bases rows, width, height int) (x, y int,
	ok bool) {
	x, y, ok = a.start(free, width, height)
	if !ok {
		return 0, 0, false
	}
	// In the start's row no frame to the left is free. Further up one may be.
	for left := x % width; y+height <= a.grid.height; y += height {
		for x = left; x+width <= a.grid.width; x += width {
			if bases.has(x, y) {
				return x, y, true
			}
		}
	}
	return 0, 0, false
}

// start returns the lowest leftmost free processor at which a frame lies in
// the machine.
func (a frameSliding) start(free *allocation.FreeSet, width, height int) (x, y int, ok bool) {
	n, ok := free.Next(0)
	for ; ok; n, ok = free.Next(a.grid.node(0, y+1)) {
		x, y = int(n)%a.grid.width, int(n)/a.grid.width
		if a.free {
			return x, y, true
		}
		if y+height > a.grid.height {
			return 0, 0, false
		}
		if x+width <= a.grid.width {
			return x, y, true
		}
	}
	return 0, 0, false
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
