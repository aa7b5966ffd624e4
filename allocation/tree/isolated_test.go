package tree

import (
	"fmt"
	"testing"

	"contend/allocation/allocationtest"
	"contend/internal/must"
	"contend/router"
	routes "contend/router/routes"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Jobs share no link under the routings that the allocator is made for.
func TestIsolatedJobsShareNoLink(t *testing.T) {
	for _, shape := range [][3]int{{4, 3, 0}, {2, 5, 0}, {3, 3, 22}, {8, 2, 0}} {
		machine := topologytest.Tree(t, shape[0], shape[1], shape[2])
		checkIsolatedTree(t, fmt.Sprint(shape), machine, 4)
	}
	for name, c := range isolatedTrees() {
		checkIsolatedTree(t, name, topologytest.Fat(t, c), 3)
	}
}

// checkIsolatedTree checks isolated jobs on a tree under both routings. At least so many must have
// run together.
func checkIsolatedTree(t *testing.T, name string, machine topology.Topology, least int) {
	t.Helper()
	w := router.NewWiring(machine, 1, 1)
	for _, choice := range []routes.UpPort{routes.ByDestination, routes.BySource} {
		x := must.Have(routes.NewTreeUpDown(w, choice, 0))
		n := allocationtest.CheckIsolated(t, "isolated", makeTree(t, "isolated", machine, nil), w, x,
			machine.Nodes()/2)
		if n < least {
			t.Errorf("%s: at most %d jobs ran together", name, n)
		}
	}
}
