package submesh

import (
	"fmt"
	"slices"

	"contend/router/topology"
)

// The orders of the processors within a page. Lo et al. 1994, sec. 4.2, number processes "row-major
// ... in each contiguously allocated block", which does not say from which corner, and pages are
// row-major too. So the directions of pages and of their processors may agree or differ.
const (
	// RowMajorRanks runs along the rows of a page as the pages follow each other: the default.
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

// rankedBy gives the processors within pages an order. It refuses one for pages of one processor.
func (a *paging) rankedBy(ranks string) (*paging, error) {
	if a.side == 1 && ranks != RowMajorRanks {
		return nil, fmt.Errorf("allocator paging: page_ranks=%s has no effect on page 0, whose pages "+
			"have one processor; leave it out or give page 1 or more", ranks)
	}
	a.ranks = ranks
	return a, nil
}
