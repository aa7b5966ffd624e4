package submesh

import (
	"cmp"
	"slices"

	"contend/router/topology"
)

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
