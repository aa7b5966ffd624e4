package allocationtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/internal/call"
	"contend/internal/must"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// Conform checks the allocator that text, a call such as "paging:1", makes from entry e on a
// machine of at least 7 nodes:
//   - Check returns an error for exactly the requests that Allocate refuses on the empty machine.
//   - Requests of no or negative size, or of a shape of another size, panic.
//   - Decisions on random free sets pass Decide.
//   - The declarations of e (DecidesByCount, CountsTies, Draws) are true.
//   - A refused request takes no random number.
func Conform(t *testing.T, e allocation.Entry, text string, machine topology.Topology) {
	t.Helper()
	table := []allocation.Entry{e}
	a := Make(t, table, text, machine)
	checkFeasibility(t, text, a, machine)
	for _, req := range []allocation.Request{{}, {Size: -1}, {Size: 7, Shape: []int{2, 3}}} {
		if must.Panic(func() { a.Allocate(nil, allocation.NewFreeSet(machine.Nodes()), req) }) == "" {
			t.Errorf("%s takes %v", text, req)
		}
	}
	checkDecisions(t, text, a, machine.Nodes())
	checkTraits(t, e, text, machine)
	checkRefusal(t, e, text, machine)
}

// checkFeasibility checks that Check returns an error for exactly those requests that Allocate
// refuses although all nodes are free. Requests have sizes, and shapes of one to three dimensions.
func checkFeasibility(t *testing.T, text string, a allocation.Allocator,
	machine topology.Topology) {
	t.Helper()
	dims := []int{4, (machine.Nodes() + 3) / 4}
	if grid, is := machine.(topology.Grid); is && len(grid.Dims()) > 1 {
		dims = grid.Dims()
	}
	all := append(Requests(dims...), allocation.Request{Size: 4, Shape: []int{2, 1, 2}},
		allocation.Request{Size: 4, Shape: []int{2, 1, 2, 1}},
		allocation.Request{Size: 1, Shape: []int{1}}, allocation.Request{Size: 3, Shape: []int{1, 3}})
	f := allocation.NewFreeSet(machine.Nodes())
	for _, req := range all {
		_, ok := a.Allocate(nil, f, req)
		if err := a.Check(req); ok != (err == nil) {
			t.Errorf("%s on %T of %d, %v: placed %v, Check says %v", text, machine, f.Nodes(), req, ok, err)
		}
	}
}

// checkDecisions checks with Decide 60 requests of random size, each on a random free set.
func checkDecisions(t *testing.T, text string, a allocation.Allocator, nodes int) {
	t.Helper()
	stream := rand.New(rand.NewPCG(4, 4))
	for range 60 {
		free, f := Dense(stream, nodes, stream.Float64())
		Decide(t, text, a, free, f, allocation.Request{Size: 1 + stream.IntN(nodes)})
	}
}

// CheckMemory checks that decisions allocate no memory once buffers have grown.
func CheckMemory(t *testing.T, text string, a allocation.Allocator, nodes int) {
	t.Helper()
	_, f := Dense(rand.New(rand.NewPCG(5, 4)), nodes, 0.8)
	dst := make([]topology.Node, 0, nodes)
	for _, req := range []allocation.Request{{Size: nodes / 4}, {Size: 4, Shape: []int{2, 2}},
		{Size: nodes / 2}} {
		if n := testing.AllocsPerRun(5, func() { a.Allocate(dst, f, req) }); n != 0 {
			t.Errorf("%s on %d nodes, %v: %v allocations a decision", text, nodes, req, n)
		}
	}
}

// checkTraits checks the declarations of e: DecidesByCount and CountsTies against the allocator,
// and Draws by comparing the nodes of two random streams. An entry that draws must panic without a
// stream.
func checkTraits(t *testing.T, e allocation.Entry, text string, machine topology.Topology) {
	t.Helper()
	v, err := call.Parse(text, e.Parameters)
	if err != nil {
		t.Fatal(err)
	}
	a := Make(t, []allocation.Entry{e}, text, machine)
	if got := allocation.CountDecides(a); got != e.DecidesByCount(v) {
		t.Errorf("%s: count decides: %v, by its entry %v", text, got, !got)
	}
	if _, ok := a.(allocation.TieCounter); ok != e.CountsTies {
		t.Errorf("%s counts ties: %v, by its entry %v", text, ok, !ok)
	}
	var places [2][]topology.Node
	for i := range places {
		site := allocation.Site{Machine: machine, Stream: rand.New(rand.NewPCG(uint64(i), 7))}
		a := must.Have(allocation.Named([]allocation.Entry{e}, text, site))
		for range 8 { // one draw may be of two groups
			places[i], _ = a.Allocate(places[i], allocation.NewFreeSet(machine.Nodes()),
				allocation.Request{Size: 7})
		}
	}
	if draws := !slices.Equal(places[0], places[1]); draws != e.Draws {
		t.Errorf("%s draws: %v, by its entry %v", text, draws, e.Draws)
	}
	site := allocation.Site{Machine: machine}
	if e.Draws && must.Panic(func() { allocation.Named([]allocation.Entry{e}, text, site) }) == "" {
		t.Errorf("%s was made without a stream", text)
	}
}

// checkRefusal asks for two processors while one node is free, and checks that the allocator
// refuses and takes no number from its random stream.
func checkRefusal(t *testing.T, e allocation.Entry, text string, machine topology.Topology) {
	t.Helper()
	stream, fresh := rand.New(rand.NewPCG(5, 5)), rand.New(rand.NewPCG(5, 5))
	site := allocation.Site{Machine: machine, Stream: stream}
	a := must.Have(allocation.Named([]allocation.Entry{e}, text, site))
	f := allocation.NewFreeSet(machine.Nodes())
	f.Take(f.AppendTo(nil)[1:])
	if _, ok := a.Allocate(nil, f, allocation.Request{Size: 2}); ok {
		t.Errorf("%s places 2 processors on one node", text)
	}
	if stream.Uint64() != fresh.Uint64() {
		t.Errorf("%s takes random numbers for a job that has to wait", text)
	}
}

// Decide calls an allocator, and checks the contract of all allocators.
func Decide(t rapid.TB, where string, a allocation.Allocator, free []bool, f *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	t.Helper()
	wrong := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s: %v of free %v: %s", where, req, free, fmt.Sprintf(format, args...))
	}
	before, prefix := slices.Clone(f.Words()), []topology.Node{-7, -8}
	got, ok := a.Allocate(prefix, f, req)
	if !slices.Equal(got[:2], prefix) || !slices.Equal(before, f.Words()) {
		wrong("changed what it was given")
	}
	got = got[2:]
	if !ok && len(got) != 0 || ok && len(got) < req.Size {
		wrong("%v with nodes %v", ok, got)
	}
	seen := make([]bool, len(free))
	for _, n := range got {
		if seen[n] || !free[n] {
			wrong("node %d twice or not free", n)
		}
		seen[n] = true
	}
	if enough := req.Size <= f.Count(); allocation.CountDecides(a) && (ok != enough || ok &&
		len(got) != req.Size) {
		wrong("placed %v on %d nodes with %d free", ok, len(got), f.Count())
	}
	if ok && a.Check(req) != nil {
		wrong("placed what Check refuses: %v", a.Check(req))
	}
	return got, ok
}

// Compare is Decide that also compares the decision with that of a plain form of the allocator.
func Compare(t rapid.TB, where string, a allocation.Allocator, free []bool, f *allocation.FreeSet,
	req allocation.Request, want []topology.Node, placed bool) {
	t.Helper()
	if got, ok := Decide(t, where, a, free, f, req); ok != placed || ok && !slices.Equal(got, want) {
		t.Fatalf("%s: %v of free %v:\n got %v %v\nwant %v %v", where, req, free, got, ok, want, placed)
	}
}

// Against compares an allocator with a plain form of it on drawn free sets. If the number of free
// nodes decides, requests have at most that size.
func Against(t *testing.T, where string, a allocation.Allocator, draw func(*rapid.T) []bool,
	plain func(free []bool, size int) ([]topology.Node, bool)) {
	t.Run(where, rapid.MakeCheck(func(rt *rapid.T) {
		free := draw(rt)
		f, size := FreeSet(free), rapid.IntRange(1, len(free)).Draw(rt, "size")
		want, placed := []topology.Node(nil), false
		if size <= f.Count() || !allocation.CountDecides(a) {
			want, placed = plain(free, size)
		}
		Compare(rt, where, a, free, f, allocation.Request{Size: size}, want, placed)
	}))
}

// Alike compares two implementations that must find the same nodes and count the same ties.
func Alike(t *testing.T, where string, a, b allocation.Allocator, draw func(*rapid.T) []bool) {
	ties := [2]allocation.TieCounter{a.(allocation.TieCounter), b.(allocation.TieCounter)}
	for _, k := range ties {
		k.CountTies(true)
	}
	t.Run(where, rapid.MakeCheck(func(rt *rapid.T) {
		free := draw(rt)
		f := FreeSet(free)
		req := allocation.Request{Size: rapid.IntRange(1, len(free)).Draw(rt, "size")}
		want, placed := b.Allocate(nil, f, req)
		Compare(rt, where, a, free, f, req, want, placed)
		if n, m := ties[0].Ties(), ties[1].Ties(); placed && n != m {
			rt.Fatalf("%s: %v of free %v: %d ties, else %d", where, req, free, n, m)
		}
	}))
}

// PairsApart adds up the distances of all pairs.
func PairsApart(m topology.Topology, nodes []topology.Node) (sum int) {
	for i, a := range nodes {
		for _, b := range nodes[:i] {
			sum += m.(topology.Metric).Distance(a, b)
		}
	}
	return sum
}

// RunningJobs are the jobs on a machine in a test. free and set always agree.
type RunningJobs struct {
	Free []bool
	Set  *allocation.FreeSet
	Jobs [][]topology.Node
}

// NewRunningJobs returns an empty machine.
func NewRunningJobs(nodes int) *RunningJobs {
	return &RunningJobs{slices.Repeat([]bool{true}, nodes), allocation.NewFreeSet(nodes), nil}
}

// Start takes the nodes of a job.
func (r *RunningJobs) Start(nodes []topology.Node) {
	r.Set.Take(nodes)
	for _, n := range nodes {
		r.Free[n] = false
	}
	r.Jobs = append(r.Jobs, nodes)
}

// Finish ends the i-th job.
func (r *RunningJobs) Finish(i int) {
	r.Set.Release(r.Jobs[i])
	for _, n := range r.Jobs[i] {
		r.Free[n] = true
	}
	r.Jobs = slices.Delete(r.Jobs, i, i+1)
}

// MinPairSum returns the least sum of distances of size nodes of a list, by trying all sets.
func MinPairSum(distance func(a, b topology.Node) int, list []topology.Node, size int) int {
	minSum := 1 << 30
	var try func(from int, taken []topology.Node, sum int)
	try = func(from int, taken []topology.Node, sum int) {
		if len(taken) == size {
			minSum = min(minSum, sum)
			return
		}
		for i := from; i < len(list) && sum < minSum; i++ {
			with := sum
			for _, n := range taken {
				with += distance(n, list[i])
			}
			try(i+1, append(taken, list[i]), with)
		}
	}
	try(0, nil, 0)
	return minSum
}

// Make returns the allocator of a call from a table, drawing with a fixed seed.
func Make(t testing.TB, table []allocation.Entry, text string,
	machine topology.Topology) allocation.Allocator {
	t.Helper()
	return must.Have(allocation.Named(table, text, site(machine)))
}

// site returns the site of a machine, with a stream of a fixed seed.
func site(machine topology.Topology) allocation.Site {
	return allocation.Site{Machine: machine, Stream: rand.New(rand.NewPCG(1, 2))}
}

// CheckIsolated lets jobs of 1 to maxSize processors come and go, and checks that no link is on
// paths of two jobs. Reserved nodes send nothing. It returns the number of jobs that ran together.
func CheckIsolated(t *testing.T, short string, a allocation.Allocator, w *router.Wiring,
	x router.Routing, maxSize int) (together int) {
	t.Helper()
	running, stream := NewRunningJobs(w.Topology.Nodes()), rand.New(rand.NewPCG(3, 3))
	foot := deadlock.NewFootprint(w, x)
	owners := map[router.Link]int{}
	var jobs []int // numbers of the running jobs
	for job := 1; job <= 150; job++ {
		size := 1 + stream.IntN(maxSize)
		nodes, ok := a.Allocate(nil, running.Set, allocation.Request{Size: size})
		for i := 0; !ok || len(jobs) > 12; ok, i = true, i+1 {
			if len(jobs) == 0 {
				t.Fatalf("%s: no room for %d processors on an empty machine", short, size)
			}
			at := stream.IntN(len(jobs))
			for l, owner := range owners {
				if owner == jobs[at] {
					delete(owners, l)
				}
			}
			running.Finish(at)
			jobs = slices.Delete(jobs, at, at+1)
		}
		if nodes, ok = a.Allocate(nil, running.Set, allocation.Request{Size: size}); !ok {
			continue
		}
		running.Start(nodes)
		jobs = append(jobs, job)
		together = max(together, len(jobs))
		for _, from := range nodes[:size] {
			for _, to := range nodes[:size] {
				if from == to {
					continue
				}
				foot.Links(from, to, func(l router.Link) {
					if other := owners[l]; other != 0 && other != job {
						t.Fatalf("%s: packets of two jobs use %v; one has the nodes %v", short, l, nodes)
					}
					owners[l] = job
				})
			}
		}
	}
	return together
}

// Rounds returns the number of draws of a test: long with the build tag long, otherwise short.
func Rounds(long, short int) int {
	if Long {
		return long
	}
	return short
}
