package netsim

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

var treeRoutings = []string{"d-mod-k", "s-mod-k", "random", "adaptive"}

// Under d-mod-k and s-mod-k all-to-all traffic puts the same load on every
// channel up and every channel down of a level, slimmed trees included whose
// ports up divide those down: N (N - k^(l+1)) packets leave the subtrees of
// level l, over N W_(l+1) / k^(l+1) channels.
func TestAllToAllIsBalanced(t *testing.T) {
	for _, m := range []*topology.FatTree{tree(t, 4, 3).FatTree, tree(t, 2, 4).FatTree,
		tree(t, 3, 3).FatTree, tree(t, 4, 3, 2).FatTree, tree(t, 4, 3, 4, 2).FatTree,
		tree(t, 4, 2, 1).FatTree, fatTree(t, topology.FatTreeConfig{Children: []int{6, 4, 2},
			Parents: []int{1, 3}, Bundle: []int{3, 2}})} {
		if slow && m.Nodes() > 27 {
			continue
		}
		for _, routing := range []string{"d-mod-k", "s-mod-k"} {
			c := Default(m)
			c.Routing = routing
			n := must.Have(New(c))
			for pair := range topology.Node(m.Nodes() * m.Nodes()) {
				a, b := pair/topology.Node(m.Nodes()), pair%topology.Node(m.Nodes())
				n.Send(Message{From: a, To: b, Flits: 8})
			}
			drain(t, n)
			channels := make([]int, m.Levels())
			for l := range router.Link(n.Wiring().Links()) {
				if n.Wiring().Kind(l) != router.Network {
					continue
				}
				from, to := n.Wiring().Ends(l)
				a, _, _ := m.Place(from.Router)
				b, _, _ := m.Place(to.Router)
				level := min(a, b)
				channels[level]++
				want := int64(8 * (m.Nodes() - m.Span(level)) * m.Span(level) /
					(m.Width(level+1) * m.Bundle(level)))
				if got := n.Usage(l).Flits; got != want {
					t.Errorf("%s, %d nodes: channel from level %d to %d carried %d flits, want %d", routing,
						m.Nodes(), a, b, got, want)
				}
			}
			for level, k := range channels[:m.Levels()-1] {
				if want := 2 * m.Nodes() / m.Span(level) * m.Width(level+1) * m.Bundle(level); k != want {
					t.Errorf("%d nodes: %d channels between levels %d and %d, want %d", m.Nodes(), k, level,
						level+1, want)
				}
			}
		}
	}
}

// Under adversarial traffic the eight nodes of a leaf share one link up of four, which carries a
// flit a cycle: d-mod-k saturates at 1/8 flits per node and cycle. Routing that draws ports carries
// at least three times that of the four links.
func TestAdversarialOnTreeMeetsItsBound(t *testing.T) {
	if slow {
		return // other tests check invariants on such networks
	}
	const bound = 1.0 / 8
	c := fly(t, "d-mod-k")
	c.Topology = fatTree(t, topology.FatTreeConfig{Children: []int{8, 8}, Parents: []int{4}})
	if got := carry(t, c, "adversarial", 1).accepted; got > bound*1.001 || got < 0.95*bound {
		t.Errorf("d-mod-k accepts %.4f flits per node and cycle, a link up carries %.4f", got, bound)
	}
	for _, c.Routing = range []string{"random", "adaptive"} {
		if got := carry(t, c, "adversarial", 1).accepted; got > 4*bound || got < 3*bound {
			t.Errorf("%s accepts %.4f flits per node and cycle, four links up carry %.4f", c.Routing, got,
				4*bound)
		}
	}
}

// A fat tree of full bisection under d-mod-k carries every shift of its nodes without
// any packet waiting (Zahavi 2010), and so it does under s-mod-k.
func TestShiftsDoNotBlock(t *testing.T) {
	for _, m := range []*topology.FatTree{tree(t, 4, 3).FatTree, tree(t, 2, 5).FatTree,
		tree(t, 3, 3).FatTree, fatTree(t, topology.FatTreeConfig{Children: []int{4, 2, 3},
			Parents: []int{2, 4}, Bundle: []int{2, 1}}),
		fatTree(t, topology.FatTreeConfig{Children: []int{6, 4}, Parents: []int{1}, Bundle: []int{6}})} {
		for _, routing := range []string{"d-mod-k", "s-mod-k"} {
			c := Default(m)
			c.Routing = routing
			n := must.Have(New(c))
			nodes := topology.Node(m.Nodes())
			for shift := topology.Node(1); shift < nodes; shift++ {
				if slow && shift > 9 {
					break
				}
				for a := range nodes {
					n.Send(Message{From: a, To: (a + shift) % nodes, Flits: 16})
				}
				drain(t, n)
			}
			if blocked := n.Totals().Blocked; blocked != 0 {
				t.Errorf("%s, %d nodes: blocked for %d cycles", routing, nodes, blocked)
			}
		}
	}
}

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
