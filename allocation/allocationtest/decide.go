package allocationtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/internal/must"
	"contend/router/topology"
)

// Decide asks an allocator, and checks what all allocators promise.
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

// Compare compares a decision with that of a plain form of the allocator, too.
func Compare(t rapid.TB, where string, a allocation.Allocator, free []bool, f *allocation.FreeSet,
	req allocation.Request, want []topology.Node, placed bool) {
	t.Helper()
	if got, ok := Decide(t, where, a, free, f, req); ok != placed || ok && !slices.Equal(got, want) {
		t.Fatalf("%s: %v of free %v:\n got %v %v\nwant %v %v", where, req, free, got, ok, want, placed)
	}
}

// Against compares an allocator with a plain form of it on drawn free sets. The plain form is
// asked for no more nodes than are free if their number decides.
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

// Alike compares two allocators that find the same nodes and count the same ties in two ways.
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
