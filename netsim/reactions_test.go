package netsim

import (
	"math"
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/router/topology"
)

// reacting returns an idle network of two nodes under a congestion control, with their queue pair.
func reacting(t *testing.T, control CongestionControl) (*Network, *queuePair) {
	c := Default(cube(t, false, 2))
	c.SourceQueues, c.Congestion = QueuePerDestination, control
	n := must.Have(New(c))
	return n, n.pairs.pair(0, 1)
}

// notifyAt lets a notification reach a pair in a cycle.
func notifyAt(t *testing.T, n *Network, p *queuePair, cycle Cycle) {
	advanceTo(t, n, cycle)
	n.config.Congestion.notified(n.pairs, p, &notice{})
}

// The rate of DCQCN by hand: with g = 0.5, F = 2 and steps of 0.125, cut in cycle 0 to a half, with
// steps of 3/4 and 7/8 by fast recovery in cycles 100 and 200, and an additive one, capped by the
// rate of the link; cut again in 350 by half of alpha, which has decayed once in 250.
func TestDCQCNByHand(t *testing.T) {
	n, p := reacting(t, &DCQCN{MarkTo: 1, MarkShare: 1, CNPCycles: 1, AlphaCycles: 250,
		TimerCycles: 100, CounterFlits: 1 << 20, Gain: 0.5, Recovery: 2, Additive: 0.125,
		Hyper: 0.25, Least: 0.01})
	notifyAt(t, n, p, 0)
	r := p.limiter.(*dcqcnRate)
	check := func(cycle Cycle, current, target, alpha float64) {
		t.Helper()
		if r.advance(cycle); r.current != current || r.target != target || r.alpha != alpha {
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
	check(650, 0.939453125, 1, 0.375) // additive: the target is capped
	r.current = 0.4
	if next := r.next(8, 650); next != 670 {
		t.Errorf("8 flits at a rate of 0.4 end in cycle %d, want 670", next)
	}
	// The fractions of cycles are kept: 3 flits take 7.5.
	if a, b := r.next(3, 650), r.next(3, 650); a != 657 || b != 658 {
		t.Errorf("3 flits at a rate of 0.4 end in cycles %d and %d, want 657 and 658", a, b)
	}
}

// Each returned mark moves a pair of ib-cca up the table, and each period of the timer down again.
func TestIBCCAByHand(t *testing.T) {
	n, p := reacting(t, &IBCCA{MarkFrom: 1, Increase: 2, Limit: 5, TimerCycles: 100, DelayStep: 0.5})
	notifyAt(t, n, p, 10)
	notifyAt(t, n, p, 20)
	notifyAt(t, n, p, 30)
	r := p.limiter.(*ibccaRate)
	for _, k := range []struct {
		cycle, next Cycle
		index       int
	}{{30, 58, 5}, {99, 127, 5}, {100, 124, 4}, {299, 319, 3}, {300, 316, 2}, {600, 608, 0}} {
		if next := r.next(8, k.cycle); next != k.next || r.index != k.index {
			t.Errorf("in cycle %d the index is %d and the next packet comes in %d, want %d and %d",
				k.cycle, r.index, next, k.index, k.next)
		}
	}
	if !r.released(600) {
		t.Error("the index is not 0")
	}
}

// Senders that Throttle holds back share k/(2+k) of the link of their destination; with one less
// than Senders they have all of it. An idle network forgets all.
func TestThrottledShare(t *testing.T) {
	for senders, want := range map[int]float64{5: 1, 6: 6.0 / 8, 9: 9.0 / 11} {
		c := Default(tree(t, 16, 1))
		c.SourceQueues, c.BufferFlits, c.RoutingCycles = QueuePerDestination, 64, 0
		c.Congestion = &Throttle{Outstanding: 64, Senders: 6}
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
