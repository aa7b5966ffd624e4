package sim

import (
	"maps"
	"slices"
	"testing"

	"contend/allocation/mapping"
	"contend/experiments/config"
	"contend/experiments/config/configtest"
)

// mappedSpec is one job that has an 8x8 mesh to itself, on nodes in a drawn order.
func mappedSpec(name string) config.Spec {
	s := configtest.Net(8, 8, 8)
	s.Workload.Jobs, s.Workload.Processors, s.Job.Pattern = 1, 64, configtest.Mix("near-neighbour")
	s.Job.Quota.Iterations, s.Job.Mapping = 3, name
	s.Allocator = "random"
	return s
}

// Neighbours on an 8x8 grid of processes are neighbours on the mesh by bisection and in row-major
// order. The nodes of the job are the same under every mapping.
func TestMappingsPutNeighboursBesideEachOther(t *testing.T) {
	hops, nodes := map[string]float64{}, ""
	for _, name := range mapping.Names() {
		r, x := rowsOf(t, mappedSpec(name), withJobs)
		hops[name] = r["mean_hops"]
		if got := x.JobRows[0].Nodes; nodes == "" {
			nodes = got
		} else if got != nodes {
			t.Errorf("%s: the nodes are %s, and as allocated %s", name, got, nodes)
		}
	}
	if hops[mapping.Bisection] != 1 || hops[mapping.RowMajor] != 1 || hops[mapping.Hilbert] < 1.2 ||
		hops[mapping.Greedy] > 3.5 || hops[mapping.Random] < 4.5 || hops[mapping.Allocated] < 4.5 ||
		hops[mapping.Random] == hops[mapping.Allocated] {
		t.Errorf("mean hops are %v", hops)
	}
}

// Time that is jumped over has the same mapping, and so does every engine.
func TestMappingsHoldForJumps(t *testing.T) {
	s := mappedSpec(mapping.Bisection)
	s.Job.Quota.Iterations = 400
	full := runOf(t, s)
	s.FastForward = 0.05
	jumped := runOf(t, s)
	if full["mean_hops"] != 1 || jumped["mean_hops"] != 1 || jumped["time_jumped"] < 50 {
		t.Errorf("mean hops are %v, and %v with %v%% of the time jumped over", full["mean_hops"],
			jumped["mean_hops"], jumped["time_jumped"])
	}
	s = mappedSpec(mapping.Random)
	want := runOf(t, s)
	s.Network.Engine = "cycle"
	if got := runOf(t, s); !maps.Equal(got, want) {
		t.Errorf("cycle by cycle %v, worm by worm %v", got, want)
	}
}

// A mapping draws only if it is random, and needs a machine that has its order.
func TestMappingsThatCannotAct(t *testing.T) {
	for _, name := range mapping.Names() {
		s := mappedSpec(name)
		if drawn := slices.Contains(s.Draws(), "mappings"); drawn != (name == mapping.Random) {
			t.Errorf("%s is drawn: %v", name, drawn)
		}
	}
	s := configtest.Tree()
	s.Workload.Processors, s.Job.Mapping = 16, mapping.Hilbert
	mustRefuse(t, s, "job.mapping: order hilbert needs a mesh")
	s = configtest.Net(8, 72, 72)
	s.Workload.Processors, s.Job.Mapping, s.Job.Pattern = 5000, mapping.Greedy, configtest.Mix("ring")
	mustRefuse(t, s, "at most 4096 are mapped by traffic")
}

// A job alone has the mapping that it has in the run, so a job that meets nobody loses nothing to
// others.
func TestJobsAloneAreMappedAsInTheRun(t *testing.T) {
	s := mappedSpec(mapping.Random)
	s.Alone = true
	wantMetrics(t, runOf(t, s), map[string]float64{"slowdown_by_others": 1})
}
