package submesh

import (
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

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

// fit gives the job the first count processors of the first free frame of some sides, or else of
// one with these sides in another order, the longest first. Without any it reports false.
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

// sidesOf returns the sides of a request. A job whose shape does not lie in the grid has those
// of NearCube, of which it needs the first req.Size processors.
func (s *space) sidesOf(req allocation.Request) []int {
	sides, ok := s.grid.appendShape(s.sides[:0], req)
	if !ok {
		sides, _ = allocation.NearCube(sides, req.Size, s.grid.sides)
	}
	s.sides = sides
	return sides
}
