package sim

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
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
// number of processes and with time that is jumped over.
func TestSchedulesThatCannotRunAreRefused(t *testing.T) {
	for _, c := range []struct {
		change func(s *config.Spec)
		want   string
	}{
		{func(s *config.Spec) { s.Network.Cycle = "" }, "set network.cycle"},
		{func(s *config.Spec) { s.FastForward = 0.1 }, "runs.fast_forward is 0.1, and graphs of tasks"},
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
	run := func(rails int, choice, nics string) (float64, error) {
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
	one, err := run(2, "message", "11")
	two, err2 := run(2, "message", "01")
	if err != nil || err2 != nil || one < 1.8*two || one > 2.2*two {
		t.Errorf("on one rail %v, on two %v; %v, %v", one, two, err, err2)
	}
	for _, k := range []struct {
		rails        int
		choice, nics string
	}{{2, "message", "02"}, {2, "pair", "01"}, {1, "round-robin", "01"}} {
		if _, err := run(k.rails, k.choice, k.nics); !contains(err, "has messages of nic") {
			t.Errorf("%+v: %v", k, err)
		}
	}
}
