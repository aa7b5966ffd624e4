package sim

import (
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/must"
	"contend/scheduler"
)

// with256Nodes are machines of 256 nodes, of which the first has sides.
var with256Nodes = map[string]config.MachineSpec{
	"mesh":     {Topology: "mesh", Dims: []int{16, 16}, Concentration: 1},
	"tree":     {Topology: "tree", Arity: 4, Levels: 4},
	"fat tree": {Topology: "fat-tree", Children: []int{16, 16}, Rails: 1},
	"dragonfly": {Topology: "dragonfly", GroupRouters: 4, GlobalLinks: 2, Concentration: 8,
		Groups: 8, Arrangement: "absolute"},
	"hyperx": {Topology: "hyperx", Dims: []int{8, 8}, Concentration: 4},
}

// jobsOf returns the jobs of replication 1 of a spec.
func jobsOf(t *testing.T, s config.Spec) (list []scheduler.Job) {
	t.Helper()
	w := must.Have(new(Simulator).NewWork(t.Context(), configtest.Plan(t, s), 1))
	for {
		j, err := w.Source.Next()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, j)
	}
}

// A job asks a machine without sides for as many processors as a square mesh of as many nodes.
// Submissions, quotas and seeds are the same too.
func TestSidesAskEveryMachineForTheSameJobs(t *testing.T) {
	for name, side := range map[string]config.SideSpec{
		"default":     {Distribution: "uniform", Min: 1},
		"bounded":     {Distribution: "uniform", Min: 6, Max: 16},
		"rounded":     {Distribution: "uniform", Min: 1, Max: 13, Round: "up"},
		"exponential": {Distribution: "exponential", Outside: "clamp"},
		"increasing":  {Distribution: "increasing"},
		"fixed":       {Distribution: "fixed", Value: 5},
	} {
		jobs := map[string][]scheduler.Job{}
		for kind, m := range with256Nodes {
			s := config.DefaultSpec()
			s.Machine, s.Workload.Side, s.Workload.Jobs = m, side, 200
			s.Allocator = "random"
			jobs[kind] = jobsOf(t, s)
		}
		for kind, list := range jobs {
			if d := cmp.Diff(jobs["mesh"], list); d != "" {
				t.Errorf("%s sides on a %s: %s", name, kind, d)
			}
		}
	}
}

// By hand: sides of 6 to 16 make 36 to 256 processors, and 11 x 11 = 121 in the mean. The mean of
// 2000 jobs is within four standard errors, 4 x 50 / sqrt(2000).
func TestAreasOfDrawnSides(t *testing.T) {
	s := config.DefaultSpec()
	s.Machine, s.Allocator = with256Nodes["dragonfly"], "random"
	s.Workload.Side.Min, s.Workload.Side.Max, s.Workload.Jobs = 6, 16, 2000
	sum, least, most := 0, 1<<30, 0
	for _, j := range jobsOf(t, s) {
		sum, least, most = sum+j.Size, min(least, j.Size), max(most, j.Size)
	}
	if mean := float64(sum) / 2000; least != 36 || most != 256 || mean < 116.5 || mean > 125.5 {
		t.Errorf("jobs of %d to %d processors, %g in the mean; want 36 to 256, 121", least, most, mean)
	}
}

// A machine without sides takes sides up to that of the largest square with no more nodes.
func TestSidesBeyondAMachineWithoutSides(t *testing.T) {
	for _, c := range []struct{ nodes, side int }{{256, 16}, {255, 15}, {240, 15}} {
		s := config.DefaultSpec()
		s.Machine, s.Allocator = with256Nodes["tree"], "random"
		s.Machine.Nodes, s.Workload.Jobs = c.nodes, 5
		s.Workload.Side.Min, s.Workload.Side.Max = c.side, c.side
		if err := configtest.Check(new(Simulator), s); err != nil {
			t.Errorf("side %d of %d nodes: %v", c.side, c.nodes, err)
		}
		s.Workload.Side.Max++
		mustRefuse(t, s, "workload.side.max")
		mustRefuse(t, s, "counts as a square")
	}
}
