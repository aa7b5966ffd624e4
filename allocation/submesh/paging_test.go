package submesh

import (
	"slices"
	"strings"
	"testing"

	"contend/allocation"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// The processors of two pages of a 4 x 4 mesh by hand, for a request of six. The pages are the
// same; so is the order of the pages.
func TestPageRanks(t *testing.T) {
	machine := topologytest.Machine(t, "mesh:4x4")
	for name, want := range map[string][]topology.Node{
		"paging:1":                           {0, 1, 4, 5, 2, 3, 6, 7},
		"paging:1,page_ranks=row-major":      {0, 1, 4, 5, 2, 3, 6, 7},
		"paging:1,page_ranks=mirrored":       {1, 0, 5, 4, 3, 2, 7, 6},
		"paging:1,page_ranks=reversed":       {5, 4, 1, 0, 7, 6, 3, 2},
		"paging:1,snake,page_ranks=mirrored": {1, 0, 5, 4, 3, 2, 7, 6},
	} {
		a := must.Have(allocation.Named(Allocators(), name, allocation.Site{Machine: machine}))
		free := allocation.NewFreeSet(16)
		got, ok := a.Allocate(nil, free, allocation.Request{Size: 6})
		if !ok || !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// A block of three dimensions has its first dimension mirrored, or all of them.
func TestOrderPageInThreeDimensions(t *testing.T) {
	for ranks, want := range map[string][]topology.Node{
		RowMajorRanks: {0, 1, 2, 3, 4, 5, 6, 7},
		MirroredRanks: {1, 0, 3, 2, 5, 4, 7, 6},
		ReversedRanks: {7, 6, 5, 4, 3, 2, 1, 0},
	} {
		got := []topology.Node{0, 1, 2, 3, 4, 5, 6, 7}
		if orderPage(got, 2, ranks); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", ranks, got, want)
		}
	}
}

func TestPageRanksOfSinglesAreRefused(t *testing.T) {
	machine := topologytest.Machine(t, "mesh:4x4")
	_, err := allocation.Named(Allocators(), "paging:0,page_ranks=reversed",
		allocation.Site{Machine: machine})
	if err == nil || !strings.Contains(err.Error(), "page_ranks=reversed has no effect on page 0") {
		t.Errorf("the error is %v", err)
	}
	must.Have(allocation.Named(Allocators(), "paging:0,page_ranks=row-major",
		allocation.Site{Machine: machine}))
}

// paging visits the pages in the order of pageList.
func (m reference) paging(c form, req allocation.Request) ([]topology.Node, bool) {
	side := 1 << c.page
	var pages []int
	for _, all := range m.sides {
		pages = append(pages, all/side)
	}
	var nodes []topology.Node
	for _, p := range pageList(c.order, pages) {
		at := m.cube(0)
		for d := range p {
			at[d] = p[d] * side
		}
		if len(nodes) < req.Size && m.frameFree(at, m.cube(side)) {
			nodes = append(nodes, m.frame(at, m.cube(side))...)
		}
	}
	return nodes, len(nodes) >= req.Size
}

// pageList returns the pages in an order, built as Fig. 2 of [Lo et al. 1994] is drawn:
// the shuffled ones quadrant by quadrant of a cube of sufficient side.
func pageList(order string, sides []int) (list [][]int) {
	half, side := slices.Repeat([]int{2}, len(sides)), 1
	for side < slices.Max(sides) {
		side *= 2
	}
	switch order {
	case "shuffled-row-major":
		list = quadrants(sides, make([]int, len(sides)), side, slices.Collect(box(half...)))
	case "shuffled-snake":
		list = quadrants(sides, make([]int, len(sides)), side, snake(half))
	case "middle-out":
		for first := range box(append([]int{1}, sides[1:]...)...) {
			for i := range 2*sides[0] + 2 { // to the left and to the right in turn
				x := sides[0]/2 + i/2
				if i%2 == 0 {
					x = sides[0]/2 - 1 - i/2
				}
				if x >= 0 && x < sides[0] {
					list = append(list, append([]int{x}, first[1:]...))
				}
			}
		}
	case "snake":
		list = snake(sides)
	default:
		list = slices.Collect(box(sides...))
	}
	return list
}

// quadrants lists the pages of a cube that lie in a box, part by part, in a sequence of its parts.
func quadrants(sides, corner []int, side int, sequence [][]int) (list [][]int) {
	for d, x := range corner {
		if x >= sides[d] {
			return nil
		}
	}
	if side == 1 {
		return [][]int{corner}
	}
	for _, part := range sequence {
		by := slices.Clone(part)
		for d := range by {
			by[d] *= side / 2
		}
		list = append(list, quadrants(sides, moved(corner, by), side/2, sequence)...)
	}
	return list
}

// snake lists the pages of a box layer by layer, every other one backward.
func snake(sides []int) (list [][]int) {
	last := len(sides) - 1
	if last < 0 {
		return [][]int{nil}
	}
	layer := snake(sides[:last])
	for i := range sides[last] {
		for _, p := range layer {
			list = append(list, append(slices.Clone(p), i))
		}
		slices.Reverse(layer)
	}
	return list
}
