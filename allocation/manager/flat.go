package manager

import (
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// slurmFlat is Slurm's choice of whole nodes without a topology (topology/flat, before 23.11 none),
// compared with slurmctld 22.05. Free nodes form runs of consecutive numbers. As long as a job needs
// nodes, it takes them from the smallest run that has enough, from its first node on, or all nodes
// of the largest run. Of equal runs it takes the first.
type slurmFlat struct {
	nodes int
	runs  []run
}

// run is an interval of free nodes.
type run struct{ first, length int }

// NewSlurmFlat returns slurm-flat for any machine.
func NewSlurmFlat(machine topology.Topology) (*slurmFlat, error) {
	return &slurmFlat{nodes: machine.Nodes()}, nil
}

// Check implements allocation.Allocator.
func (a *slurmFlat) Check(req allocation.Request) error { return req.Check(a.nodes) }

// CountDecides implements allocation.Counting.
func (a *slurmFlat) CountDecides() bool { return true }

// Allocate implements allocation.Allocator.
func (a *slurmFlat) Allocate(
	dst []topology.Node, free *allocation.FreeSet, req allocation.Request,
) ([]topology.Node, bool) {
	req.MustMakeSense()
	if free.Count() < req.Size {
		return dst, false
	}
	a.runs = a.runs[:0]
	for n, ok := free.Next(0); ok; n, ok = free.Next(n + 1) {
		if last := len(a.runs) - 1; last >= 0 && a.runs[last].first+a.runs[last].length == int(n) {
			a.runs[last].length++
		} else {
			a.runs = append(a.runs, run{int(n), 1})
		}
	}
	before := len(dst)
	for need := req.Size; need > 0; {
		best := &a.runs[0]
		for i := range a.runs {
			k := &a.runs[i]
			if fits := k.length >= need; fits && (best.length < need || k.length < best.length) ||
				!fits && best.length < need && k.length > best.length {
				best = k
			}
		}
		for i := range min(need, best.length) {
			dst = append(dst, topology.Node(best.first+i))
		}
		need -= min(need, best.length)
		best.length = 0
	}
	slices.Sort(dst[before:])
	return dst, true
}
