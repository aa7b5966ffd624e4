package submesh

import (
	"contend/allocation"
	"contend/router/topology"
)

// A frame is a submesh of which a part of a job has the first count processors in row-major order.
type frame struct{ x, y, width, height, count int }

// space is the state of a decision of the allocators that divide a job.
type space struct {
	grid  grid
	free  rows    // free places that the job does not have yet
	bases rows    // memory of fitUpright
	parts []frame // of the job
}

// newSpace returns the space of a grid.
func newSpace(g grid) space {
	return space{grid: g, free: newRows(g.width, g.height), bases: newRows(g.width, g.height)}
}

// reset begins a decision: the job has no part.
func (s *space) reset(free *allocation.FreeSet) {
	s.free.load(s.grid, free)
	s.parts = s.parts[:0]
}

// fit gives the job count processors of the first free frame of width x height, or else of
// height x width. Without either it reports false.
func (s *space) fit(width, height, count int) bool {
	return s.fitUpright(width, height, count) ||
		width != height && s.fitUpright(height, width, count)
}

// fitUpright takes the first free frame of width x height, not turned, for count processors.
func (s *space) fitUpright(width, height, count int) bool {
	if !s.grid.fits(width, height) {
		return false
	}
	copy(s.bases.words, s.free.words)
	s.bases.keepCorners(width, height)
	x, y, ok := s.bases.first()
	if ok {
		s.take(frame{x, y, width, height, count})
	}
	return ok
}

// take gives the job the processors of a frame.
func (s *space) take(f frame) {
	s.parts = append(s.parts, f)
	for i := range f.count {
		s.free.remove(f.x+i%f.width, f.y+i/f.width)
	}
}

// appendParts appends the nodes of the job: row-major in each part, part by part.
func (s *space) appendParts(dst []topology.Node) []topology.Node {
	for _, f := range s.parts {
		for i := range f.count {
			dst = append(dst, s.grid.node(f.x+i%f.width, f.y+i/f.width))
		}
	}
	return dst
}

// sides returns the sides of a request. A job without a shape that lies in a plane has those
// of NearSquare, of which it needs the first req.Size processors.
func (s *space) sides(req allocation.Request) (width, height int) {
	width, height, ok := req.Sides()
	if !ok || len(req.Shape) > 2 {
		width, height, _ = allocation.NearSquare(req.Size, s.grid.width, s.grid.height)
	}
	return width, height
}
