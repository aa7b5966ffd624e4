package submesh

import (
	"cmp"
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

// divided is GABL or ANCA for the first size processors of a submesh.
func (m reference) divided(name string, sides []int, size int) ([]topology.Node, bool) {
	free := 0
	for _, yes := range m.free {
		if yes {
			free++
		}
	}
	if size > free {
		return nil, false
	}
	m.free = slices.Clone(m.free)
	if name == "gabl" {
		nodes, ok := m.part(sides, size)
		if !ok {
			nodes = m.greedy(sides[0], sides[1], size)
		}
		return nodes, true
	}
	cells := slices.Collect(box(sides...))[:size]
	for pieces := [][][]int{cells}; ; pieces = cut(pieces) {
		if nodes, ok := (reference{m.sides, m.wraps, slices.Clone(m.free)}).placeAll(pieces); ok {
			return nodes, true
		}
	}
}

// part takes the first size processors of the first free frame of some sides, or else of one with
// sides in another order.
func (m reference) part(sides []int, size int) ([]topology.Node, bool) {
	for _, turned := range append([][]int{sides}, orders(sides)...) {
		nodes, ok := m.submesh(form{name: "first-fit"}, turned)
		if !ok {
			continue
		}
		for _, n := range nodes[:size] {
			m.free[n] = false
		}
		return nodes[:size], true
	}
	return nil, false
}

// greedy goes through all frames inside the one before, the largest first, of equals the most
// nearly square first, and through the places of all that are equal.
func (m reference) greedy(w, h, size int) (nodes []topology.Node) {
	for len(nodes) < size {
		var frames [][]int
		for i := 1; i <= max(w, h); i++ {
			for j := 1; j <= max(w, h); j++ {
				if (i <= w && j <= h || i <= h && j <= w) && i*j <= size-len(nodes) {
					frames = append(frames, []int{i, j})
				}
			}
		}
		rank := func(a, b []int) int {
			return cmp.Or(b[0]*b[1]-a[0]*a[1], max(a[0], a[1])-max(b[0], b[1]))
		}
		slices.SortStableFunc(frames, rank)
		for i := 0; ; {
			equals := 1
			for i+equals < len(frames) && rank(frames[i], frames[i+equals]) == 0 {
				equals++
			}
			part, sides := m.firstOf(frames[i : i+equals])
			if part != nil {
				nodes, w, h = append(nodes, part...), sides[0], sides[1]
				break
			}
			i += equals
		}
	}
	return nodes
}

// firstOf takes the first free frame of some, place by place.
func (m reference) firstOf(frames [][]int) (nodes []topology.Node, sides []int) {
	for at := range box(m.sides...) {
		for _, f := range frames {
			if m.frameFree(at, f) {
				nodes = m.frame(at, f)
				for _, n := range nodes {
					m.free[n] = false
				}
				return nodes, f
			}
		}
	}
	return nil, nil
}

// around returns the least corner and the sides of the box around some cells.
func around(cells [][]int) (corner, sides []int) {
	corner, sides = slices.Clone(cells[0]), slices.Clone(cells[0])
	for d := range corner {
		for _, c := range cells {
			corner[d], sides[d] = min(corner[d], c[d]), max(sides[d], c[d])
		}
		sides[d] -= corner[d] - 1
	}
	return corner, sides
}

// cut divides the box of every piece of several cells.
func cut(pieces [][][]int) (out [][][]int) {
	for _, p := range pieces {
		corner, sides := around(p)
		d := slices.Index(sides, slices.Max(sides))
		var halves [2][][]int
		for _, c := range p {
			second := 0
			if c[d]-corner[d] >= (sides[d]+1)/2 {
				second = 1
			}
			halves[second] = append(halves[second], c)
		}
		for _, half := range halves {
			if half != nil {
				out = append(out, half)
			}
		}
	}
	return out
}

func (m reference) placeAll(pieces [][][]int) (nodes []topology.Node, ok bool) {
	for _, p := range pieces {
		_, sides := around(p)
		part, ok := m.part(sides, len(p))
		if !ok {
			return nil, false
		}
		nodes = append(nodes, part...)
	}
	return nodes, true
}
