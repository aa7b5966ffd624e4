package sim

import (
	"fmt"
	"math"
	"testing"

	"contend/internal/must"
	"contend/patterns"
	"contend/scheduler"
)

// A ring on one switch has the bandwidth of its links less the latency. Each of its 2(n-1) steps
// sends an eighth of 8 MB, 20,000 flits of 50 bytes, one a cycle of 1 ns: the last one leaves after
// 19,999 cycles and crosses two channels of 10.
func TestBusBandwidthOfARing(t *testing.T) {
	const step = 19999 + 2*10
	for pattern, want := range map[string]struct{ steps, bytes float64 }{
		"all-reduce-ring":     {14, 2 * 7 * 1e6},
		"all-gather-ring":     {7, 7 * 1e6},
		"reduce-scatter-ring": {7, 7 * 1e6},
		"all-to-all-direct":   {1, 0},
	} {
		m := runOf(t, specWith(t, map[string]any{"machine.topology": "fat-tree:8",
			"network.cycle": "1 ns", "network.flit_bytes": int64(50), "network.link_cycles": int64(10),
			"network.routing_cycles": int64(0), "network.buffer_flits": int64(64),
			"workload.source": "together", "workload.processes": int64(8),
			"workload.background": "idle", "job.pattern": pattern, "job.bytes": "8 MB",
			"job.quota.iterations": 3.0}))
		time := 3 * want.steps * step
		if want.bytes == 0 { // 7 blocks of each process one after the other
			time, want.bytes = 3*(7*20000-1+2*10), 7*1e6
		}
		if got := m["service_time"]; got != time {
			t.Errorf("%s: %v cycles, want %v", pattern, got, time)
		}
		rate := 3 * want.bytes / time // bytes a nanosecond
		if got := m["bus_bandwidth"]; math.Abs(got-rate) > 1e-9 || got < 49.9 || got > 50 {
			t.Errorf("%s: %v GB/s, want %v", pattern, got, rate)
		}
		if _, ok := m["exposed_communication"]; ok {
			t.Errorf("%s computes nothing and has exposed communication", pattern)
		}
	}
}

// The bytes of the bus bandwidth are those that a mean process sends, in the algorithms that send no
// more than they have to.
func TestBusBytesAreSent(t *testing.T) {
	for name, least := range map[string]bool{"all-reduce-ring": true, "all-reduce-halving": true,
		"all-reduce-direct": true, "all-reduce-doubling": false, "all-gather-ring": true,
		"all-gather-doubling": true, "reduce-scatter-halving": true, "all-to-all-direct": true,
		"all-reduce-tree": true} {
		c := patterns.Config{Name: name, Bytes: 1 << 20}
		m := must.Have(patterns.NewMatrix(c, 16, nil, nil))
		_, sent := m.Sum()
		if got := 16 * patterns.BusBytes(c, 16); (got == float64(sent)) != least {
			t.Errorf("%s: %v bytes, %d are sent", name, got, sent)
		}
	}
	if got := patterns.BusBytes(patterns.Config{Name: "npb-ft"}, 16); got != 0 {
		t.Errorf("a benchmark has %v bytes", got)
	}
}

// Without a network ranks are idle for the bubble of 1F1B, (p-1)/(m+p-1) of a step, and one rank at
// half of the rate makes a step of one stage twice as long.
func TestStepsWithoutNetwork(t *testing.T) {
	for _, c := range []struct {
		pattern string
		ranks   int
		busy    float64 // share of the step
	}{
		{"training:pipeline=4,microbatches=8,layers=4,tflops=1", 8, 8. / 11},
		{"training:pipeline=2,microbatches=3,layers=4,tensor=2,tflops=1", 4, 3. / 4},
		{"training:layers=4,tflops=1", 4, 1},
		{"training:layers=4,tflops=1,straggler=2,slowdown=2", 4, 0.5},
	} {
		s := specWith(t, map[string]any{"network.cycle": "1 ns", "job.pattern": c.pattern})
		p := s.PatternConfig(s.Job.Pattern.Parts[0])
		per := must.Have(patterns.MessagesPerIteration(p, c.ranks, nil))
		got := must.Have(stepsOf(p, &scheduler.Job{Size: c.ranks, Quota: per}))
		busy := got.FullRate / (float64(got.Unhindered) * 1e-9)
		if math.Abs(busy-c.busy) > 1e-7 || got.Count != 1 {
			t.Errorf("%s: busy for %v of %v steps, want %v", c.pattern, busy, got.Count, c.busy)
		}
	}
}

// Layers of 24bsh²+4bs²h operations and twice as many backward, on a rank of 1 Tflop/s: with b = 1,
// s = 2048, h = 4096 a layer takes 3 x 893,353,197,568 operations.
func TestFullRateOfAStep(t *testing.T) {
	s := specWith(t, map[string]any{"network.cycle": "1 ns", "job.pattern": "training:tflops=1"})
	p := s.PatternConfig(s.Job.Pattern.Parts[0])
	per := must.Have(patterns.MessagesPerIteration(p, 2, nil))
	got := must.Have(stepsOf(p, &scheduler.Job{Size: 2, Quota: 5 * per}))
	if want := 32 * 8 * 3 * 0.893353197568; math.Abs(got.FullRate-want) > 1e-6 || got.Count != 5 {
		t.Errorf("%v s in %v steps, want %v", got.FullRate, got.Count, want)
	}
}

// The parts of a step add up: a run's step is longer than the one without a network by the exposed
// communication, of which the bubble and the operations are the rest.
func TestPartsOfAStep(t *testing.T) {
	const pattern = "training:pipeline=2,microbatches=3,layers=2,hidden=256,sequence=64,tflops=10"
	m := runOf(t, specWith(t, map[string]any{"machine.topology": "fat-tree:8",
		"network.cycle": "1 ns", "network.flit_bytes": int64(50),
		"workload.source": "together", "workload.processes": int64(8),
		"workload.background": "idle", "job.pattern": pattern, "job.quota.iterations": 1.0}))
	exposed, used := m["exposed_communication"], m["flops_utilization"]
	if exposed < 5 || exposed > 95 || math.Abs(used-(100-exposed)*3/4) > 0.01 {
		t.Errorf("%v%% exposed and %v%% used", exposed, used)
	}
	if _, ok := m["bus_bandwidth"]; ok {
		t.Error("a step has a bus bandwidth")
	}
}

// islands returns a machine of hosts of some ranks each, which have two interfaces: one on a switch
// of the host, of 50 bytes a cycle, and a card of a rate as many times lower.
func islands(hosts, size, slower int) []string {
	lines := make([]string, 2+hosts*(1+size))
	joined, fabric := hosts, len(lines)-1 // no message goes from host to host on the first rail
	lines[joined] = fmt.Sprintf("router %d rail 0 level 2", joined)
	lines[fabric] = fmt.Sprintf("router %d rail 1 level 2", fabric)
	for h := range hosts {
		lines[h] = fmt.Sprintf("router %d rail 0 level 1 router %d", h, joined)
		for k := range size {
			node := h*size + k
			lines[h] += fmt.Sprintf(" node %d", node)
			card := hosts + 1 + node
			lines[card] = fmt.Sprintf("router %d rail 1 level 1 node %d router %d 1 f%d", card, node, fabric,
				slower)
			lines[fabric] += fmt.Sprintf(" router %d 1 f%d", card, slower)
		}
	}
	return lines
}

// Collectives of long vectors have the bus bandwidth of what is used most: cards, of which those of
// a host have the bandwidth of a ring together, or switches and cards one after the other.
func TestBusBandwidthOfHosts(t *testing.T) {
	const slower, link = 10, 50.0
	for _, c := range []struct{ hosts, size int }{{2, 4}, {3, 4}, {4, 2}, {2, 8}, {5, 2}, {3, 1}} {
		h, g := float64(c.hosts), float64(c.size)
		n := h * g
		card := link / slower
		phases := 2*(g-1)/g/link + 2*(h-1)/(h*g)/card
		wants := map[string]float64{
			fmt.Sprintf("all-reduce-ring:host=%d,channels=%d", c.size, c.size):     g * card,
			fmt.Sprintf("all-gather-ring:host=%d,channels=%d", c.size, c.size):     g * card,
			fmt.Sprintf("reduce-scatter-ring:host=%d,channels=%d", c.size, c.size): g * card,
			fmt.Sprintf("all-reduce-ring:host=%d", c.size):                         card,
			fmt.Sprintf("all-reduce-hierarchical:host=%d", c.size):                 2 * (n - 1) / n / phases,
		}
		if c.hosts == 2 && c.size == 4 { // a card sends its part up one tree and down the other
			tree := fmt.Sprintf("all-reduce-double-tree:host=%d,channels=%d,chunk=2000", c.size, 2*c.size)
			wants[tree] = 2 * (n - 1) / n * g * card
		}
		for pattern, want := range wants {
			var lines []any
			for _, line := range islands(c.hosts, c.size, slower) {
				lines = append(lines, line)
			}
			m := runOf(t, specWith(t, map[string]any{"machine.topology": "graph", "machine.graph": lines,
				"network.cycle": "1 ns", "network.flit_bytes": int64(50), "network.rail": "host",
				"network.packet_flits": int64(64), "network.buffer_flits": int64(256),
				"network.routing_cycles": int64(0), "workload.source": "together",
				"workload.processes": int64(c.hosts * c.size), "workload.background": "idle",
				"job.pattern": pattern, "job.bytes": "8 MB", "job.quota.iterations": 1.0}))
			if got := m["bus_bandwidth"]; got > 1.0001*want || got < 0.99*want {
				t.Errorf("%d hosts of %d, %s: %v GB/s, want %v", c.hosts, c.size, pattern, got, want)
			}
		}
	}
}
