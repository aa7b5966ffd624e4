package experiments

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/must"
)

// A table of distances is in the estimate, and a second run shares it.
func TestMemoryOfDistances(t *testing.T) {
	for _, set := range [][]string{
		{"machine.topology=tree", "machine.arity=2", "machine.levels=12", "allocator=gen-alg"},
		{"machine.topology=torus", "machine.dims=[30, 40]", "machine.concentration=2",
			"allocator=optimal"},
		{"machine.topology=hypercube", "machine.dims=[11]", "allocator=mm-inc"},
	} {
		plan, want := planWith(t, append(set, "job.run=fixed")...)
		var simulator sim.Simulator
		before := heap()
		first := must.Have(simulator.Prepare(plan, 0))
		one := heap()
		second := must.Have(simulator.Prepare(plan, 1))
		if took := one - before; want < took || want > 2*took || took < 2<<20 {
			t.Errorf("%v: %d bytes, estimated %d", set, took, want)
		}
		if more := heap() - one; more > (one-before)/2 {
			t.Errorf("%v: a second run takes %d bytes more than %d", set, more, one-before)
		}
		runtime.KeepAlive([]sim.Setup{first, second})
	}
}

// planWith returns the plan of keys and the bytes that it is estimated to take.
func planWith(t *testing.T, sets ...string) (*config.Plan, int64) {
	t.Helper()
	st := &study.Study{Name: "x", Base: config.DefaultSpec(), Runs: config.Defaults().Runs}
	must.Have(0, setKeys(st, sets...))
	return configtest.Plan(t, st.Base), st.Base.Memory()
}

// The list of runs to make, and their results, are in the estimate of a run.
func TestMemoryOfRuns(t *testing.T) {
	st := &study.Study{Name: "x", Base: config.DefaultSpec(), Runs: config.Defaults().Runs}
	st.Runs.Replications, st.Base.Workload.Jobs = 20000, 10
	folder := NewMemory("test")
	results := must.Have(folder.Results(st, config.Builtin()))
	r := &Runner{Names: config.Builtin(), Folder: folder}
	before := heap()
	tasks, err := r.nextRuns(results, nil)
	listed := (heap() - before) / int64(len(tasks))
	if err != nil || len(tasks) != 20000 || listed > 100 {
		t.Errorf("%d runs of %d bytes: %v", len(tasks), listed, err)
	}
	one := configtest.MustRun(t, new(sim.Simulator).Run, st.Base, 0)
	before = heap()
	for _, k := range tasks {
		k.extra = nil
		folder.Records[k.key()] = Record{Hash: k.point.Hash,
			Metrics: metrics.Result{Metrics: slices.Clone(one.Metrics)}}
	}
	stored := (heap() - before) / int64(len(tasks))
	if sum := listed + stored; sum > BytesRun || 2*sum < BytesRun {
		t.Errorf("a run takes %d and %d bytes, estimated %d", listed, stored, BytesRun)
	}
	runtime.KeepAlive(folder)
}

// All routers of a graph have as many ports as the largest: they are in the estimate.
func TestMemoryOfUnevenGraph(t *testing.T) {
	s := config.DefaultSpec()
	s.Allocator, s.Machine.Topology, s.Machine.Dims = "random", "graph", nil
	hub := "router 0 node 0"
	for r := range 1000 {
		hub += fmt.Sprintf(" router %d", r+1)
	}
	s.Machine.Graph = []string{hub, "router 1 node 1"}
	for r := range 3000 {
		s.Machine.Graph = append(s.Machine.Graph, fmt.Sprintf("router %d router %d", r%1000+1, r+1001))
	}
	want := s.Memory()
	plan := configtest.Plan(t, s)
	before := heap()
	u := must.Have(new(sim.Simulator).Prepare(plan, 0))
	if took := heap() - before; want < took || want > 3*took {
		t.Errorf("%d bytes, estimated %d", took, want)
	}
	runtime.KeepAlive(u)
}
