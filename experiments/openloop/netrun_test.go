package openloop

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"contend/experiments/sim"

	"contend/experiments/config"
	"contend/experiments/plot"

	"contend/experiments/config/configtest"
	"contend/experiments/study"
	"contend/router"
	"contend/router/topology"
)

func runNet(t *testing.T, c NetConfig) []sim.LoadPoint {
	t.Helper()
	points, _, err := RunNet((&sim.Simulator{}), context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return points
}

// A curve ends where less is accepted than is offered, however long messages are:
// below that the accepted load is the one created, and beyond it more load changes
// nothing.
func TestNetSaturation(t *testing.T) {
	for _, flits := range []int{1, 8, 64, 512} {
		plan := configtest.Net(flits, 4, 4)
		run := func(loads ...float64) []sim.LoadPoint {
			return runNet(t, NetConfig{Spec: plan, Traffic: []string{"uniform"}, Loads: loads, Workers: 1})
		}
		over := run(1)
		if len(over) != 1 || !over[0].Saturated {
			t.Fatalf("%d flits: a flit per node and cycle does not saturate a mesh: %+v", flits,
				over)
		}
		most := over[0].Accepted
		points := run(0.1*most, 0.3*most, 0.6*most, 1.4*most, 0.999)
		if len(points) != 4 || !points[3].Saturated {
			t.Fatalf("%d flits: the curve has %d loads up to %v, want 4 up to 1.4 of what is "+
				"accepted at most, %v",
				flits, len(points), points[len(points)-1].Offered, most)
		}
		for _, p := range points[:3] {
			if p.Saturated || math.Abs(p.Accepted-p.Created) > 0.02*p.Created {
				t.Errorf("%d flits at %.3f: created %.4f, accepted %.4f, saturated %t",
					flits, p.Offered, p.Created, p.Accepted, p.Saturated)
			}
		}
		if p := points[3]; math.Abs(p.Accepted-most) > 0.1*most {
			t.Errorf("%d flits: saturated at %.3f it accepts %.4f, at 1 %.4f", flits, p.Offered,
				p.Accepted, most)
		}
	}
}

// At the lowest loads a message hardly meets another: latency is that of an idle
// network, the waiting of a message's packets for each other included.
func TestNetIdleLatency(t *testing.T) {
	for _, flits := range []int{8, 20, 512} {
		p := runNet(t, NetConfig{Spec: configtest.Net(flits, 4, 4), Traffic: []string{"uniform"},
			Loads: []float64{0.0005}, Workers: 1})[0]
		if r := p.Latency / p.ZeroLoad; r < 0.999 || r > 1.02 {
			t.Errorf("%d flits: latency %.2f, %.3f of that of an idle network", flits, p.Latency, r)
		}
	}
	// By hand: packets of 8 flits one after the other, with room for all in every
	// buffer. The first takes 3H + 11 cycles. At each router a header is sent R + 1
	// cycles after the tail before it, its own tail 7 later: one every 10 cycles.
	s := configtest.Net(24, 4, 4)
	s.Network.BufferFlits = 24
	idle := sim.NewIdleLatency(configtest.Plan(t, s).Network, 24)
	if got, err := idle.Of(arrival(0, 2)); err != nil || got != 17+10 {
		t.Errorf("three packets two channels away have a mean latency of %v (%v), want 17 + (0 + "+
			"10 + 20)/3", got, err)
	}
	// Where links differ it is that of the path. Links along y take 4 cycles more than those
	// along x.
	s = configtest.Net(8, 4, 4)
	s.Network.BufferFlits, s.Network.ClassLinkCycles = 8, []int{1, 5}
	idle = sim.NewIdleLatency(configtest.Plan(t, s).Network, 8)
	for _, k := range []struct {
		to   topology.Node
		want float64
	}{{2, 17}, {8, 25}, {5, 21}, {2, 17}} {
		if got, err := idle.Of(arrival(0, k.to)); err != nil || got != k.want {
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
	const mesh, hyperX = "mesh dims=[4,4]", "hyperx dims=[4,4] concentration=2"
	const fly = "dragonfly group_routers=4 global_links=2 concentration=2"
	for _, k := range []struct {
		machine, routing, classes string // classes have the delays of links
		flits                     int
	}{
		{mesh, "valiant", "", 8}, {mesh, "valiant", "", 20}, {mesh, "romm", "[1,7]", 8},
		{mesh, "minimal-adaptive", "", 20}, {"torus dims=[4,4]", "balanced-dateline", "", 8},
		{hyperX, "valiant", "[1,7]", 8}, {hyperX, "dal", "", 8},
		{fly, "minimal", "", 8}, {fly, "minimal", "[2,20]", 8}, {fly, "valiant", "", 8},
		{fly, "ugal-l", "", 8}, {fly, "ugal-g", "", 20}, {fly, "par", "[2,20]", 8},
	} {
		machine := strings.Fields(k.machine)
		keys := [][2]string{{"machine.topology", machine[0]}, {"network.routing", k.routing},
			{"job.flits", fmt.Sprint(k.flits)}, {"network.buffer_flits", "4"}}
		for _, text := range machine[1:] {
			name, value, _ := strings.Cut(text, "=")
			keys = append(keys, [2]string{"machine." + name, value})
		}
		if k.classes != "" {
			keys = append(keys, [2]string{"network.class_link_cycles", k.classes})
		}
		st := study.Study{Base: config.DefaultSpec()}
		st.Base.Workload.Source = "traffic"
		for _, key := range keys {
			if err := st.Set(key[0], key[1], config.BuiltinNames()); err != nil {
				t.Fatal(err)
			}
		}
		p := runNet(t, NetConfig{Spec: st.Base, Traffic: []string{"uniform"},
			Loads: []float64{0.0005}, Workers: 1, Warmup: 100, Window: 400_000})[0]
		least := 0.999
		if k.flits > 8 { // its packets draw again
			least = 0.98
		}
		if r := p.Latency / p.ZeroLoad; r < least || r > 1.01 {
			t.Errorf("%s %s %s, %d flits: latency %.2f, %.3f of that of an idle network, %.2f",
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
		_, notes, err := RunNet(&sim.Simulator{}, context.Background(), NetConfig{Spec: s,
			Traffic: []string{"uniform"}, Loads: []float64{0.005}, Workers: 1, Warmup: 10, Window: 2000})
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Join(notes, "; ")
		if (k.want == "") != (all == "") || !strings.Contains(all, k.want) {
			t.Errorf("%+v: notes %q", k, notes)
		}
	}
}

// Packets count by the cycle they were created in, wherever in time they arrive; a
// percentile is the least latency that so many of them do not exceed.
func TestNetMeterCountsWhatTheWindowCreates(t *testing.T) {
	s := configtest.Net(8, 4, 4)
	m, err := config.NewMachine(&s.Machine)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int64{1, 50, 99, 100, 101, 200, 1000} {
		meter := sim.NewTrafficMeter(100, 50, m,
			sim.NewIdleLatency(configtest.Plan(t, s).Network, 8))
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
		median, most := float64((n+1)/2), float64((999*n+999)/1000)
		if p.LatencyP50 != median || p.LatencyP999 != most {
			t.Errorf("%d packets: p50 %v and p99.9 %v, want %v and %v", n, p.LatencyP50, p.LatencyP999,
				median, most)
		}
	}
}

// Table and figure speak for all replications.
func TestNetReplications(t *testing.T) {
	point := func(r int, offered, latency, accepted float64, saturated bool) sim.LoadPoint {
		return sim.LoadPoint{Topology: "mesh", Dims: "4x4", Traffic: "uniform", Replication: r,
			Offered: offered, Packets: 9,
			Latency: latency, Accepted: accepted, ZeroLoad: 10, Saturated: saturated}
	}
	points := []sim.LoadPoint{
		point(0, 0.1, 11, 0.10, false), point(0, 0.2, 30, 0.18, true),
		point(1, 0.1, 13, 0.11, false), point(1, 0.2, 14, 0.20, false), point(1, 0.3, 99, 0.2,
			true),
		point(2, 0.1, 15, 0.12, false), point(2, 0.2, 16, 0.19, false), point(2, 0.3, 99, 0.2,
			true),
	}
	loads := netLoads(points)
	if len(loads) != 3 || loads[1].saturated || !loads[2].saturated {
		t.Fatalf("%+v: want three loads, the last saturated in two of three replications", loads)
	}
	if l := loads[0]; l.latency.Mean != 13 || math.Abs(l.latency.Half-4.968) > 0.001 {
		t.Errorf("latency %+v, want 13 ± 4.968", l.latency)
	}
	table := NetTable(points)
	if !strings.Contains(table, "13.0 ± 5.0") || !strings.Contains(table, "0.2000 ") ||
		!strings.Contains(table, "|            0.3 |") {
		t.Errorf("the table is\n%s", table)
	}
	// The latency of a saturated network has no meaning, its accepted load has one.
	for i, want := range []string{"uniform,0.3,,,,,true\n", "uniform,0.3,,,,,true\n",
		"uniform,0.3,0.666666667,,,,true\n"} {
		f, ok := netFigure(points, netQuantities[i])
		if s := f.Series[0]; !ok || !slices.Equal(s.Crossed, []bool{false, false, true}) {
			t.Errorf("the line of %s is %+v", netQuantities[i].file, s)
		}
		var text strings.Builder
		if err := plot.WriteCSV(&text, f); err != nil || !strings.HasSuffix(text.String(), want) {
			t.Errorf("the numbers of %s: %v\n%s", netQuantities[i].file, err, text.String())
		}
		if f, ok = netFigure(points[len(points)-1:], netQuantities[i]); ok != (i == 2) {
			t.Errorf("%s of a saturated network: %v, %+v", netQuantities[i].file, ok, f.Series)
		}
	}
}

// A load or a traffic that is given twice would pass for two replications of one.
func TestNothingIsMeasuredTwice(t *testing.T) {
	for _, text := range []string{"0.2,0.1,0.2", "0.1:0.2:0.1", "0.1, 0.2,0.100"} {
		loads, err := ParseLoads(text)
		if err != nil || !slices.Equal(loads, []float64{0.1, 0.2}) {
			t.Errorf("--loads %s: %v, %v", text, loads, err)
		}
	}
	// A rounded load of 0 would be one of 1.
	if loads, err := ParseLoads("1e-10:1e-10:1"); err == nil {
		t.Errorf("loads that are too small to be told from 0: %v", loads)
	}
	_, _, err := RunNet(&sim.Simulator{}, t.Context(), NetConfig{Spec: configtest.Net(8, 4, 4),
		Traffic: []string{"uniform", "hotspot", "uniform"}, Loads: []float64{0.1}})
	configtest.MustBeInput(t, err)
	if !strings.Contains(err.Error(), "uniform is given twice") {
		t.Error(err)
	}
}

// A load at which no packet was created has no row, and a note says so. Where nothing was measured
// at all that is an error.
func TestLoadsWithoutPacketsAreSaid(t *testing.T) {
	c := NetConfig{Spec: configtest.Net(8, 2, 2), Traffic: []string{"uniform", "tornado"},
		Loads: []float64{0.05, 0.1}, Warmup: 200, Window: 1000, Workers: 1}
	c.Spec.Network.RoutingCycles = 0 // so that there is nothing to say of its routers
	points, notes, err := RunNet(&sim.Simulator{}, context.Background(), c)
	want := "tornado on mesh 2x2 has no row for the load 0.05, 0.1: no packet was created in the " +
		"measurement window"
	if err != nil || len(points) != 2 || len(notes) != 1 || notes[0] != want {
		t.Errorf("%d points, notes %q, %v; want 2, %q", len(points), notes, err, want)
	}
	c.Traffic = c.Traffic[1:]
	_, _, err = RunNet(&sim.Simulator{}, context.Background(), c)
	want = "nothing was measured: " + want + ": give more --cycles or greater --loads"
	if configtest.MustBeInput(t, err); err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
