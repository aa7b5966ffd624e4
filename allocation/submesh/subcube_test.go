package submesh

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation/allocationtest"
	"contend/router"
	"contend/router/routes"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// referenceSubcube tries every box of three dimensions at every place.
func referenceSubcube(dims [3]int, nodes int, free []bool, size int) ([]topology.Node, bool) {
	var best [3]int
	sum := func(b [3]int) int { return b[0] + b[1] + b[2] }
	product := func(b [3]int) int { return b[0] * b[1] * b[2] }
	for x := dims[0]; x > 0; x-- {
		for y := dims[1]; y > 0; y-- {
			for z := dims[2]; z > 0; z-- {
				b := [3]int{x, y, z}
				if product(b)*nodes >= size && (best[0] == 0 || sum(b) < sum(best) ||
					sum(b) == sum(best) && product(b) < product(best)) {
					best = b
				}
			}
		}
	}
	for first := range dims[0] * dims[1] * dims[2] {
		at := [3]int{first % dims[0], first / dims[0] % dims[1], first / dims[0] / dims[1]}
		if at[0]+best[0] > dims[0] || at[1]+best[1] > dims[1] || at[2]+best[2] > dims[2] {
			continue
		}
		var list []topology.Node
		for z := range best[2] {
			for y := range best[1] {
				for x := range best[0] {
					r := at[0] + x + dims[0]*(at[1]+y+dims[1]*(at[2]+z))
					for n := range nodes {
						list = append(list, topology.Node(r*nodes+n))
					}
				}
			}
		}
		if !slices.ContainsFunc(list, func(n topology.Node) bool { return !free[n] }) {
			return list, true
		}
	}
	return nil, false
}

func TestSubcubeAgainstReference(t *testing.T) {
	for _, k := range []struct {
		dims  [3]int
		nodes int
	}{{[3]int{5, 4, 1}, 2}, {[3]int{3, 4, 2}, 1}, {[3]int{2, 2, 2}, 3}, {[3]int{9, 1, 1}, 1},
		{[3]int{70, 3, 1}, 1}, {[3]int{3, 30, 2}, 2}} { // more routers than a word has bits
		machine := topologytest.Hyper(t, k.nodes, k.dims[:]...)
		allocationtest.Against(t, fmt.Sprint(k), makeForm(t, "subcube", machine),
			func(rt *rapid.T) []bool { return allocationtest.DrawRouterFree(rt, machine) },
			func(free []bool, size int) ([]topology.Node, bool) {
				return referenceSubcube(k.dims, k.nodes, free, size)
			})
	}
}

// Jobs in boxes share no link under dimension order.
func TestSubcubesShareNoLink(t *testing.T) {
	machine := topologytest.Hyper(t, 2, 4, 4)
	w := router.NewWiring(machine, 1, 1)
	x := routes.NewHyperXOrder(w)
	if n := allocationtest.CheckIsolated(t, "subcube", makeForm(t, "subcube", machine), w, x,
		8); n < 4 {
		t.Errorf("at most %d jobs ran together", n)
	}
}
