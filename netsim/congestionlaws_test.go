package netsim

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

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
		for _, p := range n.pairs.pairs {
			n.pairs.forget(p)
		}
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
		most = max(most, len(n.pairs.pairs))
	}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v: a run beside %d pairs is another one", control, most)
	}
}
