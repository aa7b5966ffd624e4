package submesh

import (
	"fmt"

	"contend/allocation"
	"contend/allocation/order"
	"contend/router/topology"
)

// paging cuts the machine into square pages of side 2^page and gives a job the first
// free pages in a fixed order, as many as hold it [Lo et al. 1994, sec. 3.2]. A page is
// free if all its nodes are free. Ranks follow the page ranks in each page, and pages
// follow the order. The nodes of the last page beyond the request are reserved. With page 0 it
// refuses only if too few processors are free (Corollary 1). With larger pages it
// refuses only if too few pages are free.
type paging struct {
	grid grid
	side int
	// corners are the lower-left corners of the pages in order.
	corners []topology.Node
	ranks   string // one of pageRanks; "" is RowMajorRanks
}

// NewPaging returns paging with pages of side 2^page along one of order.Orders [Lo et al. 1994,
// sec. 3.2].
func NewPaging(machine topology.Topology, page int, along string) (*paging, error) {
	g, err := newGrid("paging", machine)
	if err != nil {
		return nil, err
	}
	maxPage := 0
	for g.width>>maxPage&1 == 0 && g.height>>maxPage&1 == 0 {
		maxPage++
	}
	if page > maxPage {
		return nil, fmt.Errorf("allocator paging: page %d has side 2^%d, which does not divide the "+
			"sides of the %s; %s",
			page, page, g, dividing(maxPage))
	}
	draw, _ := order.CurveByName(along)
	return &paging{grid: g, side: 1 << page, corners: pageCorners(g, 1<<page, draw)}, nil
}

// dividing returns the end of an error: which pages divide the machine.
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

// CountDecides implements Counting. It is true of single nodes (Lo et al. 1994,
// Corollary 1), but not of larger pages.
func (a *paging) CountDecides() bool { return a.side == 1 }

// Allocate implements Allocator.
func (a *paging) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
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
		orderPage(dst[len(dst)-area:], a.side, a.ranks)
		if pages--; pages == 0 {
			return dst, true
		}
	}
	return dst[:start], false
}

// pageFree reports whether all nodes of the page at a corner are free.
func (a *paging) pageFree(free *allocation.FreeSet, corner topology.Node) bool {
	for row := range a.side {
		if !free.All(corner+topology.Node(row*a.grid.width), a.side) {
			return false
		}
	}
	return true
}

// pageCorners returns the lower-left corners of the pages along a curve.
func pageCorners(g grid, side int, draw order.Curve) []topology.Node {
	columns := g.width / side
	var corners []topology.Node
	for _, page := range draw([]int{columns, g.height / side}) {
		corners = append(corners, g.node(page%columns*side, page/columns*side))
	}
	return corners
}
