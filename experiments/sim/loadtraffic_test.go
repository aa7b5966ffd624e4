package sim

import (
	"math"
	"slices"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// linkLoads measures the traffic of a spec. It returns the metrics, and the row of each channel
// with the share of the run in which it carried flits, all of which take a cycle.
func linkLoads(t *testing.T, s config.Spec, replication int) (r metrics.Result, rows [][]string,
	loads []float64) {
	t.Helper()
	s.Workload.Source = "traffic"
	x := &Extra{Records: metrics.Records{Links: true}}
	r = must.Have(new(Simulator).Run(t.Context(), configtest.Plan(t, s), replication, x))
	for _, percent := range column(t, metrics.LinkTable.Names(), x.LinkRows, "utilization_percent") {
		loads = append(loads, percent/100)
	}
	return r, x.LinkRows, loads
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
