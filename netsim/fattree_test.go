package netsim

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// Where all nodes of a leaf send to another leaf, the links up carry what they can: 16 nodes
// with 4 links up get a quarter of a flit a cycle each, with bundles of two links a half, and
// with two rails twice as much.
func TestTaperBoundsThroughput(t *testing.T) {
	if slow {
		return // other tests check invariants on this network
	}
	for _, k := range []struct {
		bundle, rails int
		bound         float64
	}{{1, 1, 0.25}, {2, 1, 0.5}, {1, 2, 0.5}, {1, 4, 1}} {
		m := fatTree(t, topology.FatTreeConfig{Children: []int{16, 3}, Parents: []int{4},
			Bundle: []int{k.bundle}, Rails: k.rails})
		c := Default(m)
		c.BufferFlits, c.RoutingCycles, c.PacketFlits = 32, 0, 4
		n := must.Have(New(c))
		tr := started(n, Traffic{Load: k.bound * 1.1, Flits: 4,
			Destination: func(from topology.Node, _ *rand.Rand) topology.Node {
				return (from + 16) % 48
			}}, 1, 1)
		run(t, n, tr, 2000)
		before := n.Totals().Flits
		run(t, n, tr, 6000)
		got := float64(n.Totals().Flits-before) / 4000 / 48
		if got > k.bound*1.001 || got < 0.97*k.bound {
			t.Errorf("bundles of %d and %d rails accept %.4f flits per node and cycle, want %v", k.bundle,
				k.rails, got, k.bound)
		}
	}
}

// The channels of each interface of a node are the node's.
func TestInterfacesBelongToTheirNodes(t *testing.T) {
	n := must.Have(New(Default(railed(t))))
	seen := map[string]int{}
	for l := range router.Link(n.Wiring().Links()) {
		from, to := n.Wiring().Ends(l)
		switch n.Wiring().Kind(l) {
		case router.Injection:
			seen[fmt.Sprint("from ", from.Node, " by ", from.Rail)]++
		case router.Ejection:
			seen[fmt.Sprint("to ", to.Node, " by ", to.Rail)]++
		}
	}
	for node := range 12 {
		for rail := range 3 {
			from, to := fmt.Sprint("from ", node, " by ", rail), fmt.Sprint("to ", node, " by ", rail)
			if seen[from] != 1 || seen[to] != 1 {
				t.Errorf("%d channels %s, %d %s", seen[from], from, seen[to], to)
			}
		}
	}
}
