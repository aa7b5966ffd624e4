package allocationtest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/internal/must"
	"contend/netsim/topology"
)

// Decide asks an allocator, and checks what all allocators promise.
func Decide(t rapid.TB, where string, a allocation.Allocator, free []bool,
	size int) ([]topology.Node, bool) {
	t.Helper()
	f, prefix := FreeSet(free), []topology.Node{-7, -8}
	before := slices.Clone(f.Words())
	got, ok := a.Allocate(prefix, f, allocation.Request{Size: size})
	if !slices.Equal(got[:2], prefix) || !slices.Equal(before, f.Words()) {
		t.Fatalf("%s: changed what it was given", where)
	}
	got = got[2:]
	if !ok && len(got) != 0 || ok && len(got) < size {
		t.Fatalf("%s: %v with nodes %v for %d", where, ok, got, size)
	}
	seen := map[topology.Node]bool{}
	for _, n := range got {
		if seen[n] || !free[n] {
			t.Fatalf("%s: node %d twice or not free", where, n)
		}
		seen[n] = true
	}
	if enough := size <= f.Count(); allocation.CountDecides(a) && (ok != enough || ok &&
		len(got) != size) {
		t.Fatalf("%s: placed %v on %d nodes for %d with %d free", where, ok, len(got), size, f.Count())
	}
	if ok && a.Check(allocation.Request{Size: size}) != nil {
		t.Fatalf("%s: placed what Check refuses: %v", where, a.Check(allocation.Request{Size: size}))
	}
	return got, ok
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

// FinishHalf ends random jobs until half of the machine is free.
func (r *RunningJobs) FinishHalf(stream *rand.Rand) *allocation.FreeSet {
	for 2*r.Set.Count() < r.Set.Nodes() {
		r.Finish(stream.IntN(len(r.Jobs)))
	}
	return r.Set
}

// LeastApart returns the least sum of distances of any so many nodes of a list, by trying all.
func LeastApart(distance func(a, b topology.Node) int, list []topology.Node, size int) int {
	least := 1 << 30
	var try func(from int, taken []topology.Node, sum int)
	try = func(from int, taken []topology.Node, sum int) {
		if len(taken) == size {
			least = min(least, sum)
			return
		}
		for i := from; i < len(list) && sum < least; i++ {
			with := sum
			for _, n := range taken {
				with += distance(n, list[i])
			}
			try(i+1, append(taken, list[i]), with)
		}
	}
	try(0, nil, 0)
	return least
}

// NewMeterOf returns a meter for a machine.
func NewMeterOf(t testing.TB, machine topology.Topology) *allocation.Meter {
	t.Helper()
	return must.Have(allocation.NewMeter(machine))
}

// NewTreeMeterOf returns a meter for a tree or a fat tree.
func NewTreeMeterOf(t testing.TB, machine topology.Topology) *allocation.TreeMeter {
	t.Helper()
	return must.Have(allocation.NewTreeMeter(machine))
}
