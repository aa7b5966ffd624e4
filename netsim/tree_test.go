package netsim

import (
	"math/rand/v2"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/netsim/topology"
	"contend/router"
)

var treeRoutings = []string{"d-mod-k", "s-mod-k", "random", "adaptive"}

// sendAll sends one packet from every node to every other, and lets them arrive.
func sendAll(t *testing.T, n *Network, nodes topology.Node, flits int32) {
	t.Helper()
	for a := range nodes {
		for b := range nodes {
			if a != b {
				n.Send(Message{From: a, To: b, Flits: flits})
			}
		}
	}
	drain(t, n)
}

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
			sendAll(t, n, topology.Node(m.Nodes()), 8)
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

// Four nodes of one router send to nodes whose lowest digits are equal: under
// d-mod-k all four go up the same way and wait for each other, under s-mod-k
// and adaptive routing each has a way of its own.
func TestWaysUpDiffer(t *testing.T) {
	m := tree(t, 4, 3)
	blocked := map[string]Cycle{}
	for _, routing := range treeRoutings {
		c := Default(m)
		c.Routing = routing
		n := must.Have(New(c))
		for i := range topology.Node(4) {
			n.Send(Message{From: i, To: 16 + 4*i, Flits: 64})
		}
		drain(t, n)
		blocked[routing] = n.Totals().Blocked
	}
	if blocked["d-mod-k"] == 0 || blocked["s-mod-k"] != 0 || blocked["adaptive"] != 0 {
		t.Errorf("blocked for %v cycles: want some under d-mod-k, none under s-mod-k and adaptive",
			blocked)
	}
}

// Jobs on subtrees of their own never meet, whatever way up their packets take;
// jobs on nodes drawn at random do, and take longer. (Not so on nodes dealt out in
// turn: d-mod-k and s-mod-k then give each job channels of its own.) See Pascual
// et al. 2009, sec. 5: "interference with other running applications is also
// reduced".
func TestJobsOfSubtreesDoNotMeet(t *testing.T) {
	m := tree(t, 4, 3)
	run := func(routing string, jobOf func(topology.Node) int32) (Totals, Cycle) {
		c := Default(m)
		c.Routing = routing
		n := must.Have(New(c))
		for a := range topology.Node(64) {
			for b := range topology.Node(64) {
				if a != b && jobOf(a) == jobOf(b) {
					n.Send(Message{From: a, To: b, Flits: 64, Job: jobOf(a)})
				}
			}
		}
		drain(t, n)
		return n.Totals(), n.Now()
	}
	drawn := rand.New(rand.NewPCG(1, 2)).Perm(64)
	for _, routing := range treeRoutings {
		near, nearEnd := run(routing, func(n topology.Node) int32 { return int32(n / 16) })
		far, farEnd := run(routing, func(n topology.Node) int32 { return int32(drawn[n] / 16) })
		if near.Foreign != 0 || near.Blocked == 0 || far.Foreign == 0 || farEnd <= nearEnd {
			t.Errorf("%s: contiguous %+v until %d, scattered %+v until %d", routing, near, nearEnd, far,
				farEnd)
		}
		t.Logf("%s: %d cycles contiguous, %d scattered", routing, nearEnd, farEnd)
	}
}

// The seed of random routing is part of the result, and of no other.
func TestRoutingSeed(t *testing.T) {
	m := tree(t, 4, 3)
	run := func(routing string, seed uint64) Totals {
		c := Default(m)
		c.Routing, c.RoutingSeed = routing, seed
		n := must.Have(New(c))
		sendAll(t, n, 16, 8)
		return n.Totals()
	}
	for _, routing := range treeRoutings {
		if same := run(routing, 1) == run(routing, 2); same != (routing != "random") {
			t.Errorf("%s: the same with another seed: %v", routing, same)
		}
	}
	if first, again := run("random", 1), run("random", 1); first != again {
		t.Error("random: another result with the same seed")
	}
}

func TestRoutingsOfTrees(t *testing.T) {
	m := tree(t, 4, 3, 2)
	for _, virtual := range []int{1, 2, 3} {
		for _, routing := range append(treeRoutings, "auto", "") {
			c := Default(m)
			c.Routing, c.VirtualChannels = routing, virtual
			if err := c.CheckDeadlock(); err != nil {
				t.Errorf("%q, V=%d: %v", routing, virtual, err)
			}
		}
	}
	for _, k := range []struct {
		t             topology.Topology
		routing, want string
	}{
		{m, "dimension-order", "on a tree there are auto, d-mod-k"},
		{m, "nonsense", "on a tree there are auto, d-mod-k"},
		{cube(t, false, 4, 4), "d-mod-k",
			"on a mesh there are auto, dimension-order"},
	} {
		c := Default(k.t)
		c.Routing = k.routing
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("%s: %v, want %q", k.routing, err, k.want)
		}
	}
}
