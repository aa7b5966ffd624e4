package netsim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// reacting returns an idle network of two nodes under a congestion control, with their queue pair.
func reacting(t *testing.T, control CongestionControl) (*Network, *queuePair) {
	c := Default(cube(t, false, 2))
	c.SourceQueues, c.Congestion = QueuePerDestination, control
	n := must.Have(New(c))
	return n, n.pairs.pair(0, 1)
}

// origin is the cycle in which the tests of this file begin.
const origin = 1_000_000

// notifyAt lets a notification reach a pair in a cycle after origin.
func notifyAt(t *testing.T, n *Network, p *queuePair, cycle Cycle) {
	q := n.pairs
	q.notify(origin+cycle-q.timeBack(p), p, notice{})
	advanceTo(t, n, origin+cycle)
}

// The rate of DCQCN by hand: with g = 0.5, F = 2 and steps of 0.0625, cut in cycle 0 to a half,
// with steps of 3/4 and 7/8 by fast recovery in cycles 100 and 200, and an additive one, capped by
// the rate of the link; cut again in 350 by half of alpha, which has decayed once in 250. In 650
// the rate is restored, and the next notification is the first again.
func TestDCQCNByHand(t *testing.T) {
	n, p := reacting(t, &DCQCN{MarkTo: 1, MarkShare: 1, CNPCycles: 1, AlphaCycles: 250,
		TimerCycles: 100, CounterFlits: 1 << 20, Gain: 0.5, Recovery: 2, Additive: 0.0625,
		Hyper: 0.25, Least: 0.01})
	notifyAt(t, n, p, 0)
	r := p.limiter.(*dcqcnRate)
	check := func(cycle Cycle, current, target, alpha float64) {
		t.Helper()
		if r.advance(origin + cycle); r.current != current || r.target != target || r.alpha != alpha {
			t.Errorf("in %d the rate is %v, its target %v, alpha %v, want %v, %v, %v", cycle, r.current,
				r.target, r.alpha, current, target, alpha)
		}
	}
	check(0, 0.5, 1, 1)
	check(99, 0.5, 1, 1)
	check(100, 0.75, 1, 1)
	check(200, 0.875, 1, 1)
	check(250, 0.875, 1, 0.5)
	check(349, 0.9375, 1, 0.5)
	notifyAt(t, n, p, 350)
	check(350, 0.703125, 0.9375, 0.75)
	check(450, 0.8203125, 0.9375, 0.75)
	check(550, 0.87890625, 0.9375, 0.75)
	if r.released(origin + 649) {
		t.Error("the rate is restored in cycle 649")
	}
	check(650, 0.939453125, 1, 0.375) // additive: the target is capped
	notifyAt(t, n, p, 650)
	r = p.limiter.(*dcqcnRate)
	check(650, 0.5, 1, 1)
	r.current = 0.4
	if next := r.next(8, origin); next != origin+20 {
		t.Errorf("8 flits at a rate of 0.4 end in cycle %d, want %d", next, origin+20)
	}
	// The fractions of cycles are kept: 3 flits take 7.5.
	if a, b := r.next(3, origin), r.next(3, origin); a != origin+7 || b != origin+8 {
		t.Errorf("3 flits at a rate of 0.4 end in cycles %d and %d, want 7 and 8", a-origin, b-origin)
	}
}

// A destination of DCQCN returns the first marked packet at once, and then once for each window of
// 100 cycles that has marked packets, until one has none.
func TestNotificationPointByHand(t *testing.T) {
	c := &DCQCN{MarkTo: 1, MarkShare: 1, CNPCycles: 100, AlphaCycles: 100, TimerCycles: 100,
		CounterFlits: 1, Gain: 1, Recovery: 1, Additive: 1, Hyper: 1, Least: 1}
	n, p := reacting(t, c)
	var got []Cycle
	for _, marked := range []Cycle{0, 10, 99, 100, 250, 399, 401, 500, 501, 650, 749, 750, 900} {
		before := p.notices
		a := router.Arrival{Delivered: origin + marked, Marked: true}
		if a.From, a.To = p.from, p.to; marked == 650 {
			a.Marked = false
		}
		if c.arrived(n.pairs, &a); p.notices > before {
			got = append(got, p.nextNotice-100-origin)
		}
	}
	if want := []Cycle{0, 100, 200, 300, 400, 500, 600, 749, 849, 949}; !slices.Equal(got, want) {
		t.Errorf("notifications in cycles %v, want %v", got, want)
	}
}

// Each returned mark moves a pair of ib-cca up the table, and each period of the timer, which the
// first one starts, down again.
func TestIBCCAByHand(t *testing.T) {
	n, p := reacting(t, &IBCCA{MarkFrom: 1, Increase: 2, Limit: 5, TimerCycles: 100, DelayStep: 0.5})
	notifyAt(t, n, p, 10)
	notifyAt(t, n, p, 20)
	notifyAt(t, n, p, 30)
	r := p.limiter.(*ibccaRate)
	for _, k := range []struct {
		cycle, next Cycle
		index       int
	}{{30, 58, 5}, {109, 137, 5}, {110, 134, 4}, {309, 329, 3}, {310, 326, 2}, {509, 521, 1}} {
		if next := r.next(8, origin+k.cycle) - origin; next != k.next || r.index != k.index {
			t.Errorf("in cycle %d the index is %d and the next packet comes in %d, want %d and %d",
				k.cycle, r.index, next, k.index, k.next)
		}
	}
	if r.released(origin+509) || !r.released(origin+510) {
		t.Error("the index is 0, or has not become 0 in cycle 510")
	}
	notifyAt(t, n, p, 730) // the timer starts again
	r = p.limiter.(*ibccaRate)
	if a, b := r.at(origin+829), r.at(origin+830); a != 2 || b != 1 {
		t.Errorf("the index is %d and %d, want 2 and 1", a, b)
	}
}

// A pair with state is kept: its destination's time between two notifications, the time of its next
// packet, a notification on its way, a rate below that of the link.
func TestPairsWithStateAreKept(t *testing.T) {
	for k, set := range []func(p *queuePair){
		func(p *queuePair) { p.nextNotice = origin + 1 },
		func(p *queuePair) { p.notBefore = origin + 1 },
		func(p *queuePair) { p.notices = 1 },
		func(p *queuePair) { p.limiter = &throttleRate{until: origin + 1} },
	} {
		n, p := reacting(t, &Throttle{Outstanding: 8, Senders: 2, Smallest: 1})
		advanceTo(t, n, origin)
		set(p)
		if n.pairs.forget(p); n.QueuePairs() != 1 {
			t.Errorf("%d: the pair is forgotten", k)
		}
		p.notices = 0
		advanceTo(t, n, origin+1)
		if n.pairs.forget(p); n.QueuePairs() != 0 {
			t.Errorf("%d: the pair is kept", k)
		}
	}
}

// A pair whose limit ends while its packet waits for its turn sends at the rate of the link.
func TestLimitEndsWhilePacketsWait(t *testing.T) {
	n, p := reacting(t, &Throttle{Outstanding: 800, Senders: 2, Smallest: 1})
	p.limiter = &throttleRate{rate: 0.1, flitTime: 10, window: 4, until: 4}
	n.Send(Message{From: 0, To: 0, Flits: 8})
	n.Send(Message{From: 0, To: 1, Flits: 8})
	advanceTo(t, n, 30)
	if p.limiter != nil || p.notBefore > 0 {
		t.Errorf("the limit is %+v and the next packet comes in cycle %d", p.limiter, p.notBefore)
	}
}

// Packets below Smallest make no sender of Throttle, but senders rest for their flits too.
func TestThrottleLeavesSmallPacketsOut(t *testing.T) {
	for _, k := range []struct {
		flits []int32 // of the messages of each of two nodes
		rest  Cycle
	}{{[]int32{3, 3, 3}, 0}, {[]int32{8, 8}, 4 * 16}, {[]int32{3, 8}, 4 * (6 + 16)}} {
		c := Default(tree(t, 4, 1))
		c.SourceQueues, c.InjectionPorts = QueuePerDestination, 2
		c.Congestion = &Throttle{Outstanding: 10, Senders: 2, Smallest: 4}
		n := must.Have(New(c))
		advanceTo(t, n, origin)
		for _, flits := range k.flits {
			n.Send(Message{From: 1, To: 0, Flits: flits})
			n.Send(Message{From: 2, To: 0, Flits: flits})
		}
		rest := Cycle(0)
		for n.Pending() > 0 {
			for _, e := range n.pairs.events {
				if e.notice != nil && rest == 0 {
					rest = e.notice.rest
				}
			}
			advanceTo(t, n, n.Now()+1)
		}
		if rest != k.rest {
			t.Errorf("messages of %v flits: rest for %d cycles, want %d", k.flits, rest, k.rest)
		}
	}
}

// Senders that Throttle holds back share k/(2+k) of the link of their destination; with one less
// than Senders they have all of it. An idle network forgets all.
func TestThrottledShare(t *testing.T) {
	for senders, want := range map[int]float64{5: 1, 6: 6.0 / 8, 9: 9.0 / 11} {
		c := Default(tree(t, 16, 1))
		c.SourceQueues, c.BufferFlits, c.RoutingCycles = QueuePerDestination, 64, 0
		c.Congestion = &Throttle{Outstanding: 64, Senders: 6, Smallest: 1}
		n := must.Have(New(c))
		d := must.Have(TrafficPattern{Name: "incast", Senders: senders}.On(c.Topology, false, nil))
		tr := &Traffic{Destination: d.To, Rates: d.Rates, Load: 2.0 / 16, Flits: 8}
		tr.Start(16, rand.New(rand.NewPCG(1, 2)))
		run(t, n, tr, 5000)
		before := n.Totals().Flits
		run(t, n, tr, 15000)
		if share := float64(n.Totals().Flits-before) / 10000; math.Abs(share-want) > 0.01 {
			t.Errorf("%d senders have %v of the link, want %v", senders, share, want)
		}
		drain(t, n)
		n.Send(Message{From: 1, To: 0, Flits: 8})
		advanceTo(t, n, n.Now()+10000)
		n.Send(Message{From: topology.Node(senders), To: 0, Flits: 8})
		advanceTo(t, n, n.Now()+10000)
		n.pairs.sweepAt = 0
		owed := 0
		for i := range n.pairs.interfaces {
			if n.pairs.interfaces[i].owed != nil {
				owed++
			}
		}
		if n.pairs.pair(15, 14); n.pairs.pairs != 1 || owed > 1 {
			t.Errorf("%d pairs and %d destinations are left", n.pairs.pairs, owed)
		}
	}
}

// burst is a message of a node to node 0.
type burst struct {
	cycle Cycle
	Message
}

// bursts draws bursts of four nodes, with gaps in which rates may recover or not.
func bursts(seed uint64) (list []burst) {
	r, t := rand.New(rand.NewPCG(seed, 7)), Cycle(0)
	for range 40 {
		for from := range topology.Node(4) {
			list = append(list, burst{t, Message{From: from + 1, To: 0, Flits: 8 * (1 + r.Int32N(20))}})
		}
		t += Cycle(r.IntN(1 << (4 + r.IntN(9))))
	}
	return list
}

// drawControls draws the parameters of controls.
func drawControls(seed uint64) []CongestionControl {
	r := rand.New(rand.NewPCG(seed, 8))
	return []CongestionControl{
		&DCQCN{MarkFrom: 4, MarkTo: 20, MarkShare: 0.5, CNPCycles: 1 + r.IntN(1000),
			AlphaCycles: 5 + r.IntN(90), TimerCycles: 3 + r.IntN(90), CounterFlits: 50 + r.IntN(200),
			Gain: 0.2, Recovery: 1 + r.IntN(3), Additive: 0.02, Hyper: 0.05, Least: 0.03},
		&IBCCA{MarkFrom: r.IntN(12), MarkingRate: r.IntN(3), Increase: 1 + r.IntN(3), Limit: 9,
			Least: r.IntN(2), TimerCycles: 5 + r.IntN(200), DelayStep: 0.1 + 2*r.Float64()},
		&Throttle{Outstanding: 10 + r.IntN(30), Senders: 2 + r.IntN(3), Smallest: 1},
	}
}

// burstNetwork returns a switch of some nodes under a control.
func burstNetwork(t *testing.T, control CongestionControl, nodes int) *Network {
	c := Default(treeOf(t, nodes, nodes, 1))
	c.SourceQueues, c.Congestion, c.BufferFlits, c.LinkCycles = QueuePerDestination, control, 32, 9
	return must.Have(New(c))
}

// runBursts runs bursts that begin in a cycle and returns what became of their packets, in time
// from that cycle on. It calls between in each step of some cycles.
func runBursts(t *testing.T, n *Network, list []burst, from Cycle, between func()) []string {
	var seen []string
	n.Watch(func(p *router.Arrival) {
		if p.To == 0 {
			seen = append(seen, fmt.Sprint(p.From, p.Length, p.Marked, p.Created-from, p.Injected-from,
				p.Delivered-from, p.Blocked))
		}
	})
	for _, m := range list {
		for n.Now() < from+m.cycle {
			advanceTo(t, n, min(from+m.cycle, n.Now()-n.Now()%40+40))
			between()
		}
		n.Send(m.Message)
	}
	drain(t, n)
	return seen
}

// fewer returns a number of seeds, 1 if each cycle takes long.
func fewer(seeds uint64) uint64 {
	if slow {
		return 1
	}
	return seeds
}

// A run that begins later is the same run later.
func TestControlsInTime(t *testing.T) {
	for seed := range fewer(6) {
		list := bursts(seed)
		for _, control := range drawControls(seed) {
			want := runBursts(t, burstNetwork(t, control, 5), list, 0, func() {})
			for _, from := range []Cycle{1, 12_345, 1_000_000, 100_000_000} {
				n := burstNetwork(t, control, 5)
				advanceTo(t, n, from)
				if got := runBursts(t, n, list, from, func() {}); !reflect.DeepEqual(got, want) {
					t.Fatalf("%+v: a run from cycle %d on is another one", control, from)
				}
			}
		}
	}
}

// When pairs are forgotten changes nothing, and thus not how many others there are.
func TestForgettingChangesNothing(t *testing.T) {
	for seed := range fewer(12) {
		for _, control := range drawControls(seed) {
			forgetting(t, bursts(seed), control, seed)
		}
	}
}

// forgetting compares a run with one that forgets pairs as soon as it may, and one beside others.
func forgetting(t *testing.T, list []burst, control CongestionControl, seed uint64) {
	t.Helper()
	want := runBursts(t, burstNetwork(t, control, 5), list, 0, func() {})
	n := burstNetwork(t, control, 5)
	if got := runBursts(t, n, list, 0, func() {
		n.pairs.sweep()
	}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v: a run that forgets pairs at once is another one", control)
	}
	if seed > 1 || slow {
		return
	}
	n = burstNetwork(t, control, 64)
	r, most := rand.New(rand.NewPCG(5, 6)), 0
	if got := runBursts(t, n, list, 0, func() {
		for range 60 { // of 59 nodes that send to each other: no link is shared with the bursts
			from, to := topology.Node(5+r.IntN(59)), topology.Node(5+r.IntN(59))
			n.Send(Message{From: from, To: to, Flits: 8})
		}
		most = max(most, n.pairs.pairs)
	}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v: a run beside %d pairs is another one", control, most)
	}
}

// marksOn runs an incast, or uniform traffic, and returns the packets, in the order of arrival, and
// what each link has seen.
func marksOn(t *testing.T, c Config, kind string, load float64) (list []router.Arrival,
	seen []router.MarkedLink) {
	n := must.Have(New(c))
	n.Watch(func(p *router.Arrival) { list = append(list, *p) })
	d := must.Have(TrafficPattern{Name: kind}.On(c.Topology, false, nil))
	tr := &Traffic{Destination: d.To, Rates: d.Rates, Load: load, Flits: 8}
	tr.Start(c.Topology.Nodes(), rand.New(rand.NewPCG(3, 4)))
	run(t, n, tr, 2000)
	n.ResetCongestion() // buffers are full
	run(t, n, tr, 6000)
	for l := range n.wiring.Links() {
		seen = append(seen, n.routers.Marked(router.Link(l)))
	}
	return list, seen
}

// markingNetwork returns a network that marks packets behind more than 8 flits, and reacts to no
// mark.
func markingNetwork(m topology.Topology, s router.Switching, threads int) Config {
	c := Default(m)
	c.SourceQueues, c.Switching, c.BufferFlits, c.Threads = QueuePerDestination, s, 32, threads
	c.Engine, c.RoutingCycles = "cycle", 1
	c.Congestion = &DCQCN{MarkFrom: 8, MarkTo: 40, MarkShare: 0.5, CNPCycles: 1 << 30, AlphaCycles: 1,
		TimerCycles: 1, CounterFlits: 1, Gain: 1, Recovery: 1, Additive: 1, Hyper: 1, Least: 1}
	return c
}

// Only the link to the busy node of an incast marks: those behind it are victims. Under uniform
// traffic links to routers mark that carry too much, such as those up a slim tree. Threads mark the
// same packets.
func TestMarksAtTheRoot(t *testing.T) {
	for _, s := range []router.Switching{router.Wormhole, router.VirtualCutThrough,
		router.StoreAndForward} {
		line := markingNetwork(cube(t, false, 5), s, 1)
		list, seen := marksOn(t, line, "incast", 0.8)
		w := must.Have(New(line)).wiring
		for l, k := range seen {
			if hot := w.LinkOf(w.Ejection(0)) == router.Link(l); hot != (k.Marked > 50) ||
				!hot && k.Marked > 0 {
				t.Errorf("%d: link %s marks %d of %d packets", s, w.Describe(w.First(router.Link(l))),
					k.Marked, k.Heads)
			}
		}
		if !slices.ContainsFunc(list, func(p router.Arrival) bool { return p.Marked }) {
			t.Errorf("%d: no packet arrives marked", s)
		}
		slim := tree(t, 4, 2, 1)
		list, seen = marksOn(t, markingNetwork(slim, s, 1), "uniform", 0.8)
		up := int64(0)
		w = must.Have(New(markingNetwork(slim, s, 1))).wiring
		for l, k := range seen {
			if w.Kind(router.Link(l)) == router.Network {
				up += k.Marked
			}
		}
		if up < 100 {
			t.Errorf("%d: links between routers mark %d packets", s, up)
		}
		for _, threads := range []int{2, 5} {
			again, _ := marksOn(t, markingNetwork(slim, s, threads), "uniform", 0.8)
			if !reflect.DeepEqual(again, list) {
				t.Errorf("%d: %d threads give other packets", s, threads)
			}
		}
	}
}
