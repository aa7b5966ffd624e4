package service

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/experiments/config"
	"contend/experiments/service/external"
	"contend/experiments/sim"
	"contend/internal/must"
	"contend/router/topology"
)

// allocating returns the service of an allocator, and its spec.
func allocating(t testing.TB, machine, allocator string) (*Service, config.Spec) {
	t.Helper()
	_, base := serviceOf(t, config.Builtin(), "machine.topology", machine)
	call, bad := config.Builtin().CanonicalAllocator(allocator)
	if bad != nil {
		t.Fatal(bad)
	}
	return must.Have(New(new(sim.Simulator), Config{Base: base, Allocator: call,
		Names: config.Builtin()})), base
}

// What is free is random; the nodes must be those that the allocator gives when called directly,
// and the sum of their distances that added up pair by pair.
func TestAnswersAreTheAllocators(t *testing.T) {
	for _, c := range []struct{ machine, allocator string }{
		{"mesh:8x8", "best-fit-1d:hilbert"}, {"mesh:8x8", "paging:1"}, {"mesh:8x8", "first-fit:rotate"},
		{"torus:6x5x4", "gen-alg"}, {"hypercube:6", "sequential"}, {"tree:4x3", "isolated"},
		{"dragonfly:a4h2p2g9", "by-group"}, {"hyperx:4x4:p2", "subcube"},
	} {
		v, base := allocating(t, c.machine, c.allocator)
		m := must.Have(config.NewMachine(&base.Machine))
		direct := must.Have(config.Builtin().NewAllocator(c.allocator, allocation.Site{Machine: m}))
		r := rand.New(rand.NewPCG(1, 2))
		refusals := 0
		for range 200 {
			free := allocation.NewFreeSet(m.Nodes())
			for n := range topology.Node(m.Nodes()) {
				if r.IntN(3) == 0 {
					free.Take([]topology.Node{n})
				}
			}
			list := free.AppendTo(nil)
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			size := 1 + r.IntN(m.Nodes())
			want, placed := direct.Allocate(nil, free, allocation.Request{Size: size})
			got := answered[external.Placement](t, v, `{"free":%s,"size":%d}`,
				must.Have(json.Marshal(list)), size)
			if placed != (got.Refused == "") || !slices.Equal(append(got.Nodes, got.Reserved...), want) {
				t.Fatalf("%v: %d of %v: got %+v, want %v", c, size, list, got, want)
			}
			if !placed {
				refusals++
			} else if sum := pairSum(m, want[:size]); got.Measures["sum_pairwise_distance"] != sum {
				t.Fatalf("%v: %+v, want a sum of distances of %v", c, got, sum)
			}
		}
		if refusals == 0 || refusals == 200 {
			t.Errorf("%v: %d of 200 requests were refused", c, refusals)
		}
	}
}

// pairSum returns the sum of the distances of all pairs of nodes.
func pairSum(m config.Machine, nodes []topology.Node) (sum float64) {
	for i, a := range nodes {
		for _, b := range nodes[:i] {
			sum += float64(m.Distance(a, b))
		}
	}
	return sum
}

// Jobs keep the nodes that they were allocated until they end, whether they have started or not.
// They are held against a map of who has what, in which every node may stand once.
func TestAllocatedJobs(t *testing.T) {
	v, _ := allocating(t, "mesh:8x8", "paging:1")
	r := rand.New(rand.NewPCG(3, 4))
	owner, refused, started := map[topology.Node]int{}, 0, 0
	var jobs []int
	for job := range 1000 {
		if i := r.IntN(len(jobs) + 1); r.IntN(2) == 0 && i < len(jobs) {
			if r.IntN(2) == 0 {
				answered[reply](t, v, `{"start":%d,"cycles":100}`, jobs[i])
				started++
			}
			answered[reply](t, v, `{"end":%d}`, jobs[i])
			for n, of := range owner {
				if of == jobs[i] {
					delete(owner, n)
				}
			}
			jobs = slices.Delete(jobs, i, i+1)
			continue
		}
		p := answered[external.Placement](t, v, `{"allocate":%d,"size":%d}`, job, 1+r.IntN(24))
		if p.Refused != "" {
			refused++
			continue
		}
		for _, n := range append(p.Nodes, p.Reserved...) {
			if of, taken := owner[n]; taken {
				t.Fatalf("job %d gets node %d, which job %d has", job, n, of)
			}
			owner[n] = job
		}
		if jobs = append(jobs, job); v.state.free.Count() != 64-len(owner) {
			t.Fatalf("job %d: %d nodes are free, want %d", job, v.state.free.Count(), 64-len(owner))
		}
	}
	if refused == 0 || started == 0 {
		t.Errorf("%d refusals, %d jobs started: too easy", refused, started)
	}
}

// A job runs on the nodes that it was allocated, without those that are only reserved. Spans are
// along the order of the study.
func TestStartOfAllocated(t *testing.T) {
	_, base := serviceOf(t, config.Builtin(), "machine.dims", []any{int64(4), int64(4)},
		"runs.span_order", "hilbert")
	v := must.Have(New(new(sim.Simulator), Config{Base: base, Allocator: "paging:1",
		Names: config.Builtin()}))
	p := answered[external.Placement](t, v, `{"allocate":"a","size":3}`)
	if len(p.Reserved) != 1 || p.Measures["span_linear"] != 4 {
		t.Errorf("%+v", p)
	}
	answered[reply](t, v, `{"start":"a","pattern":"ring","iterations":4}`)
	if a := answered[reply](t, v, `{"advance":"next"}`); a.Ended[0].Messages != 12 ||
		v.state.free.Count() != 16 {
		t.Errorf("%+v, and %d nodes are free", a, v.state.free.Count())
	}
}
