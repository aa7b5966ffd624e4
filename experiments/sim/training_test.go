package sim

import (
	"os"
	"slices"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/formats/chakra/chakratest"
	"contend/experiments/metrics"
)

// eightRanks is a job of eight ranks that has a machine to itself, with cycles of a nanosecond.
func eightRanks(pattern, topology string) config.Spec {
	s := config.DefaultSpec()
	s.Machine.Topology, s.Machine.Dims = topology, []int{8}
	if topology == "fat-tree" {
		s.Machine.Children, s.Machine.Parents, s.Machine.Dims = []int{4, 2}, []int{1}, nil
	}
	s.Network.Cycle, s.Network.FlitBytes = "1 ns", 64
	s.Network.PacketFlits, s.Network.BufferFlits = 64, 16
	s.Workload.Source, s.Workload.Placement = "together", configtest.Placement("contiguous")
	s.Workload.Background, s.Workload.Processes = configtest.Mix("idle"), 8
	s.Job.Pattern, s.Job.Bytes = configtest.Mix(pattern), 1<<20
	return s
}

// A 1 MB all-reduce of eight ranks takes the same cycles as a collective node of a Chakra trace, as
// sends and receives round a ring, and as the pattern all-reduce-ring. Where sums take 7 us, as in
// the ring of ASTRA-sim's examples, it takes 7 times as much longer: all ranks sum at once.
func TestAllReduceOfChakra(t *testing.T) {
	node := chakratest.Write(t, chakratest.ForEach(8, func(int) []chakratest.Node {
		return []chakratest.Node{chakratest.Call(0, 0, 1<<20, nil)}
	})...)
	ring := chakratest.Write(t, chakratest.Ring(8, 1<<20, 0)...)
	slow := chakratest.Write(t, chakratest.Ring(8, 1<<20, 7)...)
	calls := []string{"chakra:" + node, "chakra:" + ring, "chakra:" + slow + ",compute=0"}
	late := []string{"chakra:" + slow}
	const samples = "../../../shared/samples/chakra/"
	custom := samples + "custom_ring_allreduce_8npus_1MB/custom_allreduce"
	if _, err := os.Stat(samples); err == nil {
		calls = append(calls, "chakra:"+samples+"all_reduce_8npus_1MB/all_reduce",
			"chakra:"+custom+",compute=0")
		late = append(late, "chakra:"+custom)
	}
	for _, topology := range []string{"torus", "mesh", "fat-tree"} {
		time := func(pattern string) float64 {
			return runOf(t, eightRanks(pattern, topology))["service_time"]
		}
		want := time("all-reduce-ring")
		if least := float64(14 * (1 << 20) / 8 / 64); want < least {
			t.Fatalf("%s: %v cycles, and 14 blocks take %v on a link", topology, want, least)
		}
		for _, call := range calls {
			if got := time(call); got != want {
				t.Errorf("%s, %s: %v cycles, want %v as all-reduce-ring", topology, call, got, want)
			}
		}
		for _, call := range late {
			if got := time(call); got != want+49000 {
				t.Errorf("%s, %s: %v cycles, want %v and 49000", topology, call, got, want)
			}
		}
	}
}

// A slow rank slows a training step, whichever it is, and drawn ones do so by the job's stream.
func TestStragglersOfJobs(t *testing.T) {
	const step = "training:layers=8,hidden=64,sequence=16,bucket=1,tflops=0.001"
	s := eightRanks(step, "torus")
	s.Network.Routing = "dateline" // draws nothing
	plain := runOf(t, s)["service_time"]
	for _, rank := range []string{"0", "7"} {
		s.Job.Pattern = configtest.Mix(step + ",straggler=" + rank)
		// its computations take twice as long, but for the messages that overlap with them
		if slow := runOf(t, s)["service_time"]; slow < 1.8*plain || slow > 2*plain {
			t.Errorf("rank %s: %v cycles, %v without a straggler", rank, slow, plain)
		}
	}
	s.Job.Pattern = configtest.Mix(step + ",straggler_share=0.08")
	if draws := s.Draws(); len(draws) != 1 || draws[0] != "stragglers" {
		t.Errorf("runs draw %v", draws)
	}
	seen := map[float64]bool{}
	for replication := range 6 {
		slow, _ := mustRun(t, s, replication).Value("service_time")
		again, _ := mustRun(t, s, replication).Value("service_time")
		if seen[slow] = true; slow != again {
			t.Errorf("replication %d takes %v cycles, and then %v", replication, slow, again)
		}
	}
	if !seen[plain] || len(seen) != 2 { // about half of the jobs have a straggler
		t.Errorf("drawn stragglers: %v, without: %v", seen, plain)
	}
}

// A training job at random nodes of a tapered tree whose ranks compute at a tenth of the rate takes
// longer since it computes longer. Computations of a rank overlap with messages of others. Of the
// time that is added the critical path has at most a tenth elsewhere: as ranks compute longer their
// messages also meet others.
func TestComputingThatOverlapsIsComputing(t *testing.T) {
	run := func(tflops string) (parts map[string]float64, service float64) {
		s := specWith(t, map[string]any{"machine.topology": "fat-tree:8x32:8",
			"network.cycle": "10.24 ns", "network.flit_bytes": int64(512), "network.packet_flits": int64(8),
			"network.buffer_flits": int64(32), "network.routing_cycles": int64(0),
			"network.link_cycles": int64(30), "network.credit_cycles": int64(30),
			"job.scale": 0.001, "allocator": "random", "workload.source": "list",
			"workload.list": []any{map[string]any{"processes": int64(64),
				"pattern": "training:tensor=8,layers=8,microbatches=2,tflops=" + tflops}}})
		r, x := rowsOf(t, s, metrics.Records{Interference: true})
		part := slices.Index(metrics.PathTable.Names(), "part")
		parts = map[string]float64{}
		for i, cycles := range column(t, metrics.PathTable.Names(), x.PathRows, "cycles") {
			parts[x.PathRows[i][part]] += cycles
		}
		return parts, r["service_time"] / 10.24e-9
	}
	fast, short := run("400000")
	slow, long := run("40000")
	added := long - short
	if added < 11000 || added > 12500 {
		t.Fatalf("the job takes %v and %v cycles", short, long)
	}
	if c := slow["computing"] - fast["computing"]; c < 0.9*added || c > 1.1*added {
		t.Errorf("%v cycles are added, %v to computing: %v and %v", added, c, fast, slow)
	}
}
