package netsim

import (
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// TestDrop: of two jobs that send from all nodes one is dropped at a drawn cycle. Packets of it
// that have left the source queues arrive, and no other; messages that do not arrive are those that
// Drop counts; all messages of the other job arrive.
func TestDrop(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		c := Default(topologytest.Machine(t, []string{"mesh:4x4", "tree:2x4"}[seed%2]))
		c.PacketFlits, c.BufferFlits, c.Drops = 4, 1+r.IntN(4), true
		c.SourceQueues = SourceQueues(seed / 2 % 2)
		if seed%8 == 6 {
			c.Congestion = &IBCCA{MarkFrom: 1, Increase: 2, Limit: 9, TimerCycles: 20, DelayStep: 1}
		}
		c.InjectionPorts, c.Threads = 1+r.IntN(2), 1+r.IntN(2)
		net := must.Have(New(c))
		nodes, sent := make([]topology.Node, 16), [2]int{}
		flits := [2]int64{}
		net.Watch(func(p *router.Arrival) { flits[p.Job] += int64(p.Length) })
		all := int64(0)
		for i := range int32(300) {
			nodes[i%16] = topology.Node(i % 16)
			m := Message{From: topology.Node(i % 16), To: topology.Node(r.IntN(16)),
				Flits: 1 + int32(r.IntN(20)), Job: int32(r.IntN(2)), User: i}
			if net.Send(m); m.Job == 0 {
				all += int64(m.Flits)
			}
			sent[m.Job]++
		}
		arrived, length := [2]int{}, [2]int64{}
		advance := func(until Cycle) {
			for net.Now() < until && net.Pending() > 0 {
				_, deliveries, err := net.Advance(until)
				must.Do(err)
				for i := range deliveries {
					arrived[deliveries[i].Job]++
					length[deliveries[i].Job] += int64(deliveries[i].Flits)
				}
			}
		}
		advance(Cycle(r.IntN(150)))
		if partial := net.PartialFlits(); partial != flits[0]+flits[1]-net.Totals().Flits {
			t.Errorf("seed %d: %d flits of messages under way, of %v less %d", seed, partial, flits,
				net.Totals().Flits)
		}
		dropped := net.Drop(1, nodes)
		if net.Drop(1, nodes) != 0 {
			t.Error("dropped twice")
		}
		advance(1 << 40)
		if c.SourceQueues == QueuePerDestination && length[1] < flits[1] {
			flits[1] = length[1] // all packets sent of a message had arrived that counts as dropped
		}
		if arrived[0] != sent[0] || arrived[1]+dropped != sent[1] ||
			length != flits || length[0] != all ||
			dropped == 0 || net.Pending() != 0 || net.PartialFlits() != 0 {
			t.Errorf("seed %d: %v arrived of %v, %d dropped, %v flits in messages, %v in packets", seed,
				arrived, sent, dropped, length, flits)
		}
	}
}
