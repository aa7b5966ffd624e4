package netsim

import (
	"math"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// A lossless incast with a victim beside htsim (github.com/Broadcom/csg-htsim, commit 841d9e7):
// htsim_roce with its defaults, which are the queues LOSSLESS_INPUT that pause at 15 packets of
// 4096 B and go on at 12, links of 100 Gb/s that delay by 1 us, and no reaction of senders. Two
// switches of 32 nodes are joined over a third one by a link each (Tiers 2, Podsize 64, Radix_Up 1,
// Oversubscribed 32). Node 1 and some nodes of the other switch send 4,096,000 B to node 0, node 63
// as much to the idle node 2.
//
// A flit is 64 B here and a cycle 5.12 ns. What is sent until a pause comes is 6 packets, so there
// is room for 21 of each link. In htsim packets wait at the outputs of a switch and count at its
// inputs: so each has a virtual channel of its own here. All times are within 6%. With one buffer
// of 21 packets for each link, in which those for node 0 hold up others, node 1 is up to 12%
// earlier.
func TestVictimBesideHTSim(t *testing.T) {
	for _, k := range []struct {
		remote        int     // senders of the other switch
		local, victim float64 // us until the messages of nodes 1 and 63 have arrived, by htsim
	}{{1, 562.1, 772.5}, {3, 630.7, 1570.5}, {7, 652.3, 2941.3}, {15, 656.6, 5609.4}} {
		c := Default(fatTree(t, topology.FatTreeConfig{Children: []int{32, 2}, Parents: []int{1}}))
		c.SourceQueues, c.Switching = QueuePerDestination, router.StoreAndForward
		c.PacketFlits, c.BufferFlits, c.RoutingCycles = 64, 64, 0
		c.VirtualChannels, c.InputSpeedup, c.PacketsHoldLinks = 21, 0, true
		c.LinkCycles, c.CreditCycles = 195, 195
		n := must.Have(New(c))
		send := func(from, to topology.Node) { n.Send(Message{From: from, To: to, Flits: 64000}) }
		send(1, 0)
		for i := range k.remote {
			send(topology.Node(32+i), 0)
		}
		send(63, 2)
		for _, d := range drain(t, n) {
			want := map[topology.Node]float64{1: k.local, 63: k.victim}[d.From]
			us := float64(d.Delivered) * 0.00512
			if want > 0 && math.Abs(us/want-1) > 0.06 {
				t.Errorf("%d to 1: node %d after %.1f us, htsim %.1f", k.remote+1, d.From, us, want)
			}
		}
	}
}
