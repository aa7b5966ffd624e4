package netsim_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/laws"
	"contend/internal/must"
	"contend/netsim"
	"contend/netsim/reference"
	"contend/router"
	"contend/router/topology"
)

// Queues for destinations are one queue where each node sends to one destination, in all engines.
func TestQueuePairsOfOneDestination(t *testing.T) {
	laws.AtMost(t, 40)
	rapid.Check(t, func(r *rapid.T) {
		s := drawScenario(r)
		nodes := topology.Node(s.Config.Topology.Nodes())
		for i := range s.Messages {
			k := &s.Messages[i].Message
			k.To = (3*k.From + 1) % nodes
		}
		s.Config.Engine = "cycle"
		want := must.Have(s.Simulate())
		s.Config.SourceQueues = netsim.QueuePerDestination
		for _, e := range must.Have(s.Engines()) {
			got := must.Have(e.Simulate())
			if diff := got.Difference(&want); diff != "" {
				r.Fatalf("%+v\n%s", e.Config, diff)
			}
		}
	})
}

// All engines and numbers of threads give the same runs with queues for destinations, with each
// control too, and deliver each message once.
func TestQueuePairsInAllEngines(t *testing.T) {
	laws.AtMost(t, 60)
	rapid.Check(t, func(r *rapid.T) {
		s := drawScenario(r)
		if rapid.IntRange(0, 2).Draw(r, "islands") == 0 {
			s = onMachine(r, s, must.Have(topology.NewFatTree(topology.FatTreeConfig{Children: []int{3, 4},
				Parents: []int{2}})), rapid.IntRange(1, 3).Draw(r, "V of islands"))
			c := &s.Config
			c.Routing, c.OwnLinks, c.InjectionFlitCycles, c.NodeFlitCycles = "auto", nil, 0, 1
			c.ClassFlitCycles = []int{rapid.IntRange(2, 5).Draw(r, "F of cards")}
		}
		s.Config.SourceQueues = netsim.QueuePerDestination
		s.Config.Congestion = drawControl(r)
		crowd(r, &s)
		var want reference.Run
		for i, e := range must.Have(s.Engines()) {
			got := must.Have(e.Simulate())
			if i == 0 {
				want = got
				checkQueues(r, &s, got.Packets)
			} else if diff := got.Difference(&want); diff != "" {
				r.Fatalf("%+v\n%s", e.Config, diff)
			}
		}
	})
}

// drawControl draws a congestion control whose parameters suit small networks, or none.
func drawControl(r *rapid.T) netsim.CongestionControl {
	from := rapid.IntRange(0, 8).Draw(r, "mark from")
	switch rapid.IntRange(0, 3).Draw(r, "control") {
	case 0:
		return nil
	case 1:
		return &netsim.DCQCN{MarkFrom: from, MarkTo: from + rapid.IntRange(0, 9).Draw(r, "more"),
			MarkShare: 0.5, CNPCycles: 30, AlphaCycles: 40, TimerCycles: 35, CounterFlits: 50, Gain: 0.2,
			Recovery: 2, Additive: 0.05, Hyper: 0.1, Least: 0.05}
	case 2:
		return &netsim.IBCCA{MarkFrom: from, MarkingRate: 1, Increase: 2, Limit: 9, TimerCycles: 33,
			Least: rapid.IntRange(0, 1).Draw(r, "least"), DelayStep: 0.5}
	}
	return &netsim.Throttle{Outstanding: 10, Senders: 3, Smallest: 1}
}

// crowd sends half of the messages to one node.
func crowd(r *rapid.T, s *reference.Scenario) {
	if rapid.Bool().Draw(r, "crowd") {
		for i := range s.Messages {
			if i%2 == 0 {
				s.Messages[i].To = 0
			}
		}
	}
}

// checkQueues checks that as many flits arrive as are sent, and that one interface injects the
// packets for one destination in the order of their messages.
func checkQueues(r *rapid.T, s *reference.Scenario, packets []reference.Packet) {
	flits := 0
	for _, m := range s.Messages {
		flits += int(m.Flits)
	}
	last := map[[2]topology.Node]netsim.Cycle{}
	for _, p := range packets { // in the order of injection
		flits -= p.Length
		ends := [2]topology.Node{p.From, p.To}
		if p.Created < last[ends] {
			r.Fatalf("%+v is injected behind a message of cycle %d", p, last[ends])
		}
		last[ends] = p.Created
	}
	if flits != 0 {
		r.Fatalf("%d flits are missing", flits)
	}
}

// Queues take turns, a packet each: a message of one packet does not wait for the long one before.
func TestQueuePairsTakeTurns(t *testing.T) {
	c := netsim.Default(meshOf(4))
	c.SourceQueues, c.PacketFlits, c.BufferFlits = netsim.QueuePerDestination, 2, 4
	n := must.Have(netsim.New(c))
	n.ReportEntries()
	var way []topology.Node
	n.Watch(func(p *router.Arrival) { way = append(way, p.To) })
	for i, to := range []topology.Node{1, 1, 2, 3, 3} {
		n.Send(netsim.Message{From: 0, To: to, Flits: []int32{6, 2, 2, 4, 2}[i], User: int32(i)})
	}
	var entered []int32
	for n.Pending() > 0 {
		_, _, err := n.Advance(1000)
		must.Do(err)
		for _, e := range n.Entries() {
			entered = append(entered, e.User)
		}
	}
	// Turns are 1, and when there are others 1 2 3 1 3 1 3. Message 0 has three packets, 3 two.
	if want := []int32{2, 0, 3, 1, 4}; !slices.Equal(entered, want) {
		t.Errorf("messages entered in the order %v, want %v", entered, want)
	}
	if len(way) != 8 {
		t.Errorf("%d packets arrived, want 8", len(way))
	}
}

// A queue pair without messages takes no memory, but for its rate.
func TestQueuePairsAreForgotten(t *testing.T) {
	c := netsim.Default(meshOf(16))
	c.SourceQueues = netsim.QueuePerDestination
	n := must.Have(netsim.New(c))
	for i := range netsim.Cycle(4000) {
		from := topology.Node(i % 16)
		n.Send(netsim.Message{From: from, To: topology.Node(i / 16 % 16), Flits: 8})
		_, _, err := n.Advance(n.Now() + 20)
		must.Do(err)
	}
	for n.Pending() > 0 {
		_, _, err := n.Advance(n.Now() + 1000)
		must.Do(err)
	}
	if k := n.QueuePairs(); k != 0 {
		t.Errorf("%d queue pairs are left", k)
	}
}
