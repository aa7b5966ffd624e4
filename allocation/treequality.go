package allocation

import (
	"fmt"

	"contend/router/topology"
)

// TreeQuality describes how compact a set of nodes of a k-ary n-tree or another fat tree is.
// Levels are those of [Pascual et al. 2009, sec. 3]: a single node has level 0, and the nodes
// of one router form level 1. In a k-ary tree a subtree of level l has room for k^l nodes.
type TreeQuality struct {
	// Processors is the number of nodes measured, at least 1.
	Processors int
	// JobLevel is the level that this many nodes need, at least 0: the smallest one
	// whose subtrees have room for as many.
	JobLevel int
	// Level is the level of the smallest subtree that contains all nodes, at least
	// JobLevel. It is JobLevel if the allocation is contiguous.
	Level int
	// Away is the number of nodes outside of the subtree of JobLevel that has most of
	// them. It is 0 if the allocation is contiguous, and at most ceil(qct/100 · size)
	// if it is quasi-contiguous.
	Away int
	// PairwiseSum is the sum of the distances of all pairs of nodes, each pair once, in
	// network channels. It is 0 for nodes of one router.
	PairwiseSum int64
	// PairwiseMean is the mean over those pairs in network channels, or 0 for a single
	// node.
	PairwiseMean float64
}

// TreeMeter measures allocations on one tree. It keeps working memory, so it belongs to
// one simulation.
type TreeMeter struct {
	tree *topology.FatTree
	// counts[l] holds the number of measured nodes in each subtree of level l+1. All
	// are 0 between two measurements.
	counts [][]int32
}

// NewTreeMeter returns a meter for a tree or a fat tree.
func NewTreeMeter(machine topology.Topology) (*TreeMeter, error) {
	tree, ok := topology.FatTreeOf(machine)
	if !ok {
		return nil, fmt.Errorf("the levels of allocations are defined on trees")
	}
	m := &TreeMeter{tree: tree}
	for l := range tree.Levels() {
		m.counts = append(m.counts, make([]int32, (tree.Nodes()-1)/tree.Span(l)+1))
	}
	return m, nil
}

// Measure measures a nonempty set of distinct nodes in any order. The time is
// proportional to their number and to the levels of the tree.
func (m *TreeMeter) Measure(nodes []topology.Node) TreeQuality {
	if len(nodes) == 0 {
		panic("allocation: quality of no nodes")
	}
	q := TreeQuality{Processors: len(nodes)}
	_, q.JobLevel = LevelOf(m.tree, len(nodes))
	total := int64(len(nodes)) * int64(len(nodes)-1) / 2
	maxCount := int32(1)
	for _, n := range nodes {
		at := int(n)
		for l, counts := range m.counts {
			at /= m.tree.Children(l)
			// The distance of two nodes is twice the number of levels on which they are
			// in different subtrees.
			q.PairwiseSum -= 2 * int64(counts[at])
			counts[at]++
			if l+1 == q.JobLevel {
				maxCount = max(maxCount, counts[at])
			}
		}
	}
	q.PairwiseSum += 2 * total * int64(len(m.counts))
	q.Away = len(nodes) - int(maxCount)
	q.Level = m.level(nodes)
	if total > 0 {
		q.PairwiseMean = float64(q.PairwiseSum) / float64(total)
	}
	m.forget(nodes)
	return q
}

// Sum returns the sum of the distances of all pairs of nodes.
func (m *TreeMeter) Sum(nodes []topology.Node) int64 { return m.Measure(nodes).PairwiseSum }

// level returns the lowest level with a subtree that contains all nodes counted.
func (m *TreeMeter) level(nodes []topology.Node) int {
	if len(nodes) == 1 {
		return 0
	}
	at, l := int(nodes[0])/m.tree.Children(0), 0
	for int(m.counts[l][at]) < len(nodes) {
		l++
		at /= m.tree.Children(l)
	}
	return l + 1
}

// forget sets all counts back to 0.
func (m *TreeMeter) forget(nodes []topology.Node) {
	for _, n := range nodes {
		at := int(n)
		for l, counts := range m.counts {
			at /= m.tree.Children(l)
			counts[at] = 0
		}
	}
}

// LevelOf returns the level of a job of the given size, the smallest whose subtrees have room
// for it, and that room. A subtree of level 0 is a node, one of level 1 those of a router.
func LevelOf(tree *topology.FatTree, size int) (span, level int) {
	for span = 1; span < size; level++ {
		span = tree.Span(level)
	}
	return span, level
}
