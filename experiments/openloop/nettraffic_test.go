package openloop

import (
	"math"
	"slices"
	"testing"

	"contend/experiments/config/configtest"
	"contend/experiments/sim"
	"contend/router"
	"contend/router/topology"
)

// N-1 nodes send the share s to the hot node and the rest to all alike, so its channel is
// full at a load of 1/((N-1)s + 1-s): below that nothing is left over, and beyond it the
// channel carries a flit in nearly every cycle. Deep buffers and few other messages keep
// the network itself from being full before.
func TestHotspotSaturatesAtItsBound(t *testing.T) {
	s := configtest.Net(8, 4, 4)
	s.Network.BufferFlits = 16
	const bound = 1 / (15*0.4 + 0.6)
	points := runNet(t, NetConfig{Spec: s, Traffic: []string{"hotspot:nodes=5,share=0.4"},
		Loads: []float64{0.85 * bound, 1.2 * bound}, Workers: 1, Channels: true, Window: 20000})
	if len(points) != 2 || points[0].Saturated || !points[1].Saturated {
		t.Fatalf("%d points, saturated %t: want two, of which the second is saturated", len(points),
			points[0].Saturated)
	}
	for i, want := range []float64{0.85, 1} {
		list := points[i].Channels
		hot := slices.IndexFunc(list, func(c sim.ChannelLoad) bool {
			return c.Kind == "ejection" && c.Node == 5
		})
		if math.Abs(list[hot].Load-want) > 0.04 {
			t.Errorf("at %.3f the channel to the hot node carries %.3f flits a cycle, want %v",
				points[i].Offered, list[hot].Load, want)
		}
	}
}

// The loads of channels add up: what nodes inject is created and ejected, and a flit crosses as
// many network channels as its packet hops.
func TestChannelLoadsAddUp(t *testing.T) {
	s := configtest.Net(8, 4, 4)
	p := runNet(t, NetConfig{Spec: s, Traffic: []string{"permutation"}, Loads: []float64{0.05},
		Workers: 1, Channels: true, Window: 40000})[0]
	sums := map[string]float64{}
	for _, c := range p.Channels {
		sums[c.Kind] += c.Load / 16
	}
	for kind, want := range map[string]float64{"injection": p.Created, "ejection": p.Accepted,
		"network": p.Accepted * p.MeanHops} {
		if math.Abs(sums[kind]-want) > 0.01*want {
			t.Errorf("%s channels carry %.5f flits per node and cycle, want %.5f", kind, sums[kind], want)
		}
	}
}

// Replications draw permutations of their own, and all loads of a replication have the same.
func TestPermutationOfAReplication(t *testing.T) {
	used := func(seed int64, loads ...float64) (lists [][]bool) {
		s := configtest.Net(1, 4, 4)
		s.Seed = seed
		for _, p := range runNet(t, NetConfig{Spec: s, Traffic: []string{"permutation"}, Loads: loads,
			Replications: 2, Workers: 1, Channels: true, Window: 4000}) {
			var list []bool
			for _, c := range p.Channels {
				list = append(list, c.Flits > 0)
			}
			lists = append(lists, list)
		}
		return lists
	}
	a := used(1, 0.04, 0.05) // two loads of each of two replications
	if len(a) != 4 || !slices.Equal(a[0], a[1]) || !slices.Equal(a[2], a[3]) ||
		slices.Equal(a[0], a[2]) {
		t.Error("channels in use: want the same at both loads, others in the other replication")
	}
}

// Latencies of each class are those of its own packets, those of all classes together exact.
func TestClassesAreMeasuredApart(t *testing.T) {
	s := configtest.Net(8, 4, 4)
	s.Workload.Source, s.Workload.Lengths = "traffic", "2:3+8:1"
	plan := configtest.Plan(t, s)
	m := sim.NewTrafficMeter(100, 50, plan.Machine, sim.NewIdleLatencies(plan.Network, plan)...)
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
	if p.Latency != 750.75 || p.LatencyP50 != 667 || p.LatencyP999 != 1996 {
		t.Errorf("together: mean %v, p50 %v, p99.9 %v", p.Latency, p.LatencyP50, p.LatencyP999)
	}
}

// A network with a mix of lengths delivers each class as it was created, and bursts lengthen
// the latency at the same load.
func TestLengthsAndBurstsOfNet(t *testing.T) {
	run := func(lengths string, burst float64) sim.LoadPoint {
		s := configtest.Net(8, 4, 4)
		s.Workload.Lengths, s.Workload.BurstCycles, s.Workload.BurstShare = lengths, burst, 0.2
		return runNet(t, NetConfig{Spec: s, Traffic: []string{"uniform"}, Loads: []float64{0.1},
			Workers: 1, Window: 60000})[0]
	}
	smooth, bursts := run("1:4+20:1", 0), run("1:4+20:1", 200)
	for _, p := range []sim.LoadPoint{smooth, bursts} {
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
