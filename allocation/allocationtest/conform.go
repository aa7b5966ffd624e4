package allocationtest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/internal/call"
	"contend/internal/must"
	"contend/router/topology"
)

// Conform checks the allocator that text, a call such as "paging:1", makes from entry e on a
// machine of at least 7 nodes:
//   - Check returns an error for exactly the requests that Allocate refuses on the empty machine.
//   - Requests of no or negative size, or of a shape of another size, panic.
//   - Decisions on random free sets pass Decide.
//   - What e declares (DecidesByCount, CountsTies, Draws) is so.
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

// checkTraits checks what e declares: DecidesByCount and CountsTies against the allocator, Draws by
// whether two random streams give different nodes. An entry that draws must panic without a stream.
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
