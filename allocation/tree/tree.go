// Package tree has the allocators that fill routers, groups of routers and subtrees, and those that
// take free processors in the order of their numbers or at random.
package tree

import (
	"fmt"

	"contend/allocation"
	"contend/router/topology"
)

// sequential gives a job the first free processors in node order, wherever they are:
// the non-contiguous policy of [Pascual et al. 2009, sec. 3] and "a flat vision of the
// network". It works on any machine and refuses only if too few processors are free.
type sequential struct{ nodes int }

// NewSequential returns sequential [Pascual et al. 2009, sec. 3].
func NewSequential(machine topology.Topology) *sequential { return &sequential{machine.Nodes()} }

// Check implements Allocator.
func (a *sequential) Check(req allocation.Request) error { return req.Check(a.nodes) }

// CountDecides implements Counting.
func (a *sequential) CountDecides() bool { return true }

// Allocate implements Allocator.
func (a *sequential) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	return free.AppendFirst(dst, 0, free.Nodes(), req.Size), true
}

// quasiContiguous places jobs in subtrees of a k-ary n-tree [Pascual et al. 2009, sec.
// 3], or of any fat tree. A job of size s has level l, the smallest whose subtrees have room
// for s nodes: k^l >= s in a k-ary tree. It gets the first free processors of the first
// subtree of that level that has s of them: the contiguous policy. If there is none, a share
// qct of its processes, in percent, may use one more level. The job then gets the free
// processors of a subtree of level l that lacks at most
//
//	ceil(qct/100 · s)                                     (Eq. 1)
//
// and the rest from that subtree's siblings. If no subtree has such siblings, the job
// waits. With qct = 0 this is the contiguous policy.
//
// The paper leaves open the choice of the subtrees. One level up it is the first
// suitable subtree here, as everywhere. Within it, it is the subtree with the most free
// processors, and among equals the first, because "we maintain the maximum possible
// number of nodes under switches belonging to the same level". Ranks are in node order,
// those of the siblings last.
//
// Shapes do not matter. Missing nodes count as busy.
type quasiContiguous struct {
	tree    *topology.FatTree
	percent int // qct
}

// NewContiguous returns the contiguous policy for a tree or a fat tree.
func NewContiguous(machine topology.Topology) (*quasiContiguous, error) {
	return NewQuasiContiguous("contiguous", machine, 0)
}

// NewQuasiContiguous returns the quasi-contiguous policy for a tree or a fat tree. percent is qct,
// from 0 to 100. Errors have the name.
func NewQuasiContiguous(name string, machine topology.Topology,
	percent int) (*quasiContiguous, error) {
	t, ok := topology.FatTreeOf(machine)
	if !ok {
		return nil, fmt.Errorf("allocator %s needs a tree or a fat-tree; this machine is neither", name)
	}
	return &quasiContiguous{t, percent}, nil
}

// Check implements Allocator.
func (a *quasiContiguous) Check(req allocation.Request) error { return req.Check(a.tree.Nodes()) }

// Allocate implements Allocator. It visits the subtrees of the job's level once, from
// the left, grouped by parent.
func (a *quasiContiguous) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	span, level := allocation.LevelOf(a.tree, req.Size)
	family := span // the nodes one level up
	if level < a.tree.Levels() {
		family = a.tree.Span(level)
	}
	minInside := req.Size - (a.percent*req.Size+99)/100 // processors under one subtree
	parent, main := -1, 0
	for above := 0; above < a.tree.Nodes(); above += family {
		all, maxFree, fullest := 0, 0, 0
		for from := above; from < above+family; from += span {
			n := free.CountIn(from, span)
			if n >= req.Size {
				return free.AppendFirst(dst, from, span, req.Size), true
			}
			if all += n; n > maxFree {
				maxFree, fullest = n, from
			}
		}
		if parent < 0 && all >= req.Size && maxFree >= minInside {
			parent, main = above, fullest
		}
	}
	if parent < 0 {
		return dst, false
	}
	start := len(dst)
	dst = free.AppendFirst(dst, main, span, req.Size)
	dst = free.AppendFirst(dst, parent, main-parent, req.Size-(len(dst)-start))
	return free.AppendFirst(dst, main+span, parent+family-main-span,
		req.Size-(len(dst)-start)), true
}
