package netsim

import (
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/netsim/topology"
	"contend/router"
)

// An overtaking is a network in which packets of a message may overtake each other, on all of
// its links loaded well enough for that.
type overtaking struct {
	c    Config
	load float64 // flits per node and cycle
}

func overtakings(t *testing.T) map[string]overtaking {
	t.Helper()
	mesh := Default(cube(t, false, 6, 6))
	mesh.Routing, mesh.VirtualChannels, mesh.BufferFlits = "minimal-adaptive", 4, 8
	mesh.RoutingCycles, mesh.InputSpeedup = 0, 0
	return map[string]overtaking{"mesh": {mesh, 0.4}, "dragonfly": {fly(t, "ugal-l"), 0.4}}
}

// A relay is a message of several packets that every node sends on to the next one when it has
// arrived, and not before, amid other traffic. If a message counted as delivered when its last
// packet has arrived and others are still on their way, tokens would run ahead of them.
func TestMessagesWhosePacketsOvertake(t *testing.T) {
	const packets, relayed, cycles = 6, 1 << 20, 6000
	for name, k := range overtakings(t) {
		n := must.Have(New(k.c))
		nodes := int32(k.c.Topology.Nodes())
		seen := map[int32]*tally{} // by the number of a message
		overtaken, hops := 0, 0
		n.Watch(func(p *router.Arrival) {
			m := seen[p.User]
			if m == nil {
				m = &tally{last: -1}
				seen[p.User] = m
			}
			overtaken += m.add(p)
		})
		length := int32(packets*k.c.PacketFlits - 1)
		numbered := int32(0)
		send := func(from, to topology.Node, job int32) {
			n.Send(Message{From: from, To: to, Flits: length, User: numbered, Job: job})
			numbered++
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for token := range topology.Node(nodes) / 3 {
			send(3*token, 3*token+1, relayed)
		}
		for at := Cycle(0); at < cycles || n.Pending() > 0; at = n.Now() {
			for from := range topology.Node(nodes) {
				if at < cycles && rng.Float64() < k.load/float64(length) {
					send(from, topology.Node(rng.Int32N(nodes)), 0)
				}
			}
			_, list, err := n.Advance(at + 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range list {
				m := seen[d.User]
				if m.packets != packets || d.Packets != packets || m.flits != d.Flits ||
					m.arrived != d.Delivered || m.latency != d.Latency {
					t.Fatalf("%s: delivered %+v, of which arrived %+v", name, d, *m)
				}
				delete(seen, d.User)
				if d.Job == relayed && at < cycles {
					hops++
					send(d.To, (d.To+1)%topology.Node(nodes), relayed)
				}
			}
		}
		if len(seen) > 0 || overtaken < 100 || hops < 100 {
			t.Errorf("%s: %d messages are not complete, %d packets were overtaken, %d tokens handed on",
				name, len(seen), overtaken, hops)
		}
	}
}

// tally is what has arrived of a message.
type tally struct {
	packets, flits         int32
	last, arrived, latency int64 // highest number of a packet; cycles
}

// add notes a packet and returns 1 if a later one of its message was there before it.
func (m *tally) add(p *router.Arrival) (overtaken int) {
	if p.Number < m.last {
		overtaken = 1
	}
	m.packets++
	m.last, m.arrived = max(m.last, p.Number), max(m.arrived, p.Delivered)
	m.flits, m.latency = m.flits+p.Length, m.latency+p.Delivered-p.Created
	return overtaken
}
