package submesh

import (
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// reference is the behaviour of an allocator written for plainness: a map of free
// nodes, loops over all places, no working memory. It knows the names of forms.
type reference struct {
	width, height int
	free          []bool
}

func (m reference) allocate(c form, req allocation.Request) ([]topology.Node, bool) {
	switch c.name {
	case "paging":
		return m.paging(c, req)
	case "buddy2d":
		return m.buddy2d(req)
	case "mbs":
		books := newBooks(m.width, m.height)
		books.occupy(m.free)
		blocks, ok := books.allocate(req.Size)
		return m.blockNodes(blocks), ok
	}
	w, h := 0, 0
	if req.Shape != nil {
		w, h = req.Shape[0], req.Shape[1]
	} else if req.Size <= m.width*m.height {
		w, h, _ = allocation.NearSquare(req.Size, m.width, m.height)
	} else {
		return nil, false
	}
	if c.name == "gabl" || c.name == "anca" {
		return m.divided(c.name, w, h, req.Size)
	}
	nodes, ok := m.submesh(c, w, h)
	if !ok && c.rotate {
		nodes, ok = m.submesh(c, h, w)
	}
	return nodes, ok
}

// frameFree reports whether a frame lies in the machine and is free.
func (m reference) frameFree(x, y, w, h int) bool {
	if x < 0 || y < 0 || x+w > m.width || y+h > m.height {
		return false
	}
	for j := range h {
		for i := range w {
			if !m.free[x+i+m.width*(y+j)] {
				return false
			}
		}
	}
	return true
}

func (m reference) frame(x, y, w, h int) []topology.Node {
	var nodes []topology.Node
	for j := range h {
		for i := range w {
			nodes = append(nodes, topology.Node(x+i+m.width*(y+j)))
		}
	}
	return nodes
}

// submesh tries all places in row-major order.
func (m reference) submesh(c form, w, h int) ([]topology.Node, bool) {
	bestX, bestY, most := 0, 0, -1
	startX, startY := -1, -1
	if n := slices.Index(m.free, true); c.start == StartFree && n >= 0 {
		startX, startY = n%m.width, n/m.width
	}
	for y := 0; y+h <= m.height; y++ {
		for x := 0; x+w <= m.width; x++ {
			if startX < 0 && m.free[x+m.width*y] {
				startX, startY = x, y
			}
			if !m.frameFree(x, y, w, h) {
				continue
			}
			score := 0
			switch {
			case c.score == ScoreBoundary:
				for i := -1; i <= w; i++ {
					for j := -1; j <= h; j++ {
						if (i < 0 || i == w) != (j < 0 || j == h) && !m.frameFree(x+i, y+j, 1, 1) {
							score++
						}
					}
				}
			case c.name == "best-fit":
				for _, d := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
					if !m.frameFree(x+d[0], y+d[1], w, h) {
						score++
					}
				}
			case c.name == "frame-sliding":
				if y < startY || (y-startY)%h != 0 || (x-startX)%w != 0 {
					continue
				}
			}
			if score > most {
				bestX, bestY, most = x, y, score
			}
		}
	}
	if most < 0 {
		return nil, false
	}
	return m.frame(bestX, bestY, w, h), true
}

// paging visits the pages in the order of pageList.
func (m reference) paging(c form, req allocation.Request) ([]topology.Node, bool) {
	side := 1 << c.page
	var nodes []topology.Node
	for _, p := range pageList(c.order, m.width/side, m.height/side) {
		if len(nodes) < req.Size && m.frameFree(p[0]*side, p[1]*side, side, side) {
			nodes = append(nodes, m.frame(p[0]*side, p[1]*side, side, side)...)
		}
	}
	return nodes, len(nodes) >= req.Size
}

// pageList returns the pages in an order, built as Fig. 2 of [Lo et al. 1994] is drawn:
// the shuffled ones quadrant by quadrant of a square of sufficient side.
func pageList(order string, width, height int) [][2]int {
	var list [][2]int
	add := func(x, y int) {
		if x < width && y < height {
			list = append(list, [2]int{x, y})
		}
	}
	var quadrants func(x, y, side int, sequence [4][2]int)
	quadrants = func(x, y, side int, sequence [4][2]int) {
		if side == 1 {
			add(x, y)
			return
		}
		for _, q := range sequence {
			quadrants(x+q[0]*side/2, y+q[1]*side/2, side/2, sequence)
		}
	}
	square := 1
	for square < max(width, height) {
		square *= 2
	}
	switch order {
	case "shuffled-row-major":
		quadrants(0, 0, square, [4][2]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}})
	case "shuffled-snake":
		quadrants(0, 0, square, [4][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}})
	case "middle-out":
		for y := range height {
			for left, right := width/2-1, width/2; right < width; left, right = left-1, right+1 {
				if left >= 0 {
					add(left, y)
				}
				add(right, y)
			}
		}
	default:
		for y := range height {
			for x := range width {
				if order == "snake" && y%2 == 1 {
					add(width-1-x, y)
				} else {
					add(x, y)
				}
			}
		}
	}
	return list
}

// buddy2d searches whole free blocks of increasing size, without those inside a larger
// free one.
func (m reference) buddy2d(req allocation.Request) ([]topology.Node, bool) {
	least := 1
	for least*least < req.Size || req.Shape != nil && least < max(req.Shape[0], req.Shape[1]) {
		least *= 2
	}
	for side := least; side <= m.width; side *= 2 {
		for y := 0; y < m.height; y += side {
			for x := 0; x < m.width; x += side {
				whole := 2 * side
				if !m.frameFree(x, y, side, side) || m.frameFree(x/whole*whole, y/whole*whole, whole, whole) {
					continue
				}
				nodes := m.frame(x, y, least, least)
				if req.Shape == nil {
					return nodes, true
				}
				corner := m.frame(x, y, req.Shape[0], req.Shape[1])
				rest := slices.DeleteFunc(nodes,
					func(n topology.Node) bool { return slices.Contains(corner, n) })
				return append(corner, rest...), true
			}
		}
	}
	return nil, false
}

func (m reference) blockNodes(blocks []block) []topology.Node {
	var nodes []topology.Node
	for _, b := range blocks {
		nodes = append(nodes, m.frame(b.x, b.y, b.side, b.side)...)
	}
	return nodes
}
