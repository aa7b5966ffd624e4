package netsim

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// watched runs five nodes that send to node 0 and returns the packets in the order of arrival and,
// if it watches, the states of the pair from node 1, every 50 cycles.
func watched(t *testing.T, control CongestionControl, threads int, watch bool) (
	list *[]router.Arrival, states []PairState) {
	c := Default(tree(t, 4, 2))
	c.SourceQueues, c.Congestion, c.BufferFlits = QueuePerDestination, control, 24
	c.Engine, c.LinkCycles, c.Threads = "cycle", 7, threads
	n := must.Have(New(c))
	list = arrivals(n)
	for i := range topology.Node(5) {
		n.Send(Message{From: i + 1, To: 0, Flits: 2000})
	}
	for n.Pending() > 0 {
		if watch {
			s, ok := n.PairState(1, 0)
			if !ok {
				t.Fatal("there are no queue pairs")
			}
			states = append(states, s)
		}
		advanceTo(t, n, n.Now()+50)
	}
	return list, states
}

// PairState shows that notifications lower the rate of a pair, and the queue behind which it does,
// with any number of threads. A run that is watched is the same run.
func TestPairState(t *testing.T) {
	for _, control := range []CongestionControl{
		&DCQCN{MarkFrom: 4, MarkTo: 20, MarkShare: 0.5, CNPCycles: 30, AlphaCycles: 40, TimerCycles: 35,
			CounterFlits: 50, Gain: 0.2, Recovery: 2, Additive: 0.05, Hyper: 0.1, Least: 0.05},
		&IBCCA{MarkFrom: 4, Increase: 2, Limit: 9, TimerCycles: 40, DelayStep: 0.5},
		&Throttle{Outstanding: 10, Senders: 3, Smallest: 1},
	} {
		want, _ := watched(t, control, 1, false)
		list, states := watched(t, control, 1, true)
		threaded, again := watched(t, control, 3, true)
		if !reflect.DeepEqual(list, want) || !reflect.DeepEqual(threaded, want) {
			t.Errorf("%T: a run that is watched is another run", control)
		}
		if !reflect.DeepEqual(again, states) {
			t.Errorf("%T: threads show other states", control)
		}
		least, queue, last := 1.0, int64(0), states[len(states)-1]
		for k, s := range states {
			least, queue = min(least, s.Rate), max(queue, s.QueuedFlits)
			if k > 0 && s.Rate < states[k-1].Rate && s.Notifications == states[k-1].Notifications {
				t.Errorf("%T: the rate falls from %v to %v without a notification", control,
					states[k-1].Rate, s.Rate)
			}
		}
		if states[0].Rate != 1 || least > 0.5 || last.Notifications == 0 || queue < 20 {
			t.Errorf("%T: rate %v, then %v at least, %d notifications, a queue of %d flits at most",
				control, states[0].Rate, least, last.Notifications, queue)
		}
	}
}

var vcNames = map[router.VCSelect]string{router.SelectMostCredits: "most-credits",
	router.SelectRoundRobin: "round-robin", router.SelectFirst: "first"}

// shares runs uniform traffic and returns the share of the flits on network channels that each
// virtual channel carries.
func shares(t *testing.T, c Config, load float64, until Cycle) []float64 {
	t.Helper()
	n, flits := must.Have(New(c)), flitsOf{}
	n.Trace(flits)
	run(t, n, started(n, Traffic{Load: load, Flits: int32(c.PacketFlits)}, 1, 2), until)
	w, list, total := n.Wiring(), make([]float64, c.VirtualChannels), 0.0
	for channel, k := range flits {
		if l := w.LinkOf(channel); w.Kind(l) == router.Network {
			list[channel-w.First(l)] += float64(k)
			total += float64(k)
		}
	}
	for v := range list {
		list[v] /= total
	}
	return list
}

// A packet of one flit holds a virtual channel for a cycle, so the first one is
// free whenever a head asks: if it is taken, all queue in one FIFO while three
// stand empty.
func TestSingleFlitsUseAllVirtualChannels(t *testing.T) {
	c := Default(cube(t, false, 8, 8))
	c.PacketFlits, c.BufferFlits, c.RoutingCycles, c.VirtualChannels = 1, 8, 1, 4
	c.InputSpeedup = 0
	for how, name := range vcNames {
		c.VCSelect = how
		s := shares(t, c, 0.3, 4000)
		if even := slices.Max(s) < 0.26 && slices.Min(s) > 0.24; how == router.SelectFirst &&
			s[0] < 0.7 ||
			how != router.SelectFirst && !even {
			t.Errorf("%s: the shares of the virtual channels are %.3f", name, s)
		}
	}
}

// The classes of a torus are chosen in separately: packets that have yet to cross
// the dateline and packets that need not do not push each other to one channel.
func TestClassesAreUsedEvenly(t *testing.T) {
	c := Default(cube(t, true, 8, 8))
	c.PacketFlits, c.BufferFlits, c.VirtualChannels = 1, 4, 4
	until := Cycle(5000)
	if slow {
		until = 1000
	}
	for _, c.VCSelect = range []router.VCSelect{router.SelectMostCredits, router.SelectRoundRobin} {
		s := shares(t, c, 0.2, until)
		for v := 0; v < 4; v += 2 { // the lower class and the upper one
			if d := math.Abs(s[v]-s[v+1]) / (s[v] + s[v+1]); d > 0.04 {
				t.Errorf("%s: shares of a class %.3f and %.3f", vcNames[c.VCSelect], s[v], s[v+1])
			}
		}
	}
}

// Drawn ways up a tree hang on the seed; virtual channels and other ways do not.
func TestSeeds(t *testing.T) {
	draws := map[string]bool{"random": true}
	networks := map[string]Config{}
	for how, name := range vcNames {
		c := Default(cube(t, false, 4, 4))
		c.VirtualChannels, c.VCSelect = 4, how
		networks["VC "+name] = c
	}
	for _, routing := range treeRoutings {
		c := Default(tree(t, 4, 2))
		c.Routing = routing
		networks[routing] = c
	}
	for name, c := range networks {
		var results [3][]router.Arrival
		for i, seed := range []uint64{1, 1, 2} {
			c.RoutingSeed = seed
			n := must.Have(New(c))
			got := arrivals(n)
			run(t, n, started(n, Traffic{Load: 0.3, Flits: 8}, 3, 4), 600)
			results[i] = *got
		}
		if again, other := slices.Equal(results[0], results[1]), slices.Equal(results[0],
			results[2]); !again || other == draws[name] {
			t.Errorf("%s: the same with the same seed: %v, with another one: %v", name, again, other)
		}
	}
}
