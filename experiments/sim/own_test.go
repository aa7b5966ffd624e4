package sim

import (
	"maps"
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
		_, seen = config.Unwrap(s.Machine).(hopless)
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
