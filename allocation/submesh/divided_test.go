package submesh

import (
	"cmp"
	"slices"

	"contend/router/topology"
)

// divided is GABL or ANCA for the first size processors of a w x h submesh.
func (m reference) divided(name string, w, h, size int) ([]topology.Node, bool) {
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
		nodes, ok := m.part(w, h, size)
		if !ok {
			nodes = m.greedy(w, h, size)
		}
		return nodes, true
	}
	var cells [][2]int
	for i := range size {
		cells = append(cells, [2]int{i % w, i / w})
	}
	for pieces := [][][2]int{cells}; ; pieces = cut(pieces) {
		if nodes, ok := (reference{m.width, m.height, slices.Clone(m.free)}).placeAll(pieces); ok {
			return nodes, true
		}
	}
}

// part takes the first size processors of the first free w x h or h x w frame.
func (m reference) part(w, h, size int) ([]topology.Node, bool) {
	nodes, ok := m.submesh(form{name: "first-fit"}, w, h)
	if !ok {
		nodes, ok = m.submesh(form{name: "first-fit"}, h, w)
	}
	if !ok {
		return nil, false
	}
	for _, n := range nodes[:size] {
		m.free[n] = false
	}
	return nodes[:size], true
}

// greedy goes through all frames inside the one before, the largest first, of equals the most
// nearly square first, and through the places of all that are equal.
func (m reference) greedy(w, h, size int) (nodes []topology.Node) {
	for len(nodes) < size {
		var frames [][2]int
		for i := 1; i <= max(w, h); i++ {
			for j := 1; j <= max(w, h); j++ {
				if (i <= w && j <= h || i <= h && j <= w) && i*j <= size-len(nodes) {
					frames = append(frames, [2]int{i, j})
				}
			}
		}
		rank := func(a, b [2]int) int {
			return cmp.Or(b[0]*b[1]-a[0]*a[1], max(a[0], a[1])-max(b[0], b[1]))
		}
		slices.SortStableFunc(frames, rank)
		for i := 0; ; {
			equals := 1
			for i+equals < len(frames) && rank(frames[i], frames[i+equals]) == 0 {
				equals++
			}
			part, width, height := m.firstOf(frames[i : i+equals])
			if part != nil {
				nodes, w, h = append(nodes, part...), width, height
				break
			}
			i += equals
		}
	}
	return nodes
}

// firstOf takes the first free frame of some, place by place.
func (m reference) firstOf(frames [][2]int) (nodes []topology.Node, w, h int) {
	for y := range m.height {
		for x := range m.width {
			for _, f := range frames {
				if m.frameFree(x, y, f[0], f[1]) {
					nodes = m.frame(x, y, f[0], f[1])
					for _, n := range nodes {
						m.free[n] = false
					}
					return nodes, f[0], f[1]
				}
			}
		}
	}
	return nil, 0, 0
}

// box returns the least corner and the sides of the box around some cells.
func box(cells [][2]int) (x, y, w, h int) {
	x, y = cells[0][0], cells[0][1]
	for _, c := range cells {
		x, y = min(x, c[0]), min(y, c[1])
	}
	for _, c := range cells {
		w, h = max(w, c[0]-x+1), max(h, c[1]-y+1)
	}
	return x, y, w, h
}

// cut divides the box of every piece of several cells.
func cut(pieces [][][2]int) (out [][][2]int) {
	for _, p := range pieces {
		x, y, w, h := box(p)
		var halves [2][][2]int
		for _, c := range p {
			second := 0
			if h > w && c[1]-y >= (h+1)/2 || h <= w && c[0]-x >= (w+1)/2 {
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

func (m reference) placeAll(pieces [][][2]int) (nodes []topology.Node, ok bool) {
	for _, p := range pieces {
		_, _, w, h := box(p)
		part, ok := m.part(w, h, len(p))
		if !ok {
			return nil, false
		}
		nodes = append(nodes, part...)
	}
	return nodes, true
}
