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
