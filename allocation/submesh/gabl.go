package submesh

import (
	"fmt"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// gabl is the greedy available busy list of S. Bani-Mohammad, M. Ould-Khaoua and I. Ababneh
// (Information Sciences 177, 2007). A job gets a free submesh of its shape, as requested or turned.
// Otherwise it gets the largest free submesh that fits inside its shape, then the largest one whose
// sides do not exceed those of the part before, and so on. No part has more processors than the job
// still lacks. So a job gets exactly the processors that it requests, and waits only if too few are
// free. The busy list of the paper, which only speeds up the search, is left out.
//
// The text of the paper was not available. These readings are ours:
//
//   - The largest submesh has the most processors; among equals it is the most nearly square, then
//     the first in row-major order, then the narrowest. (The listing of the paper, as we remember
//     it, shortens the longer side by one until a free submesh fits, which misses long submeshes.)
//   - A part may be turned relative to the part before.
//   - A submesh of the whole shape is the one that First Fit finds.
//   - A job without a shape of at most two dimensions has the shape of NearSquare and gets its
//     first processors. The rest of the shape stays free, unlike under First Fit.
//
// It supports two dimensions only: the search for the largest submesh goes through columns, and the
// paper leaves the order of equal submeshes in more dimensions open.
//
// Ranks are row-major in each part. Parts are in the order of granting.
type gabl struct {
	space
	width, height int
	runs          []int // of each place: consecutive free places in its column, from it upwards
	part          []int // memory for the sides of a part
}

// A frame is a submesh of count processors with its lower-left corner at (x, y).
type frame struct{ x, y, width, height, count int }

// NewGABL returns gabl [Bani-Mohammad et al. 2007].
func NewGABL(machine topology.Topology) (*gabl, error) {
	g, err := newGrid("gabl", machine, false)
	if err != nil {
		return nil, err
	}
	if g.dims() > 2 {
		return nil, fmt.Errorf("allocator gabl needs a mesh or torus of at most two dimensions; this "+
			"machine has %d: anca takes any number", g.dims())
	}
	return &gabl{space: newSpace(g), width: g.sides[0], height: g.sides[1],
		runs: make([]int, g.nodes())}, nil
}

// Check implements Allocator.
func (a *gabl) Check(req allocation.Request) error { return req.Check(a.grid.nodes()) }

// CountDecides implements Counting: a single processor fits inside every part.
func (a *gabl) CountDecides() bool { return true }

// Allocate implements Allocator.
func (a *gabl) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.reset(free)
	sides := a.sidesOf(req)
	if !a.fit(sides, req.Size) {
		a.divide(sides[0], sides[1], req.Size)
	}
	return append(dst, a.nodes...), true
}

// divide gives the job parts of no more than width x height until it has size processors.
func (a *gabl) divide(width, height, size int) {
	for size > 0 {
		part := a.largest(max(width, height), min(width, height), size)
		a.part = append(a.part[:0], part.width, part.height)
		a.take(topology.Node(part.x+a.width*part.y), a.part, part.count)
		width, height = part.width, part.height
		size -= part.count
	}
}

// largest returns the largest free frame that fits into the given sides, as they are or turned, and
// has at most limit processors.
func (a *gabl) largest(long, short, limit int) frame {
	a.countRuns()
	var best frame
	for y := range a.height {
		for x := range a.width {
			height := min(a.runs[x+a.width*y], long)
			widest := min(long, limit, a.width-x)
			for width := 1; height > 0 && height*widest >= best.count; width++ {
				bound := long
				if width > short {
					bound = short
				}
				f := frame{x, y, width, min(height, bound, limit/width), 0}
				if f.count = f.width * f.height; f.larger(best) {
					best = f
				}
				if width == widest {
					break
				}
				height = min(height, a.runs[x+width+a.width*y])
			}
		}
	}
	return best
}

// larger reports whether f has more processors than g, or the same number and is more nearly
// square.
func (f frame) larger(g frame) bool {
	if f.count != g.count {
		return f.count > g.count
	}
	return max(f.width-f.height, f.height-f.width) < max(g.width-g.height, g.height-g.width)
}

// countRuns sets runs.
func (a *gabl) countRuns() {
	for y := a.height - 1; y >= 0; y-- {
		for x := range a.width {
			run := 0
			if a.free.words[y*a.free.per+x>>6]>>(x&63)&1 != 0 {
				run = 1
				if y+1 < a.height {
					run += a.runs[x+a.width*(y+1)]
				}
			}
			a.runs[x+a.width*y] = run
		}
	}
}

// anca is the adaptive non-contiguous allocation of C. Chang and P. Mohapatra (J. Parallel and
// Distributed Computing 52, 1998). A job gets a free submesh of its shape. Otherwise the shape is
// cut into two equal parts, and the job gets a free submesh for each part. If some part finds none,
// each part is cut in two, and so on down to single processors: 2^k parts at attempt k. So a job
// gets exactly the processors that it requests, and waits only if too few are free.
//
// The text of the paper was not available. These readings are ours:
//
//   - A part is cut across its longest side, the first of equal sides, which is the width on two
//     dimensions. The first half of an odd side is the longer one. A single processor is not cut.
//   - Parts are placed in the order of cutting, each at the first place of First Fit among the
//     places that the parts before have left, as it is or turned.
//   - A job without a shape, or with a shape of too many dimensions, has the first processors of
//     the shape of NearCube. Processors beyond its size belong to no part and stay free, unlike
//     under First Fit.
//
// Ranks are row-major in each part.
type anca struct {
	space
	pieces, halves pieces // of the job, and memory for the next cut
}

// A piece of a job has the first count processors of a frame in row-major order.
type piece struct {
	sides []int
	count int
}

// pieces is a list of pieces, with the memory of their sides.
type pieces struct {
	list  []piece
	sides []int
}

// NewANCA returns anca [Chang and Mohapatra 1998].
func NewANCA(machine topology.Topology) (*anca, error) {
	g, err := newGrid("anca", machine, false)
	if err != nil {
		return nil, err
	}
	return &anca{space: newSpace(g)}, nil
}

// Check implements Allocator.
func (a *anca) Check(req allocation.Request) error { return req.Check(a.grid.nodes()) }

// CountDecides implements Counting: single processors always find a place.
func (a *anca) CountDecides() bool { return true }

// Allocate implements Allocator.
func (a *anca) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.pieces.clear()
	a.pieces.add(a.sidesOf(req), req.Size)
	for !a.place(free) {
		a.halves.clear()
		for _, p := range a.pieces.list {
			a.halves.addHalves(p)
		}
		a.pieces, a.halves = a.halves, a.pieces
	}
	return append(dst, a.nodes...), true
}

// place gives the job a frame for each piece. It reports false if a piece finds no frame.
func (a *anca) place(free *allocation.FreeSet) bool {
	a.reset(free)
	for _, p := range a.pieces.list {
		if !a.fit(p.sides, p.count) {
			return false
		}
	}
	return true
}

// clear removes all pieces.
func (l *pieces) clear() { l.list, l.sides = l.list[:0], l.sides[:0] }

// add adds a piece, in a frame that ends behind its last processors.
func (l *pieces) add(sides []int, count int) {
	from := len(l.sides)
	l.sides = append(l.sides, sides...)
	sides = l.sides[from:]
	for d := len(sides) - 1; d >= 0; d-- {
		below := volume(sides[:d])
		if sides[d] = (count + below - 1) / below; sides[d] > 1 {
			break
		}
	}
	l.list = append(l.list, piece{sides, count})
}

// addHalves adds the two halves of a piece, without a half that has no processor.
func (l *pieces) addHalves(p piece) {
	longest, d := slices.Max(p.sides), 0
	for p.sides[d] < longest {
		d++
	}
	half := (longest + 1) / 2
	below := volume(p.sides[:d])
	count := p.count/(below*longest)*below*half + min(p.count%(below*longest), below*half)
	p.sides[d] = half
	l.add(p.sides, count)
	if p.count > count {
		p.sides[d] = longest - half
		l.add(p.sides, p.count-count)
	}
	p.sides[d] = longest
}

// space is the state of a decision of the allocators that divide a job.
type space struct {
	grid   *grid
	free   *rows           // free places that the job does not have yet
	bases  *rows           // memory of fitUpright
	nodes  []topology.Node // of the job: row-major in each part, part by part
	sides  []int           // memory for the sides of the job
	turned []int           // memory of fit
}

// newSpace returns the space of a grid.
func newSpace(g *grid) space {
	return space{grid: g, free: newRows(g.sides), bases: newRows(g.sides)}
}

// reset begins a decision: the job has no part.
func (s *space) reset(free *allocation.FreeSet) {
	s.free.load(free, 0)
	s.nodes = s.nodes[:0]
}

// fit gives the job the first count processors of the first free frame of the given sides,
// otherwise of a frame with these sides in another order, the longest first. It reports false if no
// such frame is free.
func (s *space) fit(sides []int, count int) bool {
	if s.fitUpright(sides, count) {
		return true
	}
	s.turned = append(s.turned[:0], sides...)
	firstOrder(s.turned)
	for more := true; more; more = nextOrder(s.turned) {
		if !slices.Equal(s.turned, sides) && s.fitUpright(s.turned, count) {
			return true
		}
	}
	return false
}

// fitUpright takes the first free frame of some sides, not turned, for count processors.
func (s *space) fitUpright(sides []int, count int) bool {
	if !s.grid.fits(sides) {
		return false
	}
	copy(s.bases.words, s.free.words)
	s.bases.keepCorners(sides, s.grid.wraps)
	at, ok := s.bases.first()
	if ok {
		s.take(at, sides, count)
	}
	return ok
}

// take gives the job the first count processors of a frame in row-major order.
func (s *space) take(at topology.Node, sides []int, count int) {
	from := len(s.nodes)
	s.nodes = s.grid.appendFrame(s.nodes, at, sides)[:from+count]
	for _, n := range s.nodes[from:] {
		s.free.remove(n)
	}
}

// sidesOf returns the sides of a request. A job whose shape has too many dimensions, or without a
// shape, has the sides of NearCube, of which it needs the first req.Size processors.
func (s *space) sidesOf(req allocation.Request) []int {
	sides, ok := s.grid.appendShape(s.sides[:0], req)
	if !ok {
		sides, _ = allocation.NearCube(sides, req.Size, s.grid.sides)
	}
	s.sides = sides
	return sides
}
