package netsim

import (
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// aloneIn returns the time of a long message that is alone on a network, and the packets marked.
func aloneIn(t *testing.T, c Config) (time Cycle, marked int64) {
	n := must.Have(New(c))
	advanceTo(t, n, 1_000_000)
	n.Send(Message{From: 1, To: topology.Node(c.Topology.Nodes() - 1), Flits: 3000})
	d := drain(t, n)
	total, _ := n.Congestion()
	return d[0].Delivered - d[0].Created, total.Marked
}

// A flow that is alone takes the time without control, whatever links it crosses: flits on them are
// no queue. What it leaves behind in a router is one flit for each cycle in which a head computes
// its route, where the VCs keep up with the link, and where packets are stored and forwarded one
// packet.
func TestFlowsAloneAreNotHeldBack(t *testing.T) {
	if slow {
		t.Skip("takes minutes with invariants, which other tests of controls check")
	}
	for _, m := range []topology.Topology{tree(t, 4, 1), tree(t, 4, 2), cube(t, false, 4)} {
		for _, link := range []int{1, 40, 200, 781} {
			for _, packet := range []int{1, 16} {
				for k, s := range []router.Switching{router.Wormhole, router.VirtualCutThrough,
					router.StoreAndForward} {
					for _, r := range []int{0, 3} {
						c := Default(m)
						c.LinkCycles, c.CreditCycles, c.PacketFlits = link, link, packet
						c.BufferFlits, c.Switching, c.RoutingCycles = 2*link+2*packet, s, r
						c.VirtualChannels, c.InputSpeedup = 1+r, k
						burst := r
						if s == router.StoreAndForward {
							burst = max(r, packet)
						}
						checkAlone(t, c, burst)
					}
				}
			}
		}
	}
}

// checkAlone checks that no control that marks behind more than a burst holds a flow back.
func checkAlone(t *testing.T, c Config, burst int) {
	t.Helper()
	want, _ := aloneIn(t, c)
	for _, control := range []CongestionControl{nil,
		&DCQCN{MarkFrom: burst, MarkTo: burst, MarkShare: 1, CNPCycles: 90, AlphaCycles: 70,
			TimerCycles: 60, CounterFlits: 150, Gain: 0.2, Recovery: 2, Additive: 0.02, Hyper: 0.05,
			Least: 0.05},
		&IBCCA{MarkFrom: burst, Increase: 2, Limit: 9, TimerCycles: 70, DelayStep: 0.5},
		&Throttle{Outstanding: 1, Senders: 2, Smallest: 1},
	} {
		c.SourceQueues, c.Congestion = QueuePerDestination, control
		if time, marked := aloneIn(t, c); time != want || marked > 0 {
			t.Errorf("%T: links of %d cycles, packets of %d flits, switching %d: %d of them marked, %d "+
				"cycles in place of %d", control, c.LinkCycles, c.PacketFlits, c.Switching, marked, time,
				want)
		}
	}
}
