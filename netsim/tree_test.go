package netsim

import (
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
