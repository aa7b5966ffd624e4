package netsim

import (
	"math"
	"math/rand/v2"
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
		if n.pairs.pair(15, 14); len(n.pairs.pairs) != 1 || len(n.pairs.owed) > 1 {
			t.Errorf("%d pairs and %d destinations are left", len(n.pairs.pairs), len(n.pairs.owed))
		}
	}
}
