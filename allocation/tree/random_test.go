package tree

import (
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Every ordered choice of 2 of 5 free nodes occurs equally often: 20 outcomes, 20000
// draws, so 1000 each with a standard deviation of 31.
func TestRandomIsUniform(t *testing.T) {
	free := allocationtest.FreeSet([]bool{true, false, true, true, false, true, true})
	a := makeTree(t, "random", topologytest.Mesh(t, 7), nil)
	seen := map[[2]topology.Node]int{}
	for range 20000 {
		nodes, _ := a.Allocate(nil, free, allocation.Request{Size: 2})
		seen[[2]topology.Node(nodes)]++
	}
	if len(seen) != 20 {
		t.Errorf("%d outcomes", len(seen))
	}
	for nodes, n := range seen {
		if n < 850 || n > 1150 {
			t.Errorf("%v comes up %d times of 20000", nodes, n)
		}
	}
}
