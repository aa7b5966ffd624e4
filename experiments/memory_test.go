package experiments

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/sim"
	"contend/experiments/study"
)

// A table of distances is in the estimate, and a second run shares it.
func TestMemoryOfDistances(t *testing.T) {
	for _, set := range [][]string{
		{"machine.topology=tree", "machine.arity=2", "machine.levels=12", "allocator=gen-alg"},
		{"machine.topology=torus", "machine.dims=[30, 40]", "machine.concentration=2",
			"allocator=optimal"},
		{"machine.topology=hypercube", "machine.dims=[11]", "allocator=mm-inc"},
	} {
		st := &study.Study{Name: "x", Base: config.DefaultSpec(), Runs: config.Defaults().Runs}
		for _, s := range append(set, "job.run=fixed") {
			key, value, _ := strings.Cut(s, "=")
			if err := st.Set(key, value, config.BuiltinNames()); err != nil {
				t.Fatal(err)
			}
		}
		var simulator sim.Simulator
		plan := configtest.Plan(t, st.Base)
		before := heap()
		first, err := simulator.Prepare(plan, 0)
		if err != nil {
			t.Fatal(err)
		}
		one := heap()
		second, err := simulator.Prepare(plan, 1)
		if err != nil {
			t.Fatal(err)
		}
		if took, want := one-before, st.Base.Memory(); want < took || want > 2*took || took < 2<<20 {
			t.Errorf("%v: %d bytes, estimated %d", set, took, want)
		}
		if more := heap() - one; more > (one-before)/2 {
			t.Errorf("%v: a second run takes %d bytes more than %d", set, more, one-before)
		}
		runtime.KeepAlive([]sim.Setup{first, second})
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The list of runs to make, and their results, are in the estimate of a run.
func TestMemoryOfRuns(t *testing.T) {
	st := &study.Study{Name: "x", Base: config.DefaultSpec(), Runs: config.Defaults().Runs}
	st.Runs.Replications, st.Base.Workload.Jobs = 20000, 10
	folder := NewMemory("test")
	results, err := folder.Results(st, config.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	r := &Runner{Names: config.BuiltinNames(), Folder: folder}
	before := heap()
	tasks, err := r.round(results, nil)
	listed := (heap() - before) / int64(len(tasks))
	if err != nil || len(tasks) != 20000 || listed > 100 {
		t.Errorf("%d runs of %d bytes: %v", len(tasks), listed, err)
	}
	plan := configtest.Plan(t, st.Base)
	one, err := new(sim.Simulator).Run(t.Context(), plan, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	before = heap()
	for _, k := range tasks {
		k.extra = nil
		o := outcome{task: k, result: one}
		o.result.Metrics = slices.Clone(one.Metrics)
		folder.Records[k.key()] = Record{Hash: k.point.Hash, Metrics: o.result}
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
	u, err := new(sim.Simulator).Prepare(plan, 0)
	if err != nil {
		t.Fatal(err)
	}
	if took := heap() - before; want < took || want > 3*took {
		t.Errorf("%d bytes, estimated %d", took, want)
	}
	runtime.KeepAlive(u)
}
