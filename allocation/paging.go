package allocation

import (
	"cmp"
	"fmt"
	"slices"

	"contend/netsim/topology"
)

// paging cuts the machine into square pages of side 2^page and gives a job the
// first free ones in a fixed order, as many as hold it [Lo et al. 1994, sec.
// 3.2]. A page is free when all its nodes are. Ranks are row-major in each
// page, pages in the order; what the last page has beyond the request is
// reserved. With page 0 it refuses only when too few processors are free
// (Corollary 1); with larger pages only when too few pages are.
type paging struct {
	grid grid
	side int
	// corners are the lower-left corners of the pages, in the order.
	corners []topology.Node
}

func newPaging(machine topology.Topology, page int, order string) (*paging, error) {
	g, err := newGrid("paging", machine)
	if err != nil {
		return nil, err
	}
	if page < 0 {
		return nil, fmt.Errorf("allocator paging: page is %d; it must be 0 or more", page)
	}
	most := 0
	for g.width>>most&1 == 0 && g.height>>most&1 == 0 {
		most++
	}
	if page > most {
		return nil, fmt.Errorf("allocator paging: page %d has side 2^%d, which does not divide the sides of the %s; %s",
			page, page, g, dividing(most))
	}
	key, err := pageOrder(order)
	if err != nil {
		return nil, err
	}
	return &paging{g, 1 << page, pageCorners(g, 1<<page, key)}, nil
}

// dividing says which page sizes would do.
func dividing(most int) string {
	switch most {
	case 0:
		return "only page 0 (side 1) does"
	case 1:
		return "page 0 and page 1 (side 2) do"
	}
	return fmt.Sprintf("pages 0 to %d (side %d) do", most, 1<<most)
}

// Check implements Allocator.
func (a *paging) Check(req Request) error { return req.check(a.grid.nodes()) }

// Allocate implements Allocator.
func (a *paging) Allocate(dst []topology.Node, free *FreeSet, req Request) ([]topology.Node, bool) {
	req.mustMakeSense()
	area := a.side * a.side
	pages := (req.Size + area - 1) / area
	if pages > free.Count()/area {
		return dst, false
	}
	start := len(dst)
	for _, corner := range a.corners {
		if !a.pageFree(free, corner) {
			continue
		}
		x, y := int(corner)%a.grid.width, int(corner)/a.grid.width
		dst = a.grid.appendFrame(dst, x, y, a.side, a.side)
		if pages--; pages == 0 {
			return dst, true
		}
	}
	return dst[:start], false
}

func (a *paging) pageFree(free *FreeSet, corner topology.Node) bool {
	for row := range a.side {
		if !free.All(corner+topology.Node(row*a.grid.width), a.side) {
			return false
		}
	}
	return true
}

// The orders of pages [Lo et al. 1994, Fig. 2].
const (
	RowMajor         = "row-major"
	ShuffledRowMajor = "shuffled-row-major"
	Snake            = "snake"
	ShuffledSnake    = "shuffled-snake"
	MiddleOut        = "middle-out"
)

// Orders lists the orders pages can be taken in; the first is the default.
func Orders() []Info {
	return []Info{
		{RowMajor, "rows from the lowest, each from the left (Lo et al. 1994, Fig. 2a)"},
		{ShuffledRowMajor, "bits of row and column interleaved: quadrants of quadrants, each row-major (Fig. 2b)"},
		{Snake, "rows from the lowest, odd ones from the right (Fig. 2c)"},
		{ShuffledSnake, "quadrants of quadrants, each a snake: its upper row from the right (Fig. 2d)"},
		{MiddleOut, "rows from the lowest, each from its middle outward, left and right in turn (pairs as in Lo et al. 1994, sec. 5)"},
	}
}

// pageKey gives the page at column x of row y, width pages to a row, its place
// in an order; only the comparison of two keys means anything.
type pageKey func(x, y, width int) uint64

// pageOrder turns the name of an order into its key; "" is row-major.
//
// The shuffled orders are those of the smallest square of 2^n by 2^n pages
// around the machine's, with the pages outside left out, so they are defined
// for any number of rows and columns; as the square's leading bits are zero
// for all pages its size does not show in the keys.
//
// Shuffled row-major interleaves the bits of row and column, the row's above
// the column's of the same weight. Shuffled snake applies the snake at every
// one of these levels: where the row's bit is set, the column's is taken from
// the right. The paper has the two only as a figure.
func pageOrder(order string) (pageKey, error) {
	switch order {
	case "", RowMajor:
		return func(x, y, width int) uint64 { return uint64(y*width + x) }, nil
	case Snake:
		return func(x, y, width int) uint64 {
			if y&1 == 1 {
				x = width - 1 - x
			}
			return uint64(y*width + x)
		}, nil
	case ShuffledRowMajor:
		return func(x, y, _ int) uint64 { return interleave(x, y) }, nil
	case MiddleOut:
		return middleOut, nil
	case ShuffledSnake:
		return func(x, y, _ int) uint64 { return interleave(x^y, y) }, nil
	}
	return nil, unknown("order", order, Orders())
}

// middleOut is the pageKey of MiddleOut. Two pages after each other lie on
// either side of the middle, as far from it as each other.
func middleOut(x, y, width int) uint64 {
	place := 2 * (width/2 - 1 - x) // 0, 2, 4, ... leftward
	if x >= width/2 {
		place = 2*(x-width/2) + 1 // 1, 3, 5, ... rightward
	}
	return uint64(y*(width+1) + place) // the odd one out is the last of its row
}

// interleave puts bit i of x at bit 2i and bit i of y at bit 2i+1.
func interleave(x, y int) uint64 {
	key := uint64(0)
	for i := range 32 {
		key |= uint64(x>>i&1)<<(2*i) | uint64(y>>i&1)<<(2*i+1)
	}
	return key
}

// pageCorners returns the lower-left corners of the pages, sorted by key.
func pageCorners(g grid, side int, key pageKey) []topology.Node {
	columns := g.width / side
	corners := make([]topology.Node, 0, columns*g.height/side)
	for y := 0; y < g.height; y += side {
		for x := 0; x < g.width; x += side {
			corners = append(corners, g.node(x, y))
		}
	}
	place := func(n topology.Node) uint64 {
		return key(int(n)%g.width/side, int(n)/g.width/side, columns)
	}
	slices.SortFunc(corners, func(a, b topology.Node) int { return cmp.Compare(place(a), place(b)) })
	return corners
}
