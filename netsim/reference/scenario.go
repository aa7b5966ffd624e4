package reference

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"contend/netsim"
	"contend/router"
	"contend/router/topology"
)

// Scenario is a network and messages to send at given cycles, in order.
type Scenario struct {
	// Config is the configuration of the network, including the engine.
	Config netsim.Config
	// Failed are links that have failed from the beginning. Config must then have LinksFail, and all
	// messages a path.
	Failed []router.Link
	// Messages are in the order of their cycles.
	Messages []Timed
}

// Timed is a message and the cycle it is sent in.
type Timed struct {
	At Cycle // counted from 0
	netsim.Message
}

// Run is the result of a scenario.
type Run struct {
	// Packets are the packets of all messages, in the order of injection and then of their nodes.
	Packets []Packet
	// Sent are all flits sent, on all channels.
	Sent []Sending
	// Untraced says that Sent is empty: the closed form, which sends no body flits, or several
	// threads computed the run.
	Untraced bool
}

// Packet has the measurements of one packet.
type Packet struct {
	Number   int64         // its place in Run.Packets
	From, To topology.Node // of its message
	Length   int           // in flits, at least 1
	Hops     int           // network channels taken
	// Created is the cycle in which the message was sent, Turn the cycle of the packet's turn, as
	// package netsim defines it, Injected the cycle in which the head was sent, and Delivered the
	// cycle in which the tail arrived.
	Created, Turn, Injected, Delivered Cycle
	Blocked                            Cycle // cycles that its head, once routed, waited
}

// Sending is one flit sent.
type Sending struct {
	Cycle  Cycle          // in which the flit left
	On     router.Channel // the virtual channel that it took
	Packet int64          // the number of its packet
	Index  int32          // of the flit in its packet, from 0 at the head
}

// longest is the maximum number of cycles of a scenario.
const longest = 1_000_000

// Engines returns the scenario for every engine that is exact for it: the cycle-driven one, the
// worm engine flit by flit, that with its closed form, and the cycle-driven one with 2, 3 and 8
// threads.
func (s Scenario) Engines() ([]Scenario, error) {
	var list []Scenario
	for i, engine := range []string{"cycle", "worm", "worm", "packet", "cycle", "cycle", "cycle"} {
		s.Config.Engine, s.Config.FlitByFlit = engine, i == 1
		s.Config.Threads = []int{1, 1, 1, 1, 2, 3, 8}[i]
		if _, err := netsim.New(s.Config); err == nil {
			list = append(list, s)
		} else if i == 0 {
			return nil, err
		} // else it is not exact here
	}
	return list, nil
}

// Simulate runs the scenario in a network until all messages have arrived.
func (s Scenario) Simulate() (Run, error) {
	n, err := netsim.New(s.Config)
	if err != nil {
		return Run{}, err
	}
	if len(s.Failed) > 0 {
		n.Fail(s.Failed...)
	}
	var r Run
	if s.Config.Threads < 2 {
		n.Trace(tracer{&r})
	}
	n.Watch(func(p *router.Arrival) {
		r.Packets = append(r.Packets, Packet{p.Number, p.From, p.To, int(p.Length), int(p.Hops),
			p.Created, p.Turn, p.Injected, p.Delivered, p.Blocked})
	})
	for _, m := range s.Messages {
		for n.Now() < m.At {
			if _, _, err := n.Advance(m.At); err != nil {
				return Run{}, err
			}
		}
		n.Send(m.Message)
	}
	for n.Pending() > 0 {
		if _, _, err := n.Advance(n.Now() + longest); err != nil {
			return Run{}, err
		}
		if n.Now() > 2*longest { // Plainly takes no more than longest
			return Run{}, errors.New("the network does not come to an end")
		}
	}
	r.Untraced = len(r.Sent) == 0 &&
		(s.Config.Engine == "worm" && !s.Config.FlitByFlit || s.Config.Threads > 1)
	r.Renumber()
	return r, nil
}

// Plainly runs the scenario in the plain model.
func (s Scenario) Plainly() (Run, error) {
	m, err := New(s.Config)
	if err != nil {
		return Run{}, err
	}
	if len(s.Failed) > 0 {
		m.Fail(s.Failed...)
	}
	i, packets := 0, 0
	for _, k := range s.Messages {
		packets += (int(k.Flits)-1)/s.Config.PacketFlits + 1
	}
	for len(m.done) < packets {
		for i < len(s.Messages) && s.Messages[i].At <= m.now {
			m.Send(s.Messages[i].Message)
			i++
		}
		m.Step()
		if m.now > longest {
			return Run{}, errors.New("the reference model does not come to an end")
		}
	}
	r := Run{Sent: m.sent}
	nodes := topology.Node(s.Config.Topology.Nodes())
	for _, p := range m.done {
		r.Packets = append(r.Packets, Packet{p.number, p.from % nodes, p.to % nodes, p.length, p.hops,
			p.created, p.turn, p.injected, p.delivered, p.blocked})
	}
	r.Renumber()
	return r, nil
}

// tracer adds the flits an engine sends to a run.
type tracer struct{ run *Run }

// Sent implements router.Tracer.
func (t tracer) Sent(cycle int64, c router.Channel, packet int64, index int32, _ int64) {
	t.run.Sent = append(t.run.Sent, Sending{cycle, c, packet, index})
}

// Renumber makes runs comparable: packets are numbered and listed in the order of
// injection, those of one cycle in the order of their nodes; flits are listed by
// cycle and channel.
func (r *Run) Renumber() {
	slices.SortFunc(r.Packets, func(a, b Packet) int {
		return cmp.Or(cmp.Compare(a.Injected, b.Injected), cmp.Compare(a.From, b.From),
			cmp.Compare(a.Number, b.Number))
	})
	number := map[int64]int64{}
	for i := range r.Packets {
		number[r.Packets[i].Number] = int64(i)
		r.Packets[i].Number = int64(i)
	}
	for i := range r.Sent {
		r.Sent[i].Packet = number[r.Sent[i].Packet]
	}
	slices.SortFunc(r.Sent, func(a, b Sending) int {
		return cmp.Or(cmp.Compare(a.Cycle, b.Cycle), cmp.Compare(a.On, b.On))
	})
}

// Difference describes the first difference of a run of an engine from that of
// the reference, "" if there is none.
func (r *Run) Difference(reference *Run) string {
	sent := reference.Sent
	if r.Untraced {
		sent = nil
	}
	return cmp.Or(difference("sending", r.Sent, sent),
		difference("packet", r.Packets, reference.Packets))
}

// difference describes the first difference of two lists.
func difference[T comparable](what string, engine, reference []T) string {
	for i := range min(len(engine), len(reference)) {
		if a, b := engine[i], reference[i]; a != b {
			return fmt.Sprintf("%s %d: engine %+v, reference %+v", what, i, a, b)
		}
	}
	if a, b := len(engine), len(reference); a != b {
		return fmt.Sprintf("%d times %s, reference %d", a, what, b)
	}
	return ""
}
