package netsim

import (
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// passing is when the flits of packets were sent on a physical channel.
type passing map[int64][]Cycle

// head and tail return when the first and the last flit of a packet were sent.
func (p passing) header(packet int64) Cycle { return p[packet][0] }
func (p passing) tail(packet int64) Cycle   { return p[packet][len(p[packet])-1] }

// passed sends messages, all at once, and returns what was sent on the channel the
// wiring is asked for.
func passed(t *testing.T, c Config, on func(*router.Wiring) router.Link,
	messages ...Message) passing {
	t.Helper()
	n := must.Have(New(c))
	var trace tracer
	n.Trace(&trace)
	for _, m := range messages {
		n.Send(m)
	}
	drain(t, n)
	w := n.Wiring()
	out := passing{}
	for _, f := range trace.sorted() {
		if w.LinkOf(f.On) == on(w) {
			out[f.Packet] = append(out[f.Packet], f.Cycle)
		}
	}
	return out
}

// leaving returns the channel by which a port leaves a router.
func leaving(r topology.Router, p topology.Port) func(*router.Wiring) router.Link {
	return func(w *router.Wiring) router.Link {
		l, _ := w.Out(r, p)
		return l
	}
}

// shared is a line of routers, or rows of it, whose channels hold four packets.
func shared(t *testing.T, dims ...int) Config {
	c := Default(cube(t, false, dims...))
	c.VirtualChannels, c.BufferFlits, c.VCSelect = 4, 8, router.SelectRoundRobin
	return c
}

// Two packets that come from either side to one node share its ejection channel
// flit by flit, where that has virtual channels; else the second waits.
func TestVirtualChannelsToNodes(t *testing.T) {
	for _, k := range []struct {
		channels int
		together bool
	}{{1, false}, {2, true}, {0, true}} {
		c := shared(t, 3)
		c.NodeVirtualChannels = k.channels
		eject := func(w *router.Wiring) router.Link { return w.LinkOf(w.Ejection(1)) }
		p := passed(t, c, eject, Message{From: 0, To: 1, Flits: 8}, Message{From: 2, To: 1, Flits: 8})
		if together := p.header(1) < p.tail(0); together != k.together {
			t.Errorf("%d virtual channels to a node: two packets share its channel: %v, want %v",
				k.channels, together, k.together)
		}
		all := slices.Concat(p[0], p[1])
		slices.Sort(all)
		if n := len(all); n != 16 || all[n-1]-all[0] != 15 || len(slices.Compact(all)) != 16 {
			t.Errorf("%d virtual channels to a node: it gets flits in cycles %v", k.channels, all)
		}
	}
}

// Where the channel from a node has virtual channels, a packet passes one before it
// that waits for another output; else it waits behind.
func TestVirtualChannelsFromNodes(t *testing.T) {
	for _, k := range []struct {
		channels int
		passes   bool
	}{{1, false}, {2, true}, {0, true}} {
		c := shared(t, 3, 2)
		c.NodeVirtualChannels, c.PacketFlits = k.channels, 32
		// Packet 0 is held up by packet 1 at router 1; packet 2 goes up from router 0.
		messages := []Message{{From: 0, To: 2, Flits: 32}, {From: 1, To: 2, Flits: 32},
			{From: 0, To: 3, Flits: 8}}
		first := passed(t, c, leaving(0, 1), messages...)
		other := passed(t, c, leaving(0, 3), messages...)
		if passes := other.header(2) < first.tail(0); passes != k.passes {
			t.Errorf("%d virtual channels from a node: the second packet leaves in cycle %d, "+
				"the tail of the first in %d", k.channels, other.header(2), first.tail(0))
		}
	}
}

// Of two packets from one port to one output the second's head waits for the
// first's tail where heads yield, though the output has turns to give.
func TestHeadersYield(t *testing.T) {
	for _, k := range []struct {
		speedup      int
		yield, waits bool
	}{{1, false, false}, {1, true, true}, {2, true, true}, {0, true, false}} {
		c := shared(t, 3)
		c.HeadersYield, c.InputSpeedup, c.NodeVirtualChannels = k.yield, k.speedup, 4
		// Packets 0 and 1 of node 0 share the channel from router 1 with packet 2.
		p := passed(t, c, leaving(1, 1), Message{From: 0, To: 2, Flits: 8},
			Message{From: 0, To: 2, Flits: 8}, Message{From: 1, To: 2, Flits: 32})
		if waits := p.header(1) > p.tail(0); waits != k.waits {
			t.Errorf("S = %d, headers yield: %v: the second header is sent in cycle %d, "+
				"the first tail in %d", k.speedup, k.yield, p.header(1), p.tail(0))
		}
	}
}
