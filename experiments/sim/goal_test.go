package sim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/formats/chakra/chakratest"
	"contend/experiments/metrics"
	"contend/netsim"
)

// The parameters of LogGOPSim by default, in nanoseconds.
const latency, overhead, perByte = 2500, 1500, 6

// starSpec runs a schedule on nodes that are joined by one router. A cycle is 1 ns and a flit a
// byte. A message of s bytes takes L + (s-1)G in the network: the link to the router and that from
// it take 1200 each, and the router 100. A process sends and receives in o.
func starSpec(t *testing.T, ranks int, file string) config.Spec {
	t.Helper()
	star := "router 0"
	for i := range ranks {
		star += fmt.Sprintf(" node %d", i)
	}
	return specWith(t, map[string]any{"machine.topology": "graph", "machine.graph": []any{star},
		"network.cycle": "1 ns", "network.flit_bytes": int64(1), "network.packet_flits": int64(4096),
		"network.buffer_flits": int64(4096), "network.node_link_cycles": int64((latency - 100) / 2),
		"network.routing_cycles": int64(100), "network.node_flit_cycles": int64(perByte),
		"network.flit_cycles": int64(perByte), "job.send_cycles": int64(overhead),
		"job.receive_cycles": int64(overhead), "workload.source": "list", "allocator": "sequential",
		"workload.list": []any{map[string]any{"pattern": "goal:" + file}}})
}

// TestSchedulesTakeTheirCriticalPath holds broadcasts along binomial trees against the critical
// path of the LogGP model: at every level a process sends first to the one below which the longest
// path is left, so the path has one message a level, of o + L + (s-1)G + o. LogGOPSim 76451de,
// defaults, gives the same for the two samples.
func TestSchedulesTakeTheirCriticalPath(t *testing.T) {
	const samples = "../../../shared/samples/goal"
	for _, c := range []struct {
		file                 string
		ranks, levels, bytes int
		simulated            float64 // by LogGOPSim, ns
	}{
		{"testdata/broadcast8.goal", 8, 3, 200, 0},
		{filepath.Join(samples, "binary_tree_32.goal"), 32, 5, 1, 27500},
		{filepath.Join(samples, "binary_tree_32.bin"), 32, 5, 1, 27500},
		{filepath.Join(samples, "binomialtreebcast_128_1024.goal"), 128, 7, 1024, 81466},
	} {
		t.Run(filepath.Base(c.file), func(t *testing.T) {
			if _, err := os.Stat(c.file); err != nil {
				t.Skip("no " + samples)
			}
			path := c.levels * (overhead + latency + (c.bytes-1)*perByte + overhead)
			got := runOf(t, starSpec(t, c.ranks, c.file))["makespan"] * 1e9
			if diff := got - float64(path); diff > 1e-3 || diff < -1e-3 {
				t.Errorf("takes %v ns, the critical path %d", got, path)
			}
			if c.simulated > 0 && float64(path) != c.simulated {
				t.Errorf("the critical path is %d, LogGOPSim's time %v", path, c.simulated)
			}
		})
	}
}

// Computations in nanoseconds are refused without network.cycle, and so are schedules on another
// number of processes.
func TestSchedulesThatCannotRunAreRefused(t *testing.T) {
	for _, c := range []struct {
		change func(s *config.Spec)
		want   string
	}{
		{func(s *config.Spec) { s.Network.Cycle = "" }, "set network.cycle"},
		{func(s *config.Spec) {
			s.Workload.List[0].Processes = 7
		}, "has 2 ranks: a job of 7 processes cannot run it"},
	} {
		s := starSpec(t, 8, "testdata/compute.goal")
		c.change(&s)
		mustRefuse(t, s, c.want)
	}
}

// Two messages on rails of their own take the time of one, and on one rail twice as long. A
// schedule that asks for a rail which is not there, or which nobody gives it, is refused.
func TestSchedulesChooseRails(t *testing.T) {
	run := func(rails int, choice netsim.RailChoice, nics string) (float64, error) {
		file := written(t, "rails.goal", fmt.Sprintf("num_ranks 2\nrank 0 {\nsend 80000b to 1 nic %c\n"+
			"send 80000b to 1 nic %c\n}\nrank 1 {\nrecv 80000b from 0\nrecv 80000b from 0\n}\n", nics[0],
			nics[1]))
		s := starSpec(t, 2, file)
		s.Machine.Topology, s.Machine.Graph = "fat-tree", nil
		s.Machine.Rails, s.Network.Rail = rails, choice
		s.Machine.Children, s.Machine.Parents = []int{2}, []int{}
		if err := configtest.Check(new(Simulator), s); err != nil {
			return 0, err
		}
		return runOf(t, s)["service_time"], nil
	}
	one, err := run(2, netsim.RailByMessage, "11")
	two, err2 := run(2, netsim.RailByMessage, "01")
	if err != nil || err2 != nil || one < 1.8*two || one > 2.2*two {
		t.Errorf("on one rail %v, on two %v; %v, %v", one, two, err, err2)
	}
	for _, k := range []struct {
		rails  int
		choice netsim.RailChoice
		nics   string
	}{{2, netsim.RailByMessage, "02"}, {2, netsim.RailByPair, "01"}, {1, netsim.RailInTurn, "01"}} {
		if _, err := run(k.rails, k.choice, k.nics); !contains(err, "has messages of nic") {
			t.Errorf("%+v: %v", k, err)
		}
	}
}

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
			"allocator": "random", "workload.source": "list",
			"workload.list": []any{map[string]any{"processes": int64(64),
				"pattern": "training:tensor=8,layers=8,hidden=128,sequence=64,microbatches=2,tflops=" +
					tflops}}})
		r, x := rowsOf(t, s, metrics.Records{Interference: true})
		part := slices.Index(metrics.PathTable.Names(), "part")
		parts = map[string]float64{}
		for i, cycles := range column(t, metrics.PathTable.Names(), texts(x, metrics.PathTable), "cycles") {
			parts[texts(x, metrics.PathTable)[i][part]] += cycles
		}
		return parts, r["service_time"] / 10.24e-9
	}
	fast, short := run("13")
	slow, long := run("1.3")
	added := long - short
	if added < 11000 || added > 12500 {
		t.Fatalf("the job takes %v and %v cycles", short, long)
	}
	if c := slow["computing"] - fast["computing"]; c < 0.9*added || c > 1.1*added {
		t.Errorf("%v cycles are added, %v to computing: %v and %v", added, c, fast, slow)
	}
}
