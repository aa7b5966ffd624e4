package netsim

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
	"contend/router/topology/topologytest"
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
// routing cannot reach the other group, and its packets take an escape path.
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
	if hops := oneMessage(t, n, 3, 9, 4).Hops; hops < 2 || n.Totals().OnEscapePaths != 1 {
		t.Errorf("%d hops; %+v", hops, n.Failures())
	}
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

// On a HyperX of one dimension ugal makes a detour of two hops where the direct link has failed.
// Dimension order cannot, and its packets take an escape path.
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
	if got := n.Totals(); got.OnEscapePaths != 0 {
		t.Errorf("%+v", got)
	}
	if d := oneMessage(t, n, 9, 1, 4); d.Hops != 2 || n.Totals().OnEscapePaths != 1 {
		t.Errorf("%d hops, not 2; %+v", d.Hops, n.Failures())
	}
	pairs := n.wiring.Topology.Nodes() * (n.wiring.Topology.Nodes() - 1)
	if on, cut := n.EscapePairs(); math.Abs(on-32/float64(pairs)) > 1e-12 || cut != 0 {
		t.Errorf("the share on escape paths is %v, and without a path %v", on, cut)
	}
}

// A failure that finds a packet on an escape path closes these paths: a pair that needs one waits,
// and tries again after each 100 cycles, though no repair is to come. The packet, which goes over the
// root, router 1, arrives, or is lost and sent again if its own path fails.
func TestEscapePathsReopen(t *testing.T) {
	for _, own := range []bool{false, true} {
		_, c := hyper(t, "", 4)
		c.PacketFlits = 64
		n := failable(c, "dimension-order")
		n.Fail(both(n, 0, 2)...)
		n.Send(Message{From: 0, To: 8, Flits: 64, User: 1})
		advanceTo(t, n, 40)
		second := both(n, 1, 3)
		if own {
			second = both(n, 0, 1)
		}
		n.Fail(second...)
		n.Send(Message{From: 4, To: 12, Flits: 4, User: 2})
		n.Send(Message{From: 12, To: 4, Flits: 4, User: 2})
		n.Send(Message{From: 4, To: 0, Flits: 4, User: 2})
		n.Send(Message{From: 12, To: 0, Flits: 4, User: 2})
		var waited []Delivery
		for _, d := range drain(t, n) {
			if d.User == 2 && d.Delivered > 140 {
				waited = append(waited, d)
			}
		}
		f := n.Failures()
		if len(waited) == 0 || (f.Lost > 0) != own || f.Resent != f.Lost || n.Totals().OnEscapePaths < 2 {
			t.Errorf("%t: %d messages have waited; %+v", own, len(waited), f)
		}
		start := n.Now()
		if d := oneMessage(t, n, waited[0].From, waited[0].To, 4); d.Delivered > start+50 {
			t.Errorf("the paths are closed still: a message takes %d cycles", d.Latency)
		}
	}
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

// A mesh names the first pair of nodes that no path joins. Messages of pairs that have one arrive:
// where dimension order has none, on an escape path.
func TestMeshCannotReach(t *testing.T) {
	n := failable(Default(cube(t, false, 4, 4)), "dimension-order")
	n.Fail(both(n, 5, 6)...)
	oneMessage(t, n, 2, 5, 8) // x comes first
	oneMessage(t, n, 4, 13, 8)
	oneMessage(t, n, 4, 15, 8)
	if n.Failures() != (Failures{}) || n.Totals().OnEscapePaths != 1 {
		t.Errorf("%+v, %+v", n.Failures(), n.Totals())
	}
	start := n.Now()
	n.Fail(append(both(n, 4, 5), append(both(n, 0, 4), both(n, 4, 8)...)...)...)
	n.Send(Message{From: 4, To: 15, Flits: 8})
	cannotReach(t, n, fmt.Sprintf("node 4 cannot reach node 15 from cycle %d on: all paths lead over "+
		"links that have failed, and no repair is to come", start))
}

// A link at half its bandwidth carries half as many flits as before, and as many again when it has
// all of it. A packet that is alone takes as long as over a link that was built so.
func TestSlowLink(t *testing.T) {
	c := Default(cube(t, false, 4, 4))
	c.RoutingCycles, c.BufferFlits, c.SlowestBandwidth = 0, 16, 0.5
	n := must.Have(New(c))
	l := linksBetween(n, 1, 2)[0]
	must.Do(n.SetBandwidth(0.5, l))
	path := n.timesOf(n.UncontendedLinks(router.Header{Source: 0, Destination: 3}))
	path[2].Flit = 2
	want := c.ZeroLoadLatencyOver(path, 8)
	if d := oneMessage(t, n, 0, 3, 8); d.Latency != want || want == c.ZeroLoadLatency(3, 8) {
		t.Errorf("a latency of %d, not %d", d.Latency, want)
	}
	for range 2000 {
		n.Send(Message{From: 1, To: 2, Flits: 8})
	}
	carried := func() int64 {
		advanceTo(t, n, n.Now()+200) // without the flits that were in the buffers
		n.ResetUsage()
		advanceTo(t, n, n.Now()+4000)
		return n.Usage(l).Flits
	}
	slow := carried()
	must.Do(n.SetBandwidth(1, l))
	if fast := carried(); slow != 2000 || fast != 4000 {
		t.Errorf("%d flits, and %d at full bandwidth", slow, fast)
	}
	for _, share := range []float64{0.4, 0.75, 1.1} {
		if err := n.SetBandwidth(share, l); err == nil {
			t.Errorf("no error at %v", share)
		}
	}
}

// A link takes along what is on it. Node 0 sends a packet of one flit in each cycle from 0 on, over
// three links of ten cycles. When the last fails in cycle 35 packets 6 to 14 are on it, since that
// of cycle 5 arrives; when the second fails 15 to 24 are, and 25 to 34 when the first does. Those
// before them arrive, and those after them find no way. After the repair all come, each once.
func TestLinksTakePacketsAlong(t *testing.T) {
	c := Default(cube(t, false, 2))
	c.LinkCycles, c.RoutingCycles, c.BufferFlits, c.PacketFlits = 10, 0, 40, 1
	for _, k := range []struct {
		kind  router.Kind
		first int32 // lost
	}{{router.Ejection, 6}, {router.Network, 15}, {router.Injection, 25}} {
		c.VirtualChannels = 1
		n := failable(c, "dimension-order")
		n.ExpectRepairs(true)
		w := n.Wiring()
		link := map[router.Kind]router.Link{router.Ejection: w.LinkOf(w.Ejection(1)),
			router.Injection: w.LinkOf(w.Injection(0)), router.Network: linksBetween(n, 0, 1)[0]}[k.kind]
		for i := range int32(40) {
			n.Send(Message{From: 0, To: 1, Flits: 1, User: i})
		}
		before := int32(len(advanceTo(t, n, 35)))
		n.Fail(link)
		for _, d := range advanceTo(t, n, 135) {
			if d.User >= k.first {
				t.Errorf("kind %d: message %d arrives at %d", k.kind, d.User, d.Delivered)
			}
			before++
		}
		n.Repair(link)
		late := drain(t, n)
		if before != k.first || len(late) != 40-int(before) || n.Failures().Lost != 35-int64(k.first) {
			t.Errorf("kind %d: %d arrive before and %d after; %+v", k.kind, before, len(late), n.Failures())
		}
	}
}

// Two packets want one link up. When it fails the one that holds it is lost, and the other one,
// which waits, takes another link: the failed one carries no flit of it.
func TestWaitingHeadTakesAnotherLink(t *testing.T) {
	c := Default(tree(t, 4, 2))
	c.PacketFlits = 64
	n := failable(c, "d-mod-k")
	n.Send(Message{From: 0, To: 5, Flits: 64})
	n.Send(Message{From: 1, To: 9, Flits: 64})
	advanceTo(t, n, 20)
	l := linksBetween(n, 0, n.Wiring().Topology.(*topology.Tree).At(1, 0, 1))[0]
	n.Fail(l)
	if first := drain(t, n)[0]; first.To != 9 || n.Failures().Lost != 1 || n.Usage(l).Flits != 64 {
		t.Errorf("%+v comes first; %+v; %d flits", first, n.Failures(), n.Usage(l).Flits)
	}
}

// A router that fails loses all packets in it, also those whose heads have not come to the front
// when it is repaired: that on the link to router 2 and three behind it.
func TestRouterLosesItsPackets(t *testing.T) {
	c := Default(cube(t, false, 3))
	c.PacketFlits, c.BufferFlits = 64, 16
	n := failable(c, "dimension-order")
	n.ExpectRepairs(true)
	n.Send(Message{From: 1, To: 2, Flits: 64})
	for range 3 {
		n.Send(Message{From: 0, To: 2, Flits: 1})
	}
	advanceTo(t, n, 30)
	n.Fail(n.RouterLinks(1)...)
	advanceTo(t, n, 31)
	n.Repair(n.RouterLinks(1)...)
	if list := drain(t, n); len(list) != 4 || n.Failures().Lost != 4 {
		t.Errorf("%d messages arrive; %+v", len(list), n.Failures())
	}
}

// A share of the bandwidth at which flits take as many cycles as at all of it is no share.
func TestFlitCyclesAt(t *testing.T) {
	for _, c := range []struct {
		share        float64
		flit, cycles int
		ok           bool
	}{
		{1, 1, 1, true}, {0.5, 1, 2, true}, {0.9999999999, 1, 1, false}, {0.995, 1, 1, false},
		{0.9999, 100, 100, false}, {0.99, 100, 101, true}, {0.4, 1, 3, false}, {0.4, 2, 5, true},
		{0, 1, 0, false}, {1.5, 3, 2, false},
	} {
		if cycles, ok := FlitCyclesAt(c.share, c.flit); ok != c.ok || ok && cycles != c.cycles {
			t.Errorf("%v of %d: %d, %t", c.share, c.flit, cycles, ok)
		}
	}
}

// TestFailuresElsewhere: links that fail and are repaired where no packet could ever go change
// nothing of the others, in one thread or two.
func TestFailuresElsewhere(t *testing.T) {
	for routing, machine := range map[string]string{"dimension-order": "mesh:4x8",
		"minimal-adaptive": "mesh:4x8", "odd-even": "mesh:4x8", "o1turn": "mesh:4x8",
		"balanced-dateline": "torus:4x8", "dateline": "torus:4x8"} {
		for threads := 1; threads <= 2; threads++ {
			var want []router.Arrival
			for _, fails := range []bool{false, true} {
				c := Default(topologytest.Machine(t, machine))
				c.Threads = threads
				n := failable(c, routing)
				n.ExpectRepairs(true)
				var got []router.Arrival
				n.Watch(func(p *router.Arrival) { got = append(got, *p) })
				below := func(from topology.Node, rng *rand.Rand) topology.Node { // y below 4
					return topology.Node(rng.IntN(16))
				}
				rates := make([]float64, 32)
				for i := range 16 {
					rates[i] = 1
				}
				tr := started(n, Traffic{Destination: below, Load: 0.2, Flits: 8, Rates: rates}, 1, 1)
				for at := Cycle(37); at < 8000; at += 41 {
					must.Do(tr.Run(n, at))
					if !fails {
						continue
					}
					above := both(n, 16+topology.Router(at/41%3), 17+topology.Router(at/41%3))
					if at/41%2 == 0 {
						n.Fail(above...)
					} else {
						above = both(n, 16+topology.Router((at/41-1)%3), 17+topology.Router((at/41-1)%3))
						n.Repair(above...)
					}
				}
				if want == nil {
					if want = got; len(want) < 1000 {
						t.Fatalf("%s: %d packets are too few", routing, len(want))
					}
				} else if !reflect.DeepEqual(want, got) {
					t.Errorf("%s, %d threads: other packets arrive", routing, threads)
				}
			}
		}
	}
}

// TestCutPairs: what a network knows of pairs without a way is what its routing says, in any order
// of questions, after links fail and after they are repaired.
func TestCutPairs(t *testing.T) {
	n := failable(Default(topologytest.Machine(t, "torus:4x4")), "dimension-order")
	n.ExpectRepairs(true)
	rng, cut := rand.New(rand.NewPCG(4, 4)), 0
	var failed []router.Link
	for round := range 60 {
		if round%3 < 2 {
			l := router.Link(rng.IntN(n.Wiring().Links()))
			failed = append(failed, l)
			n.Fail(l)
		} else {
			n.Repair(failed...)
			failed = nil
		}
		from := topology.Node(0)
		for range 200 {
			if rng.IntN(3) == 0 {
				from = topology.Node(rng.IntN(16))
			}
			to := topology.Node(rng.IntN(16))
			got, want := n.failing.isCut(from, to), n.routers.Reach(from, to) == router.Unreached
			if got != want {
				t.Fatalf("round %d: %d to %d is cut: %v", round, from, to, got)
			}
			if got {
				cut++
			}
		}
	}
	if cut < 100 {
		t.Errorf("%d pairs are cut: too few", cut)
	}
}

// TestFailuresBesideLongQueues: a failure finds the ways between two nodes once, however many
// messages wait: beyond saturation source queues grow all the time.
func TestFailuresBesideLongQueues(t *testing.T) {
	n := failable(Default(topologytest.Machine(t, "mesh:6x6")), "dimension-order")
	n.ExpectRepairs(true)
	tr := started(n, Traffic{Load: 1, Flits: 8}, 1, 1)
	must.Do(tr.Run(n, 6000))
	if n.Pending() < 15_000 {
		t.Fatalf("%d messages are no long queue", n.Pending())
	}
	links := both(n, 1, 2)
	allocs := testing.AllocsPerRun(5, func() {
		n.Fail(links...)
		n.Repair(links...)
	})
	if pairs := 36.0 * 36; allocs > 3*pairs {
		t.Errorf("a failure beside %d messages allocates %v times", n.Pending(), allocs)
	}
}
