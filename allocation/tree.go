package allocation

import (
	"fmt"
	"math/bits"

	"contend/netsim/topology"
)

// sequential gives a job the first free processors in node order, wherever they are:
// the non-contiguous policy of [Pascual et al. 2009, sec. 3] and "a flat vision of the
// network". It works on any machine and refuses only if too few processors are free.
type sequential struct{ nodes int }

func newSequential(machine topology.Topology) *sequential { return &sequential{machine.Nodes()} }

// Check implements Allocator.
func (a *sequential) Check(req Request) error { return req.check(a.nodes) }

// Allocate implements Allocator.
func (a *sequential) Allocate(dst []topology.Node, free *FreeSet,
	req Request) ([]topology.Node, bool) {
	req.mustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	return free.appendFirst(dst, 0, free.Nodes(), req.Size), true
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
	percent int
}

// newContiguous returns the contiguous policy for a tree or a fat tree.
func newContiguous(machine topology.Topology) (*quasiContiguous, error) {
	return newTreeAllocator("contiguous", machine, 0)
}

// newQuasiContiguous returns the quasi-contiguous policy for a tree or a fat
// tree. percent is qct, from 0 to 100.
func newQuasiContiguous(machine topology.Topology, percent int) (*quasiContiguous, error) {
	if percent < 0 || percent > 100 {
		return nil,
			fmt.Errorf("allocator quasi-contiguous: %d percent of a job; it must be 0 to 100", percent)
	}
	return newTreeAllocator("quasi-contiguous", machine, percent)
}

func newTreeAllocator(name string, machine topology.Topology,
	percent int) (*quasiContiguous, error) {
	t, ok := topology.FatTreeOf(machine)
	if !ok {
		return nil, fmt.Errorf("allocator %s needs a tree or a fat-tree; this machine is neither", name)
	}
	return &quasiContiguous{t, percent}, nil
}

// Check implements Allocator.
func (a *quasiContiguous) Check(req Request) error { return req.check(a.tree.Nodes()) }

// Allocate implements Allocator. It visits the subtrees of the job's level once, from
// the left, grouped by parent.
func (a *quasiContiguous) Allocate(dst []topology.Node, free *FreeSet,
	req Request) ([]topology.Node, bool) {
	req.mustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	span, level := levelOf(a.tree, req.Size)
	family := span // the nodes one level up
	if level < a.tree.Levels() {
		family = a.tree.Span(level)
	}
	least := req.Size - (a.percent*req.Size+99)/100 // processors under one subtree
	parent, main := -1, 0
	for above := 0; above < a.tree.Nodes(); above += family {
		all, most, fullest := 0, 0, 0
		for from := above; from < above+family; from += span {
			n := free.countIn(from, span)
			if n >= req.Size {
				return free.appendFirst(dst, from, span, req.Size), true
			}
			if all += n; n > most {
				most, fullest = n, from
			}
		}
		if parent < 0 && all >= req.Size && most >= least {
			parent, main = above, fullest
		}
	}
	if parent < 0 {
		return dst, false
	}
	start := len(dst)
	dst = free.appendFirst(dst, main, span, req.Size)
	dst = free.appendFirst(dst, parent, main-parent, req.Size-(len(dst)-start))
	return free.appendFirst(dst, main+span, parent+family-main-span,
		req.Size-(len(dst)-start)), true
}

// levelOf returns the level of a job of the given size, the smallest whose subtrees have room
// for it, and that room. A subtree of level 0 is a node, one of level 1 those of a router.
func levelOf(tree *topology.FatTree, size int) (span, level int) {
	for span = 1; span < size; level++ {
		span = tree.Span(level)
	}
	return span, level
}

// countIn returns the number of free nodes among the n from first on. Nodes beyond the
// machine are not free.
func (f *FreeSet) countIn(first, n int) int {
	count, end := 0, min(first+n, f.nodes)
	for from := first; from < end; from += 64 {
		count += bits.OnesCount64(f.window(from, min(64, end-from)))
	}
	return count
}

// appendFirst appends the first free nodes, at most most of them, among the n from
// first on.
func (f *FreeSet) appendFirst(dst []topology.Node, first, n, most int) []topology.Node {
	end := min(first+n, f.nodes)
	for from := first; from < end && most > 0; from += 64 {
		for word := f.window(from, min(64, end-from)); word != 0 && most > 0; word &= word - 1 {
			dst = append(dst, topology.Node(from+bits.TrailingZeros64(word)))
			most--
		}
	}
	return dst
}
