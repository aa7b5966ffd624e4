package allocation

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

func treeMeter(t testing.TB, machine topology.Topology) *TreeMeter {
	t.Helper()
	return must.Have(NewTreeMeter(machine))
}

// Random sets compared with counting over all pairs and all subtrees. A meter is used
// many times, so counts left over would show.
func TestTreeQualityAgainstCounting(t *testing.T) {
	stream := rand.New(rand.NewPCG(1, 9))
	for _, machine := range []*topology.FatTree{topologytest.Tree(t, 4, 3, 0).FatTree,
		topologytest.Tree(t, 4, 3, 41).FatTree,
		topologytest.Tree(t, 2, 5, 0).FatTree, topologytest.Tree(t, 3, 4, 0).FatTree, topologytest.Tree(t,
			6, 1, 0).FatTree,
		topologytest.Fat(t, topology.FatTreeConfig{Children: []int{5, 2, 1, 4}, Parents: []int{2},
			Nodes: 37}),
		topologytest.Fat(t, topology.FatTreeConfig{Children: []int{1, 3, 6}, Rails: 2})} {
		m := treeMeter(t, machine)
		for range 300 {
			var nodes []topology.Node
			from, most := 0, machine.Nodes()
			if stream.IntN(2) == 0 { // close together
				most = 1 + stream.IntN(machine.Nodes())
				from = stream.IntN(machine.Nodes() - most + 1)
			}
			for _, n := range stream.Perm(most)[:1+stream.IntN(most)] {
				nodes = append(nodes, topology.Node(from+n))
			}
			if diff := cmp.Diff(countTree(machine, nodes), m.Measure(nodes)); diff != "" {
				t.Fatalf("%v (-want +got)\n%s", nodes, diff)
			}
		}
	}
}

func countTree(machine *topology.FatTree, nodes []topology.Node) TreeQuality {
	q := TreeQuality{Processors: len(nodes)}
	pairs := 0
	for i, a := range nodes {
		for _, b := range nodes[:i] {
			q.PairwiseSum += int64(machine.Distance(a, b))
			pairs++
		}
	}
	if pairs > 0 {
		q.PairwiseMean = float64(q.PairwiseSum) / float64(pairs)
	}
	most := func(span int) int {
		in, best := map[int]int{}, 0
		for _, n := range nodes {
			in[int(n)/span]++
			best = max(best, in[int(n)/span])
		}
		return best
	}
	children := topologytest.ChildrenOf(machine)
	span := 1
	for ; span < len(nodes); q.JobLevel++ {
		span *= children[q.JobLevel]
	}
	q.Away = len(nodes) - most(span)
	for span := 1; most(span) < len(nodes); q.Level++ {
		span *= children[q.Level]
	}
	return q
}
