package netsim

import (
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// A delivery has the sums over the packets of its message, also of those that overtake each other,
// and the totals have those over deliveries.
func TestDeliveriesAddUp(t *testing.T) {
	for name, change := range map[string]func(c *Config){
		"cycle": func(c *Config) { c.Engine = "cycle" },
		"worm":  func(c *Config) { c.Engine = "worm" },
		"adaptive": func(c *Config) {
			c.Routing, c.VirtualChannels, c.BufferFlits, c.RoutingCycles = "minimal-adaptive", 4, 8, 0
		},
	} {
		c := Default(cube(t, false, 4, 4))
		change(&c)
		n := must.Have(New(c))
		packets, overtaken := map[int32]*Delivery{}, 0 // by message
		last := map[int32]int64{}                      // number of a packet
		n.Watch(func(p *router.Arrival) {
			d := packets[p.User]
			if last[p.User] > p.Number {
				overtaken++
			}
			last[p.User] = max(last[p.User], p.Number)
			d.Packets++
			d.Latency += p.Delivered - p.Created
			d.NetworkLatency += p.Delivered - p.Injected
			d.EntryWait += p.Injected - p.Turn
			d.Blocked += p.Blocked
			d.Foreign += p.Foreign
			d.Hops += Cycle(p.Hops)
			d.Created, d.Delivered = p.Created, p.Delivered
		})
		rng := rand.New(rand.NewPCG(5, 6))
		for i := range int32(80) {
			m := Message{From: topology.Node(rng.IntN(16)), To: topology.Node(rng.IntN(16)),
				Flits: 1 + rng.Int32N(60), Job: rng.Int32N(3), User: i}
			packets[i] = &Delivery{Message: m}
			n.Send(m)
		}
		var totals Totals
		for _, d := range drain(t, n) {
			if want := *packets[d.User]; d != want {
				t.Errorf("%s: delivered %+v, its packets are %+v", name, d, want)
			}
			totals.AddDelivery(&d)
		}
		if got := n.Totals(); got != totals || got.EntryWait == 0 || got.Foreign == 0 {
			t.Errorf("%s: totals %+v, want %+v", name, got, totals)
		}
		if (overtaken > 0) != (name == "adaptive") {
			t.Errorf("%s: %d packets were overtaken", name, overtaken)
		}
		if n.ResetUsage(); n.Totals() != (Totals{}) || n.Usage(0) != (router.Usage{}) {
			t.Errorf("%s: after the reset there is %+v", name, n.Totals())
		}
	}
}

func TestTotalsMinus(t *testing.T) {
	now := Totals{Messages: 10, Packets: 20, Flits: 300, Latency: 4000, NetworkLatency: 3000,
		EntryWait: 600, Blocked: 500, Foreign: 400, Hops: 70}
	since := Totals{Messages: 3, Packets: 7, Flits: 110, Latency: 1300, NetworkLatency: 1100,
		EntryWait: 190, Blocked: 230, Foreign: 170, Hops: 29}
	want := Totals{Messages: 7, Packets: 13, Flits: 190, Latency: 2700, NetworkLatency: 1900,
		EntryWait: 410, Blocked: 270, Foreign: 230, Hops: 41}
	if got := now.Minus(&since); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := want.SourceWait(); got != 800 {
		t.Errorf("source wait %d, want 800", got)
	}
}
