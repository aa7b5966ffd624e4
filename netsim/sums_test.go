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

// Three packets whose heads come to one router in one cycle want its node. The
// first of them holds the channel for 7 cycles until its tail goes, and after 8 it
// is the next one's. What the last one waits is charged once to each before it.
func TestForeignBlockingByHand(t *testing.T) {
	for _, jobs := range [][3]int32{{1, 2, 3}, {1, 2, 1}, {1, 1, 2}, {2, 2, 2}} {
		for _, flits := range []int{0, 8} { // 8: the closed form
			for _, engine := range []string{"cycle", "worm"} {
				c := Default(cube(t, false, 3, 3))
				c.Engine, c.MessageFlits = engine, flits
				n := must.Have(New(c))
				for i, from := range []topology.Node{3, 5, 1} { // from the left, the right, below
					n.Send(Message{From: from, To: 4, Flits: 8, Job: jobs[i], User: int32(i)})
				}
				for i, d := range drain(t, n) {
					foreign := Cycle(0)
					for _, before := range jobs[:i] {
						if before != jobs[i] {
							foreign += 7
						}
					}
					if int(d.User) != i || d.Blocked != Cycle(8*i) || d.Foreign != foreign {
						t.Errorf("%s, jobs %v: packet %d is number %d, blocked %d, by others %d; want %d and %d",
							engine, jobs, d.User, i, d.Blocked, d.Foreign, 8*i, foreign)
					}
				}
			}
		}
	}
}
