package center_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation/allocationtest"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// referenceMedian sorts all free nodes, stably, by the hops to one center after the other, and
// returns the set with the least sum, of equals that of the first center: Gen-Alg with
// LastShellPrevious by its definition.
func referenceMedian(m topology.Topology, free []bool, size int) []topology.Node {
	list := allocationtest.FreeSet(free).AppendTo(nil)
	var best []topology.Node
	least := math.MaxInt
	for _, center := range slices.Clone(list) {
		slices.SortStableFunc(list, func(a, b topology.Node) int {
			return m.(topology.Metric).Distance(center, a) - m.(topology.Metric).Distance(center, b)
		})
		if sum := allocationtest.PairsApart(m, list[:size]); sum < least {
			least, best = sum, slices.Clone(list[:size])
		}
	}
	slices.Sort(best)
	return best
}

// Sorts of the nodes of a router as one give what sorts of all nodes give, also where the numbers
// of the nodes of a router do not follow each other.
func TestRunsOfFreeNodes(t *testing.T) {
	for name, m := range map[string]topology.Topology{"dragonfly": topologytest.Dragonfly(t, 4, 2, 3,
		0),
		"hyperx": topologytest.Hyper(t, 3, 4, 3), "graph": topologytest.GroupedGraph(t),
		"sparse":                   topologytest.Sparse(t, 21),
		"torus of four dimensions": topologytest.Torus(t, []int{4, 3, 3, 2}, true, false, true, true)} {
		allocationtest.Against(t, name, makeCenter(t, "gen-alg", m),
			func(rt *rapid.T) []bool { return allocationtest.DrawRouterFree(rt, m) },
			func(free []bool, size int) ([]topology.Node, bool) {
				return referenceMedian(m, free, size), true
			})
	}
}
