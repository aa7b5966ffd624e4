package netsim

import (
	"reflect"
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
