package manager

import (
	"slices"
	"testing"

	"contend/allocation"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Decisions of slurmctld 22.05.8 without a topology, for jobs of whole nodes.
func TestSlurmFlat(t *testing.T) {
	a := must.Have(NewSlurmFlat(topologytest.Machine(t, "fat-tree:15x4:1")))
	for _, c := range []struct {
		size       int
		free, want []topology.Node
	}{
		{10, []topology.Node{0, 2, 3, 4, 6, 9, 11, 20, 21, 22, 24, 26, 27, 28, 30, 32, 34, 37, 38, 41, 42,
			53, 55, 58}, []topology.Node{0, 2, 3, 4, 20, 21, 22, 26, 27, 28}},
		{14, []topology.Node{0, 1, 2, 3, 4, 5, 46, 47, 48, 49, 50, 51, 52, 53, 54},
			[]topology.Node{0, 1, 2, 3, 4, 46, 47, 48, 49, 50, 51, 52, 53, 54}},
		{13, []topology.Node{10, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 31, 38, 43, 44, 45, 48, 49, 56,
			59}, []topology.Node{12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 48, 49}},
		{6, []topology.Node{1, 2, 3, 15, 27, 29, 33, 37, 38, 41, 43, 44, 48, 49, 51},
			[]topology.Node{1, 2, 3, 15, 37, 38}},
	} {
		free := allocation.NewFreeSet(60)
		for n := range topology.Node(60) {
			if !slices.Contains(c.free, n) {
				free.Take([]topology.Node{n})
			}
		}
		if got, ok := a.Allocate(nil, free, allocation.Request{Size: c.size}); !ok ||
			!slices.Equal(got, c.want) {
			t.Errorf("%d of %v: %v, slurmctld has %v", c.size, c.free, got, c.want)
		}
		if got, ok := a.Allocate(nil, free, allocation.Request{Size: len(c.free) + 1}); ok {
			t.Errorf("%d of %v: %v", len(c.free)+1, c.free, got)
		}
	}
}
