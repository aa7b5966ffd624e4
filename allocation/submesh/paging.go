package submesh

import (
	"fmt"
	"math/bits"
	"slices"

	"contend/allocation"
	"contend/allocation/order"
	"contend/router/topology"
)

// paging cuts the machine into square pages of side 2^page, in n dimensions into cubes of that
// side, and gives a job the first free pages in a fixed order, the number that holds it [Lo et al.
// 1994, sec. 3.2]. A page is free if all its nodes are free. Ranks follow the page ranks in each
// page, and pages follow the order. The nodes of the last page beyond the request are reserved.
// With page 0 it refuses only if too few processors are free (Corollary 1). With larger pages it
// refuses only if too few pages are free. Pages lie at multiples of their side, so no page lies
// over the ends of a torus.
type paging struct {
	grid *grid
	side int // of a page
	area int // nodes of a page
	// corners are the lowest corners of the pages in order, and lines the first nodes of the rows
	// of a page, counted from its corner.
	corners, lines []topology.Node
	ranks          string // one of pageRanks; "" is RowMajorRanks
}

// NewPaging returns paging with pages of side 2^page along one of order.Orders [Lo et al. 1994,
// sec. 3.2].
func NewPaging(machine topology.Topology, page int, along string) (*paging, error) {
	g, err := newGrid("paging", machine, false)
	if err != nil {
		return nil, err
	}
	maxPage := bits.TrailingZeros(uint(g.sides[0]))
	for _, side := range g.sides {
		maxPage = min(maxPage, bits.TrailingZeros(uint(side)))
	}
	if page > maxPage {
		return nil, fmt.Errorf("allocator paging: page %d has side 2^%d, which does not divide the "+
			"sides of the %s; %s",
			page, page, g, dividing(maxPage))
	}
	draw, _ := order.CurveByName(along)
	a := &paging{grid: g, side: 1 << page, area: 1 << (page * g.dims())}
	a.cut(draw)
	return a, nil
}

// cut sets the corners of the pages along a curve, and the rows of a page.
func (a *paging) cut(draw order.Curve) {
	pages, page := slices.Clone(a.grid.sides), []int{1}
	for d := range pages {
		pages[d] /= a.side
		if d > 0 {
			page = append(page, a.side)
		}
	}
	for _, i := range draw(pages) {
		corner := 0
		for d, n := range pages {
			corner += i % n * a.side * a.grid.stride[d]
			i /= n
		}
		a.corners = append(a.corners, topology.Node(corner))
	}
	a.lines = a.grid.appendFrame(nil, 0, page)
}

// dividing returns the end of an error, which says which pages divide the machine.
func dividing(maxPage int) string {
	switch maxPage {
	case 0:
		return "only page 0 (side 1) does"
	case 1:
		return "page 0 and page 1 (side 2) do"
	}
	return fmt.Sprintf("pages 0 to %d (side %d) do", maxPage, 1<<maxPage)
}

// Check implements Allocator.
func (a *paging) Check(req allocation.Request) error { return req.Check(a.grid.nodes()) }

// CountDecides implements Counting. It is true for pages of one node (Lo et al. 1994, Corollary 1)
// and false for larger pages.
func (a *paging) CountDecides() bool { return a.side == 1 }

// Allocate implements Allocator.
func (a *paging) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	pages := (req.Size + a.area - 1) / a.area
	if pages > free.Count()/a.area {
		return dst, false
	}
	start := len(dst)
	for _, corner := range a.corners {
		if !a.pageFree(free, corner) {
			continue
		}
		for _, line := range a.lines {
			for i := range a.side {
				dst = append(dst, corner+line+topology.Node(i))
			}
		}
		orderPage(dst[len(dst)-a.area:], a.side, a.ranks)
		if pages--; pages == 0 {
			return dst, true
		}
	}
	return dst[:start], false
}

// pageFree reports whether all nodes of the page at a corner are free.
func (a *paging) pageFree(free *allocation.FreeSet, corner topology.Node) bool {
	for _, line := range a.lines {
		if !free.All(corner+line, a.side) {
			return false
		}
	}
	return true
}

// The orders of the processors within a page. Lo et al. 1994, sec. 4.2, number processes "row-major
// ... in each contiguously allocated block", which leaves the corner open, and pages are row-major
// too. So the directions of pages and of their processors may agree or differ.
const (
	// RowMajorRanks runs along the rows of a page in the direction in which the pages follow each
	// other: the default.
	RowMajorRanks = "row-major"
	// MirroredRanks runs along each row in the opposite direction, row after row as before.
	MirroredRanks = "mirrored"
	// ReversedRanks runs in the opposite direction in every dimension.
	ReversedRanks = "reversed"
)

// pageRanks lists the orders of the processors within a page.
func pageRanks() []string { return []string{RowMajorRanks, MirroredRanks, ReversedRanks} }

// orderPage reorders the nodes of a page of a side, which are row-major in any number of
// dimensions.
func orderPage(nodes []topology.Node, side int, ranks string) {
	switch ranks {
	case MirroredRanks:
		for row := range slices.Chunk(nodes, side) {
			slices.Reverse(row)
		}
	case ReversedRanks:
		slices.Reverse(nodes)
	}
}

// rankedBy sets the order of the processors within pages. It refuses an order for pages of one
// processor.
func (a *paging) rankedBy(ranks string) (*paging, error) {
	if a.side == 1 && ranks != RowMajorRanks {
		return nil, fmt.Errorf("allocator paging: page_ranks=%s has no effect on page 0, whose pages "+
			"have one processor; leave it out or give page 1 or more", ranks)
	}
	a.ranks = ranks
	return a, nil
}
