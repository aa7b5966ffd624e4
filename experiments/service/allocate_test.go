package service

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
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

// Requests for nodes that make no sense are errors with the id, and change nothing.
func TestRefusedAllocations(t *testing.T) {
	v, _ := allocating(t, "mesh:4x4", "first-fit")
	answered[reply](t, v, `{"allocate":"held","size":2}`)
	for _, c := range []struct{ line, want string }{
		{`{"free":[1,2,1],"size":1}`, "free has node 1: give nodes of 0 to 15, each once"},
		{`{"free":[16],"size":1}`, "free has node 16: give"},
		{`{"free":[-1],"size":1}`, "free has node -1: give"},
		{`{"free":[1.5],"size":1}`, "free is [1.5]: give a list of nodes"},
		{`{"free":[1],"size":"4"}`, `size is "4": give a number of nodes`},
		{`{"free":[1]}`, "the job asks for 0 processors; a job needs"},
		{`{"free":[1],"size":17}`, "asks for 17 processors; the machine has 16"},
		{`{"free":[1],"size":3,"shape":[2,2]}`, "asks for 3 processors in a submesh of 2x2"},
		{`{"free":[1],"size":1,"shape":[7,7905747460161236407]}`, "the machine has 16"},
		{`{"free":[],"size":5,"shape":[5,1]}`,
			"asks for 5x1 processors; the 4x4 mesh has no such"},
		{`{"allocate":"h\u0065ld","size":1}`, `the job "held" has its nodes already: end it`},
		{`{"start":"held","nodes":[5]}`, `the job "held" has its nodes already: leave`},
		{`{"machine":{"nodes":64}}`, "the machine has 64 nodes, and this one 16"},
	} {
		got, good := v.Answer([]byte(`{"id":5,`+c.line[1:]), 3)
		var a struct{ Error string }
		if err := json.Unmarshal(got, &a); err != nil || good || !strings.Contains(a.Error, c.want) ||
			!strings.HasPrefix(string(got), `{"id":5,"line":3,`) {
			t.Errorf("%s: got %s, want %s", c.line, got, c.want)
		}
	}
	if n := v.state.free.Count(); n != 14 {
		t.Errorf("%d nodes are free", n)
	}
	plain, _ := serviceOf(t, config.Builtin())
	if got, _ := plain.Answer([]byte(`{"free":[1],"size":1}`), 1); !strings.Contains(string(got),
		"this machine has no allocator: start contend network with --allocator NAME") {
		t.Errorf("without an allocator: %s", got)
	}
}

// The state of an allocator is part of a saved state: the loaded one behaves as the saved one.
func TestSavedAllocations(t *testing.T) {
	folder := folderOf(t)
	var want string
	for i := range 2 {
		v, _ := allocating(t, "mesh:4x4", "random")
		v.Files = folder
		if i == 0 {
			answered[reply](t, v, `{"allocate":"a","size":3}`)
			answered[reply](t, v, `{"free":[4,6,8],"size":2}`)
			answered[reply](t, v, `{"start":"a","cycles":10}`)
			answered[reply](t, v, `{"allocate":"b","size":3}`)
			answered[reply](t, v, `{"save":"state"}`)
		} else {
			answered[reply](t, v, `{"load":"state"}`)
		}
		text := ""
		for _, line := range []string{`{"allocate":"c","size":4}`, `{"end":"b"}`,
			`{"allocate":"d","size":5}`, `{"status":true}`} {
			answer, good := v.Answer([]byte(line), 1)
			if !good {
				t.Fatalf("%s: %s", line, answer)
			}
			text += fmt.Sprintf("%s\n", answer)
		}
		if i == 1 && text != want {
			t.Errorf("it goes on as\n%s\nwant\n%s", text, want)
		}
		want = text
	}
}
