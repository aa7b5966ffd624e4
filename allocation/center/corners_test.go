package center_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/byname/bynametest"
	"contend/allocation/machinetest"
	"contend/netsim/topology"
)

// Counting a corner twice changes the allocation. The comparison with the reference,
// with the other center allocators, shows that the count is right.
func TestCornersOfTheWallScore(t *testing.T) {
	differ := 0
	rng := rand.New(rand.NewPCG(7, 7))
	m := machinetest.Mesh(t, 6, 6)
	for range 400 {
		f := allocation.NewFreeSet(m.Nodes())
		for n := range topology.Node(m.Nodes()) {
			if rng.IntN(3) == 0 {
				f.Take([]topology.Node{n})
			}
		}
		size := 1 + rng.IntN(5)
		once, _ := bynametest.Make(t, "mc1x1-tie:2,13,20,6", m).Allocate(nil, f,
			allocation.Request{Size: size})
		twice, _ := bynametest.Make(t, "mc1x1-tie:2,13,20,6,twice", m).Allocate(nil, f,
			allocation.Request{Size: size})
		if !slices.Equal(once, twice) {
			differ++
		}
	}
	if differ < 5 {
		t.Errorf("corners matter in %d of 400 decisions", differ)
	}
}
