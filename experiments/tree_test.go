package experiments

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func treeSpec() Spec {
	s := DefaultSpec()
	s.Machine.Topology, s.Machine.Arity, s.Machine.Levels = "tree", 4, 3
	s.Allocator = AllocatorSpec{Name: "random", Order: "row-major"}
	return s
}

// Every routing on trees gives a whole co-simulated study the same results
// under both engines, to the last bit, per job and channel too.
func TestEnginesAgreeOnStudiesOfTrees(t *testing.T) {
	for _, routing := range []string{"auto", "d-mod-k", "s-mod-k", "random", "adaptive"} {
		for _, pattern := range []string{"all-to-all", "n-body:1+multigrid:1"} {
			s := treeSpec()
			s.Machine.Nodes, s.Machine.UpPorts, s.Network.Routing = 60, []int{2, 3}, routing
			s.Workload.Jobs, s.Workload.Side.Min, s.Workload.Side.Max, s.Workload.Interarrival.Mean = 30, 1, 30, 100
			s.Job.Pattern, s.Job.ComputeCycles, s.Job.Flits = pattern, 7, 13
			results := map[string]string{}
			for _, engine := range []string{"cycle", "worm"} {
				s.Network.Engine = engine
				var sim Simulator
				extra := &Extra{Jobs: true, Links: true}
				r, err := sim.Run(context.Background(), s, 0, extra)
				if err != nil {
					t.Fatal(err)
				}
				results[engine] = strings.Join([]string{fmt.Sprint(r.Metrics), fmt.Sprint(extra.JobRows), fmt.Sprint(extra.LinkRows), fmt.Sprint(extra.Lines)}, "\n")
			}
			if diff := cmp.Diff(results["cycle"], results["worm"]); diff != "" {
				t.Errorf("%s %s (-cycle +worm):\n%s", routing, pattern, diff)
			}
		}
	}
}

// Ports are drawn anew in every replication, and alike under both engines.
func TestRoutingIsDrawnAnewInEveryReplication(t *testing.T) {
	s := treeSpec()
	machine, err := newMachine(&s.Machine)
	if err != nil {
		t.Fatal(err)
	}
	var sim Simulator
	seeds := map[uint64]bool{}
	for replication := range 3 {
		for _, engine := range []string{"cycle", "worm"} {
			s.Network.Engine = engine
			n, err := sim.newNetwork(&s, machine, replication)
			if err != nil {
				t.Fatal(err)
			}
			seeds[n.Config().RoutingSeed] = true
		}
	}
	if len(seeds) != 3 {
		t.Errorf("%d seeds for three replications under two engines", len(seeds))
	}
}

func TestMachinesThatCannotBe(t *testing.T) {
	for _, k := range []struct {
		change func(*MachineSpec)
		want   string
	}{
		{func(m *MachineSpec) {}, ""},
		{func(m *MachineSpec) { m.Topology = "tree" }, ""},
		{func(m *MachineSpec) { *m = treeSpec().Machine; m.Nodes, m.UpPorts = 60, []int{2, 4} }, ""},
		{func(m *MachineSpec) { m.Topology, m.Nodes = "tree", 257 }, "has room for 1 to 256"},
		{func(m *MachineSpec) { m.Topology, m.UpPorts = "tree", []int{5} }, "1 to 4 ports up"},
		{func(m *MachineSpec) { m.Topology, m.UpPorts = "tree", []int{4, 4} }, "or 3, one for each level but the top one"},
		{func(m *MachineSpec) { m.Topology, m.Levels = "tree", 24 }, "more than 16777216 nodes"},
	} {
		m, got := DefaultSpec().Machine, ""
		k.change(&m)
		if err := m.check(); err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, k.want) || (k.want == "") != (got == "") {
			t.Errorf("%+v: %q, want %q", m, got, k.want)
		}
	}
}

// The latency of a bare tree without load is that of the closed form.
func TestNetOfATree(t *testing.T) {
	s := treeSpec()
	s.Machine.UpPorts = []int{2}
	var sim Simulator
	points, notes, err := sim.RunNet(context.Background(), NetConfig{Spec: s, Traffic: []string{"uniform", "hotspot", "tornado"},
		Loads: []float64{0.002}, Warmup: 100, Window: 40000, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(points) != 2 || len(notes) != 1 || !strings.Contains(notes[0], "tornado traffic needs a mesh") {
		t.Fatalf("%d points, notes %q", len(points), notes)
	}
	for _, p := range points {
		if p.Dims != "4-ary-3-up-2" || p.Latency < p.ZeroLoad || p.Latency > 1.02*p.ZeroLoad {
			t.Errorf("%+v: want about the closed form's latency", p)
		}
	}
}

// New keys at their defaults leave the hashes of old results as they were.
func TestTreeKeysKeepHashes(t *testing.T) {
	s := DefaultSpec()
	if text := s.Canonical(); text != "" {
		t.Errorf("the defaults have a canonical text: %q", text)
	}
	tree := treeSpec()
	if text := tree.Canonical(); !strings.Contains(text, "machine.levels = 3\n") || strings.Contains(text, "arity") {
		t.Errorf("a 4-ary 3-tree is\n%s", text)
	}
}
