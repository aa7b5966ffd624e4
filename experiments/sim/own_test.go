package sim

import (
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"contend/allocation"
	"contend/allocation/center"
	"contend/allocation/submesh"
	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/internal/call"
	"contend/internal/must"
	"contend/patterns"
	"contend/patterns/tasks"
	"contend/router"
	routes "contend/router/routes"
	"contend/router/topology"
	"contend/scheduler"
)

// halves sends messages of two lengths there and back.
type halves struct {
	n    int
	long int32
}

func (h halves) Phases() int     { return 1 }
func (h halves) Messages() int64 { return int64(h.n / 2 * 2) }
func (h halves) Phase(dst []patterns.Message, _ int) []patterns.Message {
	for i := range patterns.Rank(h.n / 2) {
		there := patterns.Message{From: i, To: i + patterns.Rank(h.n/2), Flits: h.long}
		dst = append(dst, there, patterns.Message{From: there.To, To: there.From, Flits: 8})
	}
	return dst
}

// ownRegistry is the built-in one and more, for tests.
func ownRegistry() *config.Registry {
	r := metrics.Builtin()
	r.Patterns = append(r.Patterns, config.Pattern{Name: "halves", Doc: "there and back",
		OwnLengths: true,
		Parameters: []call.Parameter{{Name: "flits", Type: call.Integer, Default: "8", Min: "1"}},
		New: func(v call.Values, j config.PatternJob) (patterns.Pattern, error) {
			return halves{n: j.Processes, long: int32(v.Int("flits"))}, nil
		}})
	r.Allocators = append(r.Allocators, config.Allocator{Name: "as-mbs", Doc: "mbs in other words",
		CountDecides: true,
		New: func(_ call.Values, s allocation.Site) (allocation.Allocator, error) {
			return submesh.NewMBS(s.Machine)
		}})
	r.Policies = append(r.Policies, config.Policy{Name: "as-easy", Doc: "easy in other words",
		New: func(call.Values, config.PolicyRun) (scheduler.Policy, error) {
			return &scheduler.EASY{}, nil
		}})
	r.Topologies = append(r.Topologies, config.Topology{Name: "as-mesh", Doc: "a mesh in other words",
		Routings: []string{"as-xy"}, New: func(call.Values) (topology.Topology, error) {
			return topology.NewCube(topology.CubeConfig{Dims: []int{8, 8}})
		}})
	r.Routings = append(r.Routings, config.Routing{Name: "as-xy",
		Doc: "dimension order in other words",
		New: func(_ call.Values, w *router.Wiring, _ topology.Topology, _ uint64) (
			router.Routing, error) {
			return routes.NewDimensionOrder(w, false)
		}})
	return r
}

// runOwn runs a small spec with keys set.
func runOwn(t *testing.T, r *config.Registry, keys map[string]any) (metrics.Result, error) {
	t.Helper()
	s := specIn(t, r, keys)
	s.Machine.Dims, s.Workload.Jobs = []int{8, 8}, 40
	return configtest.Run(t.Context(), new(Simulator).Run, s, 0, nil)
}

// Registered things that copy built-in ones give the same results.
func TestOwnInOtherWords(t *testing.T) {
	r := ownRegistry()
	load := map[string]any{"workload.interarrival.mean": 10.0, "scheduler.decision": "mbs",
		"allocator": "mbs", "scheduler.policy": "easy"}
	want := must.Have(runOwn(t, r, load))
	for key, value := range map[string]string{"allocator": "as-mbs", "scheduler.policy": "as-easy",
		"scheduler.decision": "as-mbs", "machine.topology": "as-mesh", "network.routing": "as-xy"} {
		keys := maps.Clone(load)
		keys[key] = value
		got := must.Have(runOwn(t, r, keys))
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s = %s: %s", key, value, diff)
		}
	}
}

// A pattern of several lengths runs on an engine that is exact for them.
func TestOwnPatternOfOwnLengths(t *testing.T) {
	run := func(pattern, engine string) metrics.Result {
		return must.Have(runOwn(t, ownRegistry(), map[string]any{"job.pattern": pattern,
			"network.engine": engine}))
	}
	want, got := run("halves:flits=13:2+ring", "cycle"), run("halves:flits=13:2+ring", "auto")
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
	if cmp.Equal(want, run("halves:flits=12:2+ring", "auto"), cmpopts.EquateNaNs()) {
		t.Error("the parameter of the pattern changes nothing")
	}
	r := ownRegistry()
	r.Patterns[len(r.Patterns)-1].OwnLengths = false
	p := must.Panic(func() { runOwn(t, r, map[string]any{"job.pattern": "halves:flits=13"}) })
	if !strings.Contains(p, "halves: phase 0 has a message of 13 flits, not 8") {
		t.Errorf("a message of another length than was promised: %q", p)
	}
}

// hopless is a mesh that counts no hops.
type hopless struct{ topology.Grid }

// An allocator can see the type of a machine that is wrapped for its distances.
func TestOwnAllocatorSeesItsTopology(t *testing.T) {
	r := ownRegistry()
	r.Topologies[len(r.Topologies)-1].New = func(call.Values) (topology.Topology, error) {
		cube, err := topology.NewCube(topology.CubeConfig{Dims: []int{8, 8}})
		return hopless{cube}, err
	}
	seen := false
	r.Allocators[len(r.Allocators)-1].New = func(_ call.Values, s allocation.Site) (
		allocation.Allocator, error) {
		if _, is := s.Machine.(hopless); is {
			t.Error("the machine is not wrapped: the test shows nothing")
		}
		_, seen = topology.Unwrap(s.Machine).(hopless)
		return center.NewMedian("mm", s, "")
	}
	_, err := runOwn(t, r, map[string]any{"machine.topology": "as-mesh", "allocator": "as-mbs",
		"workload.processors": int64(5), "job.run": "fixed"})
	if err != nil || !seen {
		t.Errorf("seen is %v: %v", seen, err)
	}
}

// A New that returns neither a value nor an error is named.
func TestOwnNewReturnsNothing(t *testing.T) {
	r := ownRegistry()
	r.Allocators[len(r.Allocators)-1].New = func(call.Values, allocation.Site) (
		allocation.Allocator, error) {
		return nil, nil
	}
	r.Policies[len(r.Policies)-1].New = func(call.Values, config.PolicyRun) (
		scheduler.Policy, error) {
		return nil, nil
	}
	r.Patterns[len(r.Patterns)-1].New = func(call.Values, config.PatternJob) (
		patterns.Pattern, error) {
		return nil, nil
	}
	for key, value := range map[string]string{"allocator": "as-mbs", "scheduler.policy": "as-easy",
		"job.pattern": "halves"} {
		_, err := runOwn(t, r, map[string]any{key: value})
		if !contains(err, "its New returned nothing") || !contains(err, value) {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// An allocator that contradicts its registration is refused.
func TestOwnAllocatorContradictsItself(t *testing.T) {
	r := ownRegistry()
	r.Allocators[len(r.Allocators)-1].CountDecides = false
	_, err := runOwn(t, r, map[string]any{"allocator": "as-mbs"})
	if !contains(err, "set CountDecides in the registry too") {
		t.Error(err)
	}
}

// treeTasks returns the tasks of examples/exec-pattern/tree.py: each rank sums the vectors of its
// children 2r+1 and 2r+2, sends the sum to its parent and passes the result on.
func treeTasks(n int, length, time int64) *tasks.Graph {
	g := &tasks.Graph{Ranks: make([][]tasks.Task, n)}
	for r := range n {
		then := func(t tasks.Task) {
			if done := len(g.Ranks[r]); done > 0 {
				t.After = []int32{int32(done - 1)}
			}
			g.Ranks[r] = append(g.Ranks[r], t)
		}
		message := func(kind tasks.Kind, peer int, tag int32) tasks.Task {
			return tasks.Task{Kind: kind, Peer: patterns.Rank(peer), Tag: tag, Bytes: length}
		}
		for c := 2*r + 1; c <= 2*r+2 && c < n; c++ {
			then(message(tasks.Receive, c, 0))
			then(tasks.Task{Kind: tasks.Calc, Time: time})
		}
		if r > 0 {
			then(message(tasks.Send, (r-1)/2, 0))
			then(message(tasks.Receive, (r-1)/2, 1))
		}
		for c := 2*r + 1; c <= 2*r+2 && c < n; c++ {
			then(message(tasks.Send, c, 1))
		}
	}
	return g
}

// The patterns of examples/exec-pattern are the built-in near-neighbour and the same graph of
// tasks made in Go: every metric of a run and every job is the same to the last bit, in a queue,
// over time that is jumped over, with jobs of a log whose times alone are measured, beside runs of
// each job alone, and with records of who waits for whom.
func TestPatternsInPython(t *testing.T) {
	t.Parallel()
	registry := config.Builtin()
	t.Cleanup(registry.EndPrograms)
	for name, time := range map[string]int64{"tree": 40, "tree-in-no-time": 0} {
		registry.Patterns = append(registry.Patterns, config.Pattern{Name: name, Doc: "a tree",
			Tasks: func(_ call.Values, j config.PatternJob) (*tasks.Graph, error) {
				return treeTasks(j.Processes, 256, time), nil
			}})
	}
	halo := pythonCall(t, "exec-pattern/halo.py") + " 64"
	tree := pythonCall(t, "exec-pattern/tree.py") + " 256 "
	drawn := map[string]any{"machine.dims": []any{int64(8), int64(8)}, "workload.jobs": int64(30),
		"workload.interarrival.mean": 100.0}
	lublin := map[string]any{"machine.dims": []any{int64(4), int64(4)}, "workload.source": "lublin",
		"workload.jobs": int64(12), "job.quota.per_second": "auto"}
	with := func(keys map[string]any, more ...any) map[string]any {
		keys = maps.Clone(keys)
		for i := 0; i < len(more); i += 2 {
			keys[more[i].(string)] = more[i+1]
		}
		return keys
	}
	withWaits := metrics.Records{Jobs: true, Interference: true}
	phases := [2]string{"near-neighbour", halo}
	graphs, calibrated := [2]string{"tree", tree + "40"}, [2]string{"tree-in-no-time", tree + "0"}
	cycle := []any{"network.cycle", "1 ns"}
	for name, c := range map[string]struct {
		keys  map[string]any
		calls [2]string
		want  metrics.Records
	}{
		"queue":        {drawn, phases, withJobs},
		"compute":      {with(drawn, "job.compute_cycles", int64(30)), phases, withJobs},
		"jumps":        {with(drawn, "runs.fast_forward", 0.05), phases, withJobs},
		"alone":        {with(drawn, "runs.alone", true), phases, withJobs},
		"interference": {drawn, phases, withWaits},
		"calibrated":   {lublin, phases, withJobs},
		"shares":       {with(lublin, "job.communication_share", 0.4), phases, withJobs},
		"queue, tasks": {with(drawn, cycle...), graphs, withJobs},
		"alone, tasks": {with(drawn, append(cycle, "runs.alone", true)...), graphs, withJobs},
		"waits, tasks": {with(drawn, cycle...), graphs, withWaits},
		"timed, tasks": {lublin, calibrated, withJobs},
		"long messages": {with(drawn, append(cycle, "job.rendezvous_bytes", int64(64))...), graphs,
			withJobs},
	} {
		var results [2]map[string]float64
		var jobs [2]*Extra
		for i, pattern := range c.calls {
			keys := with(c.keys, "job.pattern", pattern)
			if pattern == "near-neighbour" {
				keys["job.cut"] = "iteration"
			}
			s := specIn(t, registry, keys)
			results[i], jobs[i] = rowsOf(t, s, c.want)
		}
		if d := cmp.Diff(results[0], results[1], cmpopts.EquateNaNs()); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		d := cmp.Diff(fmt.Sprint(jobs[0].Lines), fmt.Sprint(jobs[1].Lines)) +
			cmp.Diff(texts(jobs[0], metrics.InterferenceTable), texts(jobs[1], metrics.InterferenceTable)) +
			cmp.Diff(texts(jobs[0], metrics.PathTable), texts(jobs[1], metrics.PathTable))
		if d != "" || len(jobs[0].Lines) < 10 || results[0]["messages"] == 0 ||
			c.want.Interference && (len(texts(jobs[0], metrics.InterferenceTable)) == 0 ||
				len(texts(jobs[0], metrics.PathTable)) == 0) {
			t.Errorf("%s: %d jobs: %s", name, len(jobs[0].Lines), d)
		}
	}
}

// pythonCall returns the call of a program of the examples.
func pythonCall(t testing.TB, script string) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	return fmt.Sprintf("exec:%s %s", python, filepath.Join("..", "..", "examples", script))
}

// The examples in Python are the built-in First Fit and first come, first served: every metric of
// a run and every job is the same to the last bit.
func TestExamplesInPython(t *testing.T) {
	t.Parallel()
	firstFit := pythonCall(t, "exec-allocator/first_fit.py")
	fcfs := pythonCall(t, "exec-policy/fcfs.py")
	drawn := map[string]any{"machine.dims": []any{int64(16), int64(16)}, "workload.jobs": int64(150),
		"workload.interarrival.mean": 0.25, "job.pattern": "ring"}
	lublin := map[string]any{"machine.dims": []any{int64(16), int64(8)}, "workload.source": "lublin",
		"workload.jobs": int64(200), "job.run": "fixed"}
	for name, c := range map[string]struct {
		keys         map[string]any
		plain, other [3]string // policy, allocator, decision
	}{
		"shapes":        {drawn, [3]string{"fcfs", "first-fit"}, [3]string{"fcfs", firstFit}},
		"sizes":         {lublin, [3]string{"easy", "first-fit"}, [3]string{"easy", firstFit}},
		"queue":         {lublin, [3]string{"fcfs", "mbs"}, [3]string{fcfs, "mbs"}},
		"queue, shapes": {drawn, [3]string{"fcfs", "first-fit"}, [3]string{fcfs, "first-fit"}},
		"decision": {lublin, [3]string{"easy", "mbs", "first-fit"},
			[3]string{"easy", "mbs", firstFit}},
		"both": {drawn, [3]string{"fcfs", "first-fit"}, [3]string{fcfs, firstFit}},
	} {
		var results [2]map[string]float64
		var jobs [2]*Extra
		for i, parts := range [][3]string{c.plain, c.other} {
			keys := maps.Clone(c.keys)
			keys["scheduler.policy"], keys["allocator"], keys["scheduler.decision"] = parts[0], parts[1],
				parts[2]
			results[i], jobs[i] = rowsOf(t, specWith(t, keys), withJobs)
		}
		if d := cmp.Diff(results[0], results[1], cmpopts.EquateNaNs()); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		d := cmp.Diff(fmt.Sprint(jobs[0].Lines), fmt.Sprint(jobs[1].Lines))
		if d != "" || len(jobs[0].Lines) < 100 {
			t.Errorf("%s: %d jobs: %s", name, len(jobs[0].Lines), d)
		}
	}
}
