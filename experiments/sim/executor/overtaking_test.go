package executor

import (
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/router/topology/topologytest"
	"contend/scheduler"
)

// phaseChecker checks the packets of jobs that run in phases, which have a number of messages of a
// number of packets each.
type phaseChecker struct {
	t        *testing.T
	messages int64
	packets  int64
	slots    [2]struct {
		seen        int64 // packets that arrived
		begin, last int64 // cycles of the messages of the phase, and of the last packet
		totals      netsim.Totals
	}
	newest    map[int64]int64 // by message, the highest number of its packets that arrived
	overtaken int             // packets that arrived behind a later one of their message
}

// packet checks that all packets of a phase are created in the cycle in which the last packet of
// the phase before arrived.
func (c *phaseChecker) packet(p *router.Arrival) {
	k := &c.slots[p.Job]
	if k.seen%(c.messages*c.packets) == 0 {
		k.begin = k.last
	}
	if k.seen++; p.Created != k.begin {
		c.t.Errorf("job %d: packet %d is created at %d, its phase begins at %d", p.Job, k.seen,
			p.Created, k.begin)
	}
	k.last = p.Delivered
	k.totals.AddDelivery(&netsim.Delivery{Message: netsim.Message{Flits: p.Length}, Packets: 1,
		Hops: int64(p.Hops), Latency: p.Delivered - p.Created, NetworkLatency: p.Delivered - p.Injected,
		EntryWait: p.Injected - p.Turn, Blocked: p.Blocked, Foreign: p.Foreign})
	message := p.Number / c.packets
	if newest, ok := c.newest[message]; ok && p.Number < newest {
		c.overtaken++
	}
	c.newest[message] = max(c.newest[message], p.Number)
}

// Two jobs of phases run side by side under adaptive routing, where packets of a message overtake
// each other. A phase begins in the cycle in which the last packet of the phase before it arrives,
// whichever it is. The job ends with its last packet, and its totals are the sums over all its
// packets.
func TestPhasesWhosePacketsOvertake(t *testing.T) {
	const size, phases, packets = 32, 20, 6
	for machine, routing := range map[string]string{"mesh:8x8": "minimal-adaptive",
		"dragonfly:a4h2p2": "ugal-l"} {
		config := netsim.Default(topologytest.Machine(t, machine))
		config.VirtualChannels, config.BufferFlits, config.Routing = 4, 8, routing
		net := must.Have(netsim.New(config))
		c := &phaseChecker{t: t, messages: size, packets: packets, newest: map[int64]int64{}}
		net.Watch(c.packet)
		x := New(net, []patterns.Config{{Name: "fft", Flits: packets*config.PacketFlits - 3}},
			scheduler.Clock{})
		x.Ended = func(id scheduler.JobID, got netsim.Totals, _ bool) {
			k := &c.slots[id]
			k.totals.Messages = size * phases
			if got != k.totals || k.seen != size*phases*packets || net.Now() != k.last {
				t.Errorf("%s: job %d ends at %d with %+v; its last packet of %d arrives at %d, sums are %+v",
					machine, id, net.Now(), got, k.seen, k.last, k.totals)
			}
		}
		nodes := rand.New(rand.NewPCG(6, 6)).Perm(config.Topology.Nodes())
		for job := range 2 {
			var place []topology.Node
			for _, n := range nodes[job*size : (job+1)*size] {
				place = append(place, topology.Node(n))
			}
			x.Start(&scheduler.Job{ID: scheduler.JobID(job), Size: size, Shape: []int{size},
				Quota: size * phases, Seed: 1}, place)
		}
		for ended := 0; ended < 2; {
			_, done, err := x.Advance(scheduler.MaxCycle, nil)
			if err != nil {
				t.Fatal(err)
			}
			ended += len(done)
		}
		if c.overtaken < 100 {
			t.Errorf("%s: %d packets were overtaken", machine, c.overtaken)
		}
	}
}
