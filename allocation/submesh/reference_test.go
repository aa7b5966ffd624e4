package submesh

import (
	"iter"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// reference is the behaviour of an allocator written for plainness: a map of free
// nodes, loops over all places, no working memory. It knows the names of forms. Where a
// dimension wraps, frames lie over its ends.
type reference struct {
	sides []int
	wraps []bool // nil for none
	free  []bool
}

func (m reference) allocate(c form, req allocation.Request) ([]topology.Node, bool) {
	switch c.name {
	case "paging":
		return m.paging(c, req)
	case "buddy2d":
		return m.buddy2d(req)
	case "mbs":
		books := newBooks(m.sides...)
		books.occupy(m.free)
		blocks, ok := books.allocate(req.Size)
		return m.blockNodes(blocks), ok
	}
	sides := req.Shape
	if req.Shape == nil {
		if req.Size > len(m.free) {
			return nil, false
		}
		sides, _ = allocation.NearCube(nil, req.Size, m.sides)
	}
	if c.name == "gabl" || c.name == "anca" {
		return m.divided(c.name, sides, req.Size)
	}
	nodes, ok := m.submesh(c, sides)
	for _, turned := range orders(sides) {
		if !ok && c.rotate {
			nodes, ok = m.submesh(c, turned)
		}
	}
	return nodes, ok
}

// orders lists all orders of sides, the longest first.
func orders(sides []int) (list [][]int) {
	if len(sides) == 0 {
		return [][]int{nil}
	}
	for i, side := range sides {
		for _, rest := range orders(slices.Delete(slices.Clone(sides), i, i+1)) {
			list = append(list, append([]int{side}, rest...))
		}
	}
	slices.SortFunc(list, func(a, b []int) int { return slices.Compare(b, a) })
	return slices.CompactFunc(list, slices.Equal)
}

// box goes through the places of a box, row-major.
func box(sides ...int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		for i := range volume(sides) {
			at := make([]int, len(sides))
			for d, side := range sides {
				at[d], i = i%side, i/side
			}
			if !yield(at) {
				return
			}
		}
	}
}

// cube returns the sides of a cube.
func (m reference) cube(side int) []int { return slices.Repeat([]int{side}, len(m.sides)) }

// moved returns a place moved by steps.
func moved(at, by []int) []int {
	to := slices.Clone(at)
	for d := range to {
		to[d] += by[d]
	}
	return to
}

// wrapped reports whether frames lie over the ends of dimension d.
func (m reference) wrapped(d int) bool { return m.wraps != nil && m.wraps[d] }

// node returns the node of a place. It reports false for a place outside of the machine.
func (m reference) node(at []int) (topology.Node, bool) {
	n, stride := 0, 1
	for d, side := range m.sides {
		x := at[d]
		if m.wrapped(d) {
			x = (x + side) % side
		}
		if x < 0 || x >= side {
			return 0, false
		}
		n, stride = n+x*stride, stride*side
	}
	return topology.Node(n), true
}

// inside reports whether a frame lies in the machine.
func (m reference) inside(at, sides []int) bool {
	for d, side := range sides {
		if side > m.sides[d] || !m.wrapped(d) && at[d]+side > m.sides[d] {
			return false
		}
	}
	return true
}

// frameFree reports whether a frame lies in the machine and is free.
func (m reference) frameFree(at, sides []int) bool {
	return m.inside(at, sides) && m.allFree(slices.Clone(at), sides, len(sides)-1)
}

// allFree reports whether a frame is free in the dimensions up to d.
func (m reference) allFree(at, sides []int, d int) bool {
	if d < 0 {
		n, ok := m.node(at)
		return ok && m.free[n]
	}
	first, free := at[d], true
	for i := 0; i < sides[d] && free; i++ {
		at[d] = first + i
		free = m.allFree(at, sides, d-1)
	}
	at[d] = first
	return free
}

func (m reference) frame(at, sides []int) []topology.Node {
	var nodes []topology.Node
	for by := range box(sides...) {
		n, _ := m.node(moved(at, by))
		nodes = append(nodes, n)
	}
	return nodes
}

// submesh tries all places in row-major order, frame sliding on a torus from the start on.
func (m reference) submesh(c form, sides []int) ([]topology.Node, bool) {
	var best, start []int
	for at := range box(m.sides...) {
		n, _ := m.node(at)
		if start == nil && m.free[n] && (c.start == StartFree || m.inside(at, sides)) {
			start = at
		}
	}
	most := -1
	for at := range box(m.sides...) {
		if c.name == "frame-sliding" {
			if start == nil {
				break
			}
			for d := range at {
				if m.wrapped(d) {
					at[d] += start[d]
				}
			}
			if !wholeStrides(at, start, sides) {
				continue
			}
		}
		if !m.frameFree(at, sides) {
			continue
		}
		if score := m.score(c, at, sides); score > most {
			best, most = at, score
		}
	}
	if most < 0 {
		return nil, false
	}
	return m.frame(best, sides), true
}

// wholeStrides reports whether a place lies multiples of the sides from the start.
func wholeStrides(at, start, sides []int) bool {
	for d, side := range sides {
		if (at[d]-start[d])%side != 0 {
			return false
		}
	}
	return true
}

// score is the number of sides that touch, or of the closed places along all sides.
func (m reference) score(c form, at, sides []int) (score int) {
	if c.score == ScoreBoundary {
		for by := range box(moved(sides, m.cube(2))...) {
			out := 0
			for d, side := range sides {
				if by[d] == 0 || by[d] == side+1 {
					out++
				}
			}
			place := moved(moved(at, by), m.cube(-1))
			if n, ok := m.node(place); out == 1 && (!ok || !m.free[n]) {
				score++
			}
		}
	} else if c.name == "best-fit" {
		for d := range sides {
			for _, by := range []int{-1, 1} {
				step := m.cube(0)
				step[d] = by
				if !m.frameFree(moved(at, step), sides) {
					score++
				}
			}
		}
	}
	return score
}

// buddy2d searches whole free blocks of increasing size, without those inside a larger
// free one.
func (m reference) buddy2d(req allocation.Request) ([]topology.Node, bool) {
	least := 1
	for volume(m.cube(least)) < req.Size || req.Shape != nil && least < slices.Max(req.Shape) {
		least *= 2
	}
	for side := least; side <= m.sides[0]; side *= 2 {
		for i := range box(m.cube(m.sides[0] / side)...) {
			at, parent := m.cube(0), m.cube(0)
			for d := range i {
				at[d], parent[d] = i[d]*side, i[d]/2*2*side
			}
			if !m.frameFree(at, m.cube(side)) || m.frameFree(parent, m.cube(2*side)) {
				continue
			}
			nodes := m.frame(at, m.cube(least))
			if req.Shape == nil {
				return nodes, true
			}
			corner := m.frame(at, req.Shape)
			rest := slices.DeleteFunc(nodes,
				func(n topology.Node) bool { return slices.Contains(corner, n) })
			return append(corner, rest...), true
		}
	}
	return nil, false
}

// at returns the place of a node.
func (m reference) at(n topology.Node) (at []int) {
	for _, side := range m.sides {
		at, n = append(at, int(n)%side), n/topology.Node(side)
	}
	return at
}

func (m reference) blockNodes(blocks []block) []topology.Node {
	var nodes []topology.Node
	for _, b := range blocks {
		nodes = append(nodes, m.frame(m.at(b.corner), m.cube(b.side))...)
	}
	return nodes
}
