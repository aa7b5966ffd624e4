package sim

import (
	"math"
	"slices"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
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
		must.Have(newFailures(plan, replication, scheduler.Clock{}, net)), nil))
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
		all, _ := LinkNote(configtest.Plan(t, s))
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

// linkLoads measures the traffic of a spec. It returns the metrics, and the row of each channel
// with the share of the run in which it carried flits, all of which take a cycle.
func linkLoads(t *testing.T, s config.Spec, replication int) (r metrics.Result, rows [][]string,
	loads []float64) {
	t.Helper()
	s.Workload.Source = "traffic"
	x := &Extra{Records: metrics.Records{Links: true}}
	r = must.Have(new(Simulator).Run(t.Context(), configtest.Plan(t, s), replication, x))
	for _, percent := range column(t, metrics.LinkTable.Names(), texts(x, metrics.LinkTable),
		"utilization_percent") {
		loads = append(loads, percent/100)
	}
	return r, texts(x, metrics.LinkTable), loads
}

// N-1 nodes send the share s to the hot node and the rest to all alike, so its channel is
// full at a load of 1/((N-1)s + 1-s): below that nothing is left over, and beyond it the
// channel carries a flit in nearly every cycle. Deep buffers and few other messages keep
// the network itself from being full before.
func TestHotspotSaturatesAtItsBound(t *testing.T) {
	s := configtest.Net(8, 4, 4)
	s.Network.BufferFlits = 16
	s.Workload.Traffic, s.Workload.WindowCycles = "hotspot:nodes=5,share=0.4", 20000
	const bound = 1 / (15*0.4 + 0.6)
	for _, k := range []struct{ share, carried, saturated float64 }{{0.85, 0.85, 0}, {1.2, 1, 100}} {
		s.Workload.TrafficLoad = k.share * bound
		r, rows, loads := linkLoads(t, s, 0)
		if got, _ := r.Value("saturated"); got != k.saturated {
			t.Errorf("at %v of the bound saturated is %v, want %v", k.share, got, k.saturated)
		}
		hot := slices.IndexFunc(rows, func(row []string) bool {
			return row[1] == "ejection" && row[6] == "5"
		})
		if math.Abs(loads[hot]-k.carried) > 0.04 {
			t.Errorf("at %v of the bound the channel to the hot node carries %.3f flits a cycle, want %v",
				k.share, loads[hot], k.carried)
		}
	}
}

// The loads of channels add up: what nodes inject is created and ejected, and a flit crosses as
// many network channels as its packet hops.
func TestChannelLoadsAddUp(t *testing.T) {
	s := configtest.Net(8, 4, 4)
	s.Workload.Traffic, s.Workload.TrafficLoad, s.Workload.WindowCycles = "permutation", 0.05, 40000
	r, rows, loads := linkLoads(t, s, 0)
	sums := map[string]float64{}
	for i, row := range rows {
		sums[row[1]] += loads[i] / 16
	}
	created, _ := r.Value("created_load")
	accepted, _ := r.Value("accepted_load")
	hops, _ := r.Value("mean_hops")
	for kind, want := range map[string]float64{"injection": created, "ejection": accepted,
		"network": accepted * hops} {
		if math.Abs(sums[kind]-want) > 0.01*want {
			t.Errorf("%s channels carry %.5f flits per node and cycle, want %.5f", kind, sums[kind], want)
		}
	}
}

// Replications draw permutations of their own, and all loads of a replication have the same.
func TestPermutationOfAReplication(t *testing.T) {
	used := func(load float64, replication int) (list []bool) {
		s := configtest.Net(1, 4, 4)
		s.Workload.Traffic, s.Workload.TrafficLoad, s.Workload.WindowCycles = "permutation", load, 4000
		_, _, loads := linkLoads(t, s, replication)
		for _, l := range loads {
			list = append(list, l > 0)
		}
		return list
	}
	first := used(0.04, 0)
	if !slices.Equal(first, used(0.05, 0)) || slices.Equal(first, used(0.04, 1)) {
		t.Error("channels in use: want the same at both loads, others in the other replication")
	}
}

// Latencies of each class are those of its own packets, those of all classes together exact.
func TestClassesAreMeasuredApart(t *testing.T) {
	s := configtest.Net(8, 4, 4)
	s.Workload.Source, s.Workload.Lengths = "traffic", "2:3+8:1"
	plan := configtest.Plan(t, s)
	m := newTrafficMeter(100, 50, plan.Machine, newIdleLatencies(plan.Network, plan)...)
	for i := range int64(2000) { // latencies 1 to 1000, and 2 to 2000 in twos
		a := router.Arrival{User: int32(i % 2)}
		a.Created, a.To, a.Length = 100+i%50, topology.Node(1), []int32{2, 8}[i%2]
		a.Delivered = a.Created + (i/2+1)*(1+i%2)
		m.Packet(&a)
	}
	p := m.Point()
	if len(p.Classes) != 2 || p.Packets != 2000 {
		t.Fatalf("%d classes, %d packets", len(p.Classes), p.Packets)
	}
	for i, c := range p.Classes {
		factor := float64(i + 1)
		if c.Flits != []int32{2, 8}[i] || c.Packets != 1000 || c.Latency != 500.5*factor ||
			c.LatencyP50 != 500*factor || c.LatencyP99 != 990*factor || c.LatencyP999 != 999*factor {
			t.Errorf("class %d: %+v", i, c)
		}
	}
	// Of both, x latencies up to x come from the first and x/2 from the second, for x to 1000.
	if p.Latency != 750.75 || p.LatencyP50 != 667 {
		t.Errorf("together: mean %v, p50 %v", p.Latency, p.LatencyP50)
	}
}

// A network with a mix of lengths delivers each class as it was created, and bursts lengthen
// the latency at the same load.
func TestLengthsAndBurstsOfNet(t *testing.T) {
	run := func(lengths string, burst float64) loadPoint {
		s := configtest.Net(8, 4, 4)
		s.Workload.Lengths, s.Workload.BurstCycles, s.Workload.BurstShare = lengths, burst, 0.2
		s.Workload.TrafficLoad, s.Workload.WindowCycles = 0.1, 60000
		return mustMeasure(t, s, 0)
	}
	smooth, bursts := run("1:4+20:1", 0), run("1:4+20:1", 200)
	for _, p := range []loadPoint{smooth, bursts} {
		if math.Abs(p.Created-0.1) > 0.012 || math.Abs(p.Accepted-p.Created) > 0.01*p.Created {
			t.Errorf("created %.4f, accepted %.4f, want 0.1", p.Created, p.Accepted)
		}
		sum := 0.0
		for i, c := range p.Classes {
			sum += c.Accepted
			if want := p.Created * []float64{4. / 24, 20. / 24}[i]; math.Abs(c.Created-want) > 0.1*want {
				t.Errorf("%d flits: created %.4f, want %.4f", c.Flits, c.Created, want)
			}
			if c.Latency < c.ZeroLoad {
				t.Errorf("%d flits: latency %.2f, alone %.2f", c.Flits, c.Latency, c.ZeroLoad)
			}
		}
		if math.Abs(sum-p.Accepted) > 1e-9 {
			t.Errorf("the classes accept %.6f, all %.6f", sum, p.Accepted)
		}
	}
	if bursts.Latency < 1.2*smooth.Latency {
		t.Errorf("latency %.2f with bursts, %.2f without", bursts.Latency, smooth.Latency)
	}
}

// A cycle is the 2.56 ns of a flit of 64 B at 200 Gb/s. Links below leaves take 195 cycles (500
// ns), those of the tier above 313 (800 ns), and those of the last tier 391 (1000 ns) and two
// cycles a flit. Switches take no time. A packet of 8 flits takes its links there and back, and 7
// flits more at the rate of the slowest.
func TestZeroLoadOfTiersWithTheirRates(t *testing.T) {
	s := specWith(t, map[string]any{"machine.topology": "fat-tree",
		"machine.children": []any{int64(2), int64(2), int64(2)},
		"machine.parents":  []any{int64(2), int64(2)}, "machine.bundle": []any{int64(1), int64(2)},
		"network.flit_bytes": int64(64), "network.cycle": "2.56 ns",
		"network.buffer_flits": int64(783), "network.routing_cycles": "0 ns",
		"network.node_flit_cycles": "200 Gb/s", "network.node_link_cycles": "500 ns",
		"network.class_flit_cycles": []any{"200 Gb/s", "100 Gb/s"},
		"network.class_link_cycles": []any{"800 ns", "1000 ns"}})
	if err := s.Resolve(); err != nil {
		t.Fatal(err)
	}
	idle := newIdleLatency(configtest.Plan(t, s).Network, 8)
	for to, want := range map[topology.Node]float64{1: 2*195 + 7, 2: 2*195 + 2*313 + 7,
		3: 2*195 + 2*313 + 7, 4: 2*195 + 2*313 + 2*391 + 7*2, 7: 2*195 + 2*313 + 2*391 + 7*2} {
		if got, err := idle.of(arrival(0, to)); err != nil || got != want {
			t.Errorf("to node %d: %v cycles (%v), want %v", to, got, err, want)
		}
	}
}

// With self messages each of 16 nodes gets a 16th of its own messages, which cross no network
// channel.
func TestSelfMessages(t *testing.T) {
	s := configtest.Traffic()
	s.Workload.WindowCycles = 60000
	others := runOf(t, s)["mean_hops"]
	s.Workload.SelfMessages = true
	all := runOf(t, s)["mean_hops"]
	if math.Abs(others-8.0/3) > 0.03 || math.Abs(all-2.5) > 0.03 {
		t.Errorf("uniform traffic crosses %.3f channels, and %.3f with messages to itself, want 8/3 "+
			"and 5/2", others, all)
	}
	s.Workload.Traffic = "transpose"
	created := runOf(t, s)["created_load"]
	s.Workload.SelfMessages = false
	silent := runOf(t, s)["created_load"]
	if math.Abs(created-0.1) > 0.004 || math.Abs(silent-0.075) > 0.004 {
		t.Errorf("transpose creates %.4f flits, %.4f without the diagonal, want 0.1 and 0.075", created,
			silent)
	}
}
