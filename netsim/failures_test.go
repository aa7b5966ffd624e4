package netsim

import (
	"errors"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// failable returns a network whose links may fail, and whose sources send again after 100 cycles.
func failable(c Config, routing string) *Network {
	c.Routing, c.LinksFail, c.ResendCycles, c.VirtualChannels = routing, true, 100, 0
	c.NodeVirtualChannels = 0
	return must.Have(New(c))
}

// linksBetween returns the links from one router to another.
func linksBetween(n *Network, from, to topology.Router) (links []router.Link) {
	w := n.Wiring()
	for l := range router.Link(w.Links()) {
		if w.Leaves(l) == from && w.Enters(w.First(l)) == to {
			links = append(links, l)
		}
	}
	return links
}

// both returns the links between two routers in both directions.
func both(n *Network, a, b topology.Router) []router.Link {
	return append(linksBetween(n, a, b), linksBetween(n, b, a)...)
}

// oneMessage sends a message and returns its delivery.
func oneMessage(t *testing.T, n *Network, from, to topology.Node, flits int32) Delivery {
	t.Helper()
	n.Send(Message{From: from, To: to, Flits: flits})
	return drain(t, n)[0]
}

// On a tree of four leaves and four spines node 0 sends to node 5 over spine 1, by d-mod-k. The
// spine fails when the head is on the way to it: the packet is lost, is sent again 100 cycles after
// it was injected, and takes another spine in as much time as before.
func TestSpineFails(t *testing.T) {
	n := failable(Default(tree(t, 4, 2)), "d-mod-k")
	c := n.Config()
	alone := c.ZeroLoadLatency(2, 8)
	if d := oneMessage(t, n, 0, 5, 8); d.Latency != alone {
		t.Fatalf("a latency of %d, not %d", d.Latency, alone)
	}
	start := n.Now()
	n.Send(Message{From: 0, To: 5, Flits: 8})
	advanceTo(t, n, start+5)
	spine := n.Wiring().Topology.(*topology.Tree).At(1, 0, 1)
	n.Fail(n.RouterLinks(spine)...)
	if got, want := drain(t, n)[0].Delivered, start+100+alone; got != want {
		t.Errorf("sent again, it arrives at %d, not %d", got, want)
	}
	want := Failures{Lost: 1, Resent: 1, Rerouted: 1, RerouteCycles: 100 + alone - 5}
	if got := n.Failures(); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
	if d := oneMessage(t, n, 0, 5, 8); d.Latency != alone || n.Failures() != want {
		t.Errorf("the next takes %d cycles, not %d; %+v", d.Latency, alone, n.Failures())
	}
	n.Repair(n.RouterLinks(spine)...)
	up := n.Usage(linksBetween(n, 0, spine)[0]).Flits
	oneMessage(t, n, 0, 5, 8)
	if now := n.Usage(linksBetween(n, 0, spine)[0]).Flits; now != up+8 {
		t.Errorf("repaired, the link carries %d flits, not %d", now, up+8)
	}
}

// A packet for which the link up has failed takes the same link for all its flow, and those to
// other nodes others: all that are left carry some.
func TestFlowsSpreadOverSpines(t *testing.T) {
	n := failable(Default(tree(t, 4, 2)), "d-mod-k")
	spine := n.Wiring().Topology.(*topology.Tree).At(1, 0, 1)
	n.Fail(n.RouterLinks(spine)...)
	for to := topology.Node(5); to < 16; to += 4 { // over the failed spine
		for from := range topology.Node(4) {
			oneMessage(t, n, from, to, 8)
			oneMessage(t, n, from, to, 8)
		}
	}
	for i := range 4 {
		up := n.Usage(linksBetween(n, 0, n.Wiring().Topology.(*topology.Tree).At(1, 0, i))[0]).Flits
		if (up == 0) != (i == 1) || up%16 != 0 {
			t.Errorf("%d flits over spine %d", up, i)
		}
	}
}

// Without the links that join two groups of a dragonfly ugal-l sends over a third group; minimal
// routing cannot reach the other group.
func TestGroupsLoseTheirLink(t *testing.T) {
	cut := func(n *Network) {
		fly := n.Wiring().Topology.(*topology.Dragonfly)
		for l := range router.Link(n.Wiring().Links()) {
			from, to := n.Wiring().Leaves(l), n.Wiring().Enters(n.Wiring().First(l))
			if from >= 0 && to >= 0 && fly.Group(from)+fly.Group(to) == 1 {
				n.Fail(l)
			}
		}
	}
	n := failable(fly(t, ""), "ugal-l")
	if hops := oneMessage(t, n, 0, flyRouters*flyNodes, 4).Hops; hops > 3 {
		t.Errorf("%d hops, where the minimal path is open", hops)
	}
	cut(n)
	for from := range topology.Node(flyRouters * flyNodes) {
		if hops := oneMessage(t, n, from, flyRouters*flyNodes+2, 4).Hops; hops < 2 || hops > 6 {
			t.Errorf("from node %d: %d hops", from, hops)
		}
	}
	n = failable(fly(t, ""), "minimal")
	cut(n)
	n.Send(Message{From: 3, To: 9, Flits: 4})
	cannotReach(t, n, "node 3 cannot reach node 9 from cycle 0 on: all ways of the routing minimal "+
		"lead over links that have failed, and no repair is to come")
}

// cannotReach fails a test unless the network says so.
func cannotReach(t *testing.T, n *Network, want string) {
	t.Helper()
	_, _, err := n.Advance(n.Now() + 1000)
	var e *UnreachableError
	if !errors.As(err, &e) || err.Error() != want {
		t.Errorf("%v\nnot %s", err, want)
	}
}

// On a HyperX of one dimension ugal makes a detour of two hops where the direct link has failed,
// and dimension order cannot.
func TestDirectLinkFails(t *testing.T) {
	_, c := hyper(t, "", 4)
	n := failable(c, "ugal")
	n.Fail(both(n, 0, 2)...)
	if d := oneMessage(t, n, 1, 9, 4); d.Hops != 2 {
		t.Errorf("%d hops, not 2", d.Hops)
	}
	n = failable(c, "dimension-order")
	n.Fail(both(n, 0, 2)...)
	if d := oneMessage(t, n, 1, 13, 4); d.Hops != 1 {
		t.Errorf("%d hops, not 1", d.Hops)
	}
	n.Send(Message{From: 9, To: 1, Flits: 4})
	cannotReach(t, n, "node 9 cannot reach node 1 from cycle 6 on: all ways of the routing "+
		"dimension-order lead over links that have failed, and no repair is to come")
}

// On a graph up-down routing takes the shortest path that is left in its order of routers:
//
//	   0
//	 / | \
//	1  2  5
//	| X |
//	3   4
//
// Without a path it waits for a repair, and tries again after each 100 cycles.
func TestPathsUpAndDownFail(t *testing.T) {
	n := failable(Default(must.Have(topology.NewGraph(topology.GraphConfig{Routers: 6,
		Nodes: []topology.Router{0, 1, 2, 3, 4, 5},
		Links: []topology.GraphLink{{From: 0, To: 1}, {From: 0, To: 2}, {From: 0, To: 5},
			{From: 1, To: 3}, {From: 2, To: 3}, {From: 1, To: 4}, {From: 2, To: 4}}}))), "up-down")
	for _, k := range []struct {
		cut           [2]topology.Router
		from, to      topology.Node
		before, after Cycle
	}{
		{[2]topology.Router{1, 4}, 1, 4, 1, 3},
		{[2]topology.Router{2, 3}, 3, 2, 1, 3},
	} {
		if d := oneMessage(t, n, k.from, k.to, 8); d.Hops != k.before {
			t.Errorf("from %d to %d: %d hops, not %d", k.from, k.to, d.Hops, k.before)
		}
		n.Fail(both(n, k.cut[0], k.cut[1])...)
		if d := oneMessage(t, n, k.from, k.to, 8); d.Hops != k.after {
			t.Errorf("from %d to %d: %d hops, not %d, without the direct link", k.from, k.to, d.Hops,
				k.after)
		}
	}
	if d := oneMessage(t, n, 3, 4, 8); d.Hops != 4 {
		t.Errorf("%d hops, not 4", d.Hops)
	}
	n.Fail(both(n, 0, 2)...)
	n.ExpectRepairs(true)
	start := n.Now()
	n.Send(Message{From: 5, To: 4, Flits: 8})
	n.Send(Message{From: 2, To: 4, Flits: 8})
	if arrived := advanceTo(t, n, start+250); len(arrived) != 1 || arrived[0].From != 2 {
		t.Errorf("%+v arrive without the link", arrived)
	}
	n.Repair(both(n, 0, 2)...)
	c := n.Config()
	if got, want := drain(t, n)[0].Delivered, start+300+c.ZeroLoadLatency(3, 8); got != want {
		t.Errorf("it arrives at %d, not %d, after the third try", got, want)
	}
}

// A mesh under dimension order names the first pair of nodes that have no way. Messages of pairs
// that have one go on.
func TestMeshCannotReach(t *testing.T) {
	n := failable(Default(cube(t, false, 4, 4)), "dimension-order")
	n.Fail(both(n, 5, 6)...)
	oneMessage(t, n, 2, 5, 8) // x comes first
	oneMessage(t, n, 4, 13, 8)
	n.Send(Message{From: 4, To: 15, Flits: 8})
	cannotReach(t, n, "node 4 cannot reach node 15 from cycle 37 on: all ways of the routing "+
		"dimension-order lead over links that have failed, and no repair is to come")
}
