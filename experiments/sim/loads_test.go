package sim

import (
	"math"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// mustMeasure measures the traffic of a spec.
func mustMeasure(t *testing.T, s config.Spec, replication int) loadPoint {
	t.Helper()
	s.Workload.Source = "traffic"
	plan := configtest.Plan(t, s)
	net := must.Have(new(Simulator).NewNetwork(plan, replication))
	return must.Have(measureLoad(t.Context(), plan, replication, net,
		must.Have(newFailures(plan, replication, scheduler.Clock{}, net))))
}

// A network is saturated where less is accepted than is offered, however long messages are:
// below that the accepted load is the one created, and beyond it more load changes nothing.
func TestSaturationOfLoads(t *testing.T) {
	for _, flits := range []int{1, 8, 64, 512} {
		at := func(load float64) loadPoint {
			s := configtest.Net(flits, 4, 4)
			s.Workload.TrafficLoad = load
			return mustMeasure(t, s, 0)
		}
		over := at(1)
		if !over.Saturated {
			t.Fatalf("%d flits: a flit per node and cycle does not saturate a mesh: %+v", flits, over)
		}
		for _, share := range []float64{0.1, 0.3, 0.6} {
			if p := at(share * over.Accepted); p.Saturated ||
				math.Abs(p.Accepted-p.Created) > 0.02*p.Created {
				t.Errorf("%d flits at %.1f of what is accepted: created %.4f, accepted %.4f, saturated %t",
					flits, share, p.Created, p.Accepted, p.Saturated)
			}
		}
		if p := at(1.4 * over.Accepted); !p.Saturated ||
			math.Abs(p.Accepted-over.Accepted) > 0.1*over.Accepted {
			t.Errorf("%d flits: at 1.4 times what is accepted it accepts %.4f, saturated %t, at 1 %.4f",
				flits, p.Accepted, p.Saturated, over.Accepted)
		}
	}
}

// At the lowest loads a message hardly meets another: latency is that of an idle
// network, the waiting of a message's packets for each other included.
func TestNetIdleLatency(t *testing.T) {
	for _, flits := range []int{8, 20, 512} {
		s := configtest.Net(flits, 4, 4)
		s.Workload.TrafficLoad = 0.0005
		p := mustMeasure(t, s, 0)
		if r := p.Latency / p.ZeroLoad; r < 0.999 || r > 1.02 {
			t.Errorf("%d flits: latency %.2f, %.3f of that of an idle network", flits, p.Latency, r)
		}
	}
	// By hand: packets of 8 flits one after the other, with room for all in every
	// buffer. The first takes 3H + 11 cycles. At each router a header is sent R + 1
	// cycles after the tail before it, its own tail 7 later: one every 10 cycles.
	s := configtest.Net(24, 4, 4)
	s.Network.BufferFlits = 24
	idle := newIdleLatency(configtest.Plan(t, s).Network, 24)
	if got, err := idle.of(arrival(0, 2)); err != nil || got != 17+10 {
		t.Errorf("three packets two channels away have a mean latency of %v (%v), want 17 + (0 + "+
			"10 + 20)/3", got, err)
	}
	// Where links differ it is that of the path. Links along y take 4 cycles more than those
	// along x.
	s = configtest.Net(8, 4, 4)
	s.Network.BufferFlits, s.Network.ClassLinkCycles = 8, []int{1, 5}
	idle = newIdleLatency(configtest.Plan(t, s).Network, 8)
	for _, k := range []struct {
		to   topology.Node
		want float64
	}{{2, 17}, {8, 25}, {5, 21}, {2, 17}} {
		if got, err := idle.of(arrival(0, k.to)); err != nil || got != k.want {
			t.Errorf("to node %d: %v cycles (%v), want %v", k.to, got, err, k.want)
		}
	}
}

// arrival is a packet from one node that has arrived at another.
func arrival(from, to topology.Node) *router.Arrival {
	return &router.Arrival{Packet: router.Packet{From: from, To: to}}
}

// Alone on the network a message takes the way that routing gives it, which is longer than the
// distance where it goes over a drawn router or group, towards a root, or over one global link
// only.
func TestIdleLatencyIsThatOfTheWayTaken(t *testing.T) {
	const mesh, hyperX, fly = "mesh:4x4", "hyperx:4x4:p2", "dragonfly:a4h2p2"
	for _, k := range []struct {
		machine, routing string
		classes          []int // delays of links
		flits            int
	}{
		{mesh, "valiant", nil, 8}, {mesh, "valiant", nil, 20}, {mesh, "romm", []int{1, 7}, 8},
		{mesh, "minimal-adaptive", nil, 20}, {"torus:4x4", "balanced-dateline", nil, 8},
		{hyperX, "valiant", []int{1, 7}, 8}, {hyperX, "dal", nil, 8},
		{fly, "minimal", nil, 8}, {fly, "minimal", []int{2, 20}, 8}, {fly, "valiant", nil, 8},
		{fly, "ugal-l", nil, 8}, {fly, "ugal-g", nil, 20}, {fly, "par", []int{2, 20}, 8},
	} {
		s := specWith(t, map[string]any{"machine.topology": k.machine, "network.routing": k.routing,
			"job.flits": int64(k.flits), "network.buffer_flits": int64(4)})
		s.Workload.TrafficLoad, s.Network.ClassLinkCycles = 0.0005, k.classes
		s.Workload.WarmupCycles, s.Workload.WindowCycles = 100, 400000
		p := mustMeasure(t, s, 0)
		least := 0.999
		if k.flits > 8 { // its packets draw again
			least = 0.98
		}
		if r := p.Latency / p.ZeroLoad; r < least || r > 1.01 {
			t.Errorf("%s %s %v, %d flits: latency %.2f, %.3f of that of an idle network, %.2f",
				k.machine, k.routing, k.classes, k.flits, p.Latency, r, p.ZeroLoad)
		}
	}
}

// Notes say what routers carry at most of a link, and what would carry more: see LinkShare.
func TestWhatRoutersCarryIsNoted(t *testing.T) {
	for _, k := range []struct {
		link, routing, buffer, channels int
		want                            string
	}{
		{1, 0, 2, 1, ""}, {1, 2, 2, 2, ""}, {100, 0, 101, 1, ""},
		{1, 2, 2, 1, "at most 0.8 of a link: a packet of 8 flits takes 10 cycles or more of a virtual " +
			"channel, since a head flit is routed once the tail before it has left the buffer " +
			"(network.routing_cycles = 2); network.virtual_channels = 2 carries all of it"},
		{100, 0, 2, 1, "at most 0.02 of a link: a packet of 8 flits takes 404 cycles or more of a " +
			"virtual channel, since a place in a buffer is free again 101 cycles after a flit was sent " +
			"to it (network.buffer_flits = 2); buffers of 101 flits carry 1, and " +
			"network.virtual_channels = 51 carries all of it"},
		{100, 2, 2, 2, "at most 0.039 of a link, over its 2 virtual channels: a packet of 8 flits takes " +
			"406 cycles or more of a virtual channel, since a place in a buffer is free again 101 cycles " +
			"after a flit was sent to it (network.buffer_flits = 2); buffers of 58 flits carry 1, and"},
	} {
		s := configtest.Net(8, 4, 4)
		s.Network.LinkCycles, s.Network.BufferFlits = k.link, k.buffer
		s.Network.VirtualChannels, s.Network.RoutingCycles = k.channels, k.routing
		s.Workload.Source = "traffic"
		all := LinkNote(configtest.Plan(t, s))
		if (k.want == "") != (all == "") || !strings.Contains(all, k.want) {
			t.Errorf("%+v: note %q", k, all)
		}
	}
}

// Packets count by the cycle they were created in, wherever in time they arrive; a
// percentile is the least latency that so many of them do not exceed.
func TestNetMeterCountsWhatTheWindowCreates(t *testing.T) {
	s := configtest.Net(8, 4, 4)
	m := must.Have(config.NewMachine(&s.Machine))
	for _, n := range []int64{1, 50, 99, 100, 101, 200, 1000} {
		meter := newTrafficMeter(100, 50, m,
			newIdleLatency(configtest.Plan(t, s).Network, 8))
		packet := func(created, delivered int64) {
			a := router.Arrival{Delivered: delivered}
			a.Created, a.Length, a.To = created, 8, topology.Node(1)
			meter.Packet(&a)
		}
		packet(99, 99+5000) // before the window, though it arrives behind it
		packet(99, 120)
		packet(150, 150+5000) // behind it
		for i := range n {
			created := 100 + i%50
			packet(created, created+n-i) // latencies n, n-1, ..., 1
		}
		p := meter.Point()
		if want := float64((99*n + 99) / 100); p.Packets != n || p.LatencyP99 != want ||
			math.Abs(p.Latency-float64(n+1)/2) > 1e-9 {
			t.Errorf("%d packets: %d counted, p99 %v, mean %v; want p99 %v, mean %v",
				n, p.Packets, p.LatencyP99, p.Latency, want, float64(n+1)/2)
		}
		if median := float64((n + 1) / 2); p.LatencyP50 != median {
			t.Errorf("%d packets: p50 %v, want %v", n, p.LatencyP50, median)
		}
	}
}
