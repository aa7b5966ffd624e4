package submesh

import (
	"fmt"

	"contend/allocation"
	"contend/router/topology"
)

// gabl is the greedy available busy list of S. Bani-Mohammad, M. Ould-Khaoua and I. Ababneh
// (Information Sciences 177, 2007). A job gets a free submesh of its shape, as it is or
// turned. If there is none, it gets the largest free submesh that fits inside its shape, then
// the largest one whose sides do not exceed those of the part before, and no part has more
// processors than the job still lacks. So it gets exactly the processors it asks for, and
// waits only if too few are free. The busy list of the paper only speeds up the search, so
// there is none here.
//
// The text of the paper was not at hand. These readings are ours:
//
//   - The largest submesh is that of most processors, of equals the most nearly square, of
//     these the first in row-major order, and there the narrowest. (The listing of the paper,
//     as we remember it, takes one off the longer side until a free submesh fits, which passes
//     over long ones.)
//   - A part may be turned against the one before.
//   - A submesh of the whole shape is the one that First Fit finds.
//   - A job without a shape of at most two dimensions gets the first processors of that of
//     NearSquare. The rest of them stay free, unlike under First Fit.
//
// It takes two dimensions only: the search for the largest submesh goes through columns, and of
// equal ones in more dimensions the paper does not say which comes first.
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

// largest returns the largest free frame that fits into one of the given sides, either way,
// and has at most that many processors.
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

// larger reports whether f has more processors than g, or as many and is more nearly square.
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
