package openloop

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/netsim"
	"contend/netsim/topology"
)

const (
	// benchSlices is the number of measurements of a row. Another program that
	// runs during two of them does not affect the median.
	benchSlices = 5
	// benchStep is the number of cycles between two looks at the clock.
	benchStep = 256
	// benchWarmup is the length of the warm-up, in messages per node that a
	// saturated network accepts. After it worms block each other as they do
	// later, although at saturation the source queues never settle.
	benchWarmup = 4
	// saturationPackets is the least number of packets that measure the
	// saturation load. The load then varies by less than 1% between seeds.
	saturationPackets = 20000
)

// saturation returns the flits per node and cycle that a network delivers while every
// node always has more to send, uniformly to all others. The load is closed: a node
// sends a message for each of its own that has arrived. The accepted load is that of
// endless source queues, but the memory is bounded.
func saturation(s *cosim.Simulator, ctx context.Context, plan *spec.Plan) (float64, error) {
	auto := *plan
	auto.Network.Engine = autoEngine // the result is the same, so take the fastest
	net, err := s.NewNetwork(&auto, 0)
	if err != nil {
		return 0, err
	}
	a, b := plan.StreamSeed(0, "saturation")
	nodes := int64(plan.Machine.Nodes())
	l := closedLoad{net: net, to: netsim.Uniform(int(nodes)), flits: int32(plan.Network.PacketFlits),
		rng: rand.New(rand.NewPCG(a, b))}
	each := outstanding(net.Config())
	for range each {
		for n := range topology.Node(nodes) {
			l.send(n)
		}
	}
	// The first messages were all sent at once: wait until they have arrived.
	if err := l.run(ctx, 2*each*nodes); err != nil {
		return 0, err
	}
	start, before := net.Now(), l.arrived
	if err := l.run(ctx, before+max(saturationPackets, 2*each*nodes)); err != nil {
		return 0, err
	}
	delivered := float64(l.arrived-before) * float64(l.flits)
	return delivered / float64(net.Now()-start) / float64(nodes), nil
}

// outstanding is how many messages of a node there must be for its injection
// ports not to run dry: some for each, and as many as the FIFOs of a router
// hold.
func outstanding(c netsim.Config) int64 {
	return int64(4*c.InjectionPorts + min(64,
		c.Topology.Ports()*c.VirtualChannels*c.BufferFlits/c.PacketFlits))
}

// closedLoad is traffic with a constant number of messages under way per node.
type closedLoad struct {
	net     *netsim.Network
	to      func(topology.Node, *rand.Rand) topology.Node
	flits   int32
	rng     *rand.Rand
	arrived int64
}

// send sends a message from a node to a random destination.
func (l *closedLoad) send(from topology.Node) {
	l.net.Send(netsim.Message{From: from, To: l.to(from, l.rng), Flits: l.flits})
}

// run advances the network until the given number of messages has arrived since
// the start.
func (l *closedLoad) run(ctx context.Context, arrived int64) error {
	for l.arrived < arrived {
		if err := ctx.Err(); err != nil {
			return err
		}
		_, deliveries, err := l.net.Advance(l.net.Now() + benchStep)
		if err != nil {
			return err
		}
		for i := range deliveries {
			l.arrived++
			l.send(deliveries[i].From)
		}
	}
	return nil
}

// benchRow measures one row. Engines see the same messages, for the seed
// leaves them out.
func benchRow(s *cosim.Simulator, ctx context.Context, c *BenchConfig, plan *spec.Plan,
	load, saturated float64) (BenchRow, error) {
	before := heapBytes()
	net, err := s.NewNetwork(plan, 0)
	if err != nil {
		return BenchRow{}, err
	}
	flits := plan.Network.PacketFlits
	tr := &netsim.Traffic{Destination: netsim.Uniform(plan.Machine.Nodes()), Load: load * saturated,
		Flits: int32(flits)}
	a, b := plan.StreamSeed(0, fmt.Sprintf("bench %v", load))
	tr.Start(plan.Machine.Nodes(), rand.New(rand.NewPCG(a, b)))
	m := meter{net: net, traffic: tr, flits: int64(flits)}
	if _, err := m.slice(ctx, 0, 1000+int64(benchWarmup*float64(flits)/saturated)); err != nil {
		return BenchRow{}, err
	}
	row := BenchRow{Topology: plan.Topology, Dims: plan.Size, PacketFlits: flits,
		BufferFlits: plan.Network.BufferFlits, Load: load, Saturation: saturated,
		Engine: plan.Network.Engine}
	var ns []float64
	for range benchSlices {
		x, err := m.slice(ctx, c.Seconds/benchSlices, c.sliceCycles)
		if err != nil {
			return BenchRow{}, err
		}
		ns = append(ns, x.seconds*1e9/float64(x.flitHops))
		row.FlitHops += x.flitHops
		row.Cycles += x.cycles
	}
	slices.Sort(ns)
	row.NsPerFlitHop = ns[benchSlices/2]
	row.FlitHopsPerSecond = 1e9 / row.NsPerFlitHop
	row.PeakBytes = max(0, heapBytes()-before)
	runtime.KeepAlive(&m) // or heapBytes would not count the network
	return row, nil
}

// meter measures the time that a network takes.
type meter struct {
	net     *netsim.Network
	traffic *netsim.Traffic
	flits   int64 // of a message, which is a packet
}

// measured is one slice of time.
type measured struct {
	seconds          float64
	flitHops, cycles int64
}

// slice runs the traffic for the given number of cycles or, if that is 0, for the
// given time and until a message has arrived. Flit-hops count when their message
// arrives; in a steady state as many arrive as are made.
func (m *meter) slice(ctx context.Context, seconds float64, cycles int64) (x measured, err error) {
	from, hops, start := m.net.Now(), m.flitHops(), time.Now()
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return x, err
		}
		step := int64(benchStep)
		if cycles > 0 {
			step = min(step, cycles-x.cycles)
		}
		if err := m.traffic.Run(m.net, m.net.Now()+step); err != nil {
			return x, err
		}
		x = measured{time.Since(start).Seconds(), m.flitHops() - hops, m.net.Now() - from}
		more = x.cycles < cycles || cycles == 0 && (x.seconds < seconds || x.flitHops == 0)
	}
	return x, nil
}

// flitHops returns the flit-hops of the messages that have arrived. Every flit of
// a packet uses the channels of its head flit, an injection channel and an
// ejection channel.
func (m *meter) flitHops() int64 {
	t := m.net.Totals()
	return t.Hops*m.flits + 2*t.Flits
}

// heapBytes returns the bytes of the heap that are in use.
func heapBytes() int64 {
	runtime.GC()
	runtime.GC() // the second collection frees the memory of pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
