package exact

import (
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/router/topology/topologytest"
)

// Bender et al. 2005, Fig. 2: the least sums of pairwise distances of 2 to 21
// processors of an empty machine.
func TestBenderFig2(t *testing.T) {
	machine := topologytest.Mesh(t, 16, 16)
	a, free := makeExact(t, "optimal", machine), allocation.NewFreeSet(16*16)
	for i, want := range []int{1, 4, 8, 16, 25, 38, 54, 72, 96, 124, 152, 188, 227, 272, 318, 374,
		433, 496, 563, 632} {
		size := 2 + i
		nodes, _ := a.Allocate(nil, free, allocation.Request{Size: size})
		explored, proven := a.(allocation.Explorer).Explored()
		if got := allocationtest.PairsApart(machine, nodes); got != want || !proven {
			t.Errorf("%d processors: %d (proven %v after %d nodes), published %d", size, got,
				proven, explored, want)
		}
	}
}
