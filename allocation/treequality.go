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
	// JobLevel is the level that this many nodes need, at least 0: the smallest level whose subtrees
	// have room for them.
	JobLevel int
	// Level is the level of the smallest subtree that contains all nodes, at least
	// JobLevel. It is JobLevel if the allocation is contiguous.
	Level int
	// Away is the number of nodes outside of the subtree of JobLevel that contains the most of them.
	// It is 0 if the allocation is contiguous, and at most ceil(qct/100 · size) if it is
	// quasi-contiguous.
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

// LevelOf returns the level of a job of the given size, the smallest whose subtrees have room for
// it, and that room. A subtree of level 0 is a node, and a subtree of level 1 the nodes of a
// router.
func LevelOf(tree *topology.FatTree, size int) (span, level int) {
	for span = 1; span < size; level++ {
		span = tree.Span(level)
	}
	return span, level
}

// coordinated is a machine whose routers have coordinates.
type coordinated interface {
	topology.Topology
	Dims() []int
	Coordinate(r topology.Router, d int) int
}

// coordinateMeter counts nodes by the coordinates of their routers. Distances of pairs add up over
// dimensions.
type coordinateMeter struct {
	router []topology.Router // of each node
	at     [][]int32         // by dimension, the coordinate of each router, and
	counts [][]int32         // the number of nodes with each
}

// newCoordinateMeter returns a meter with no nodes counted.
func newCoordinateMeter(machine coordinated) coordinateMeter {
	m := coordinateMeter{router: make([]topology.Router, machine.Nodes())}
	for n := range m.router {
		m.router[n], _ = machine.Attach(topology.Node(n))
	}
	for d, side := range machine.Dims() {
		at := make([]int32, machine.Routers())
		for r := range at {
			at[r] = int32(machine.Coordinate(topology.Router(r), d))
		}
		m.at, m.counts = append(m.at, at), append(m.counts, make([]int32, side))
	}
	return m
}

// count counts the nodes at each coordinate.
func (m *coordinateMeter) count(nodes []topology.Node) {
	for d, counts := range m.counts {
		clear(counts)
		for _, n := range nodes {
			counts[m.at[d][m.router[n]]]++
		}
	}
}

// hyperMeter adds up distances on a HyperX. The distance of two nodes is the number of
// coordinates in which their routers differ.
type hyperMeter struct{ coordinateMeter }

// Sum returns the sum of the distances of all pairs of nodes. In each dimension it is the number
// of pairs that differ there.
func (m *hyperMeter) Sum(nodes []topology.Node) int64 {
	m.count(nodes)
	all, sum := int64(len(nodes)), int64(0)
	for _, counts := range m.counts {
		for _, n := range counts {
			sum += int64(n) * (all - int64(n))
		}
	}
	return sum / 2
}

// cubeMeter adds up distances on a mesh, torus or hypercube.
type cubeMeter struct {
	coordinateMeter
	wrap []bool
}

// newCubeMeter returns the meter of a mesh, torus or hypercube.
func newCubeMeter(machine *topology.Cube) *cubeMeter {
	return &cubeMeter{newCoordinateMeter(machine), machine.Wrap()}
}

// Sum returns the sum of the distances of all pairs of nodes.
func (m *cubeMeter) Sum(nodes []topology.Node) int64 {
	m.count(nodes)
	return m.sum(len(nodes))
}

// sum is Sum for nodes that are counted.
func (m *cubeMeter) sum(nodes int) (sum int64) {
	for d, counts := range m.counts {
		if m.wrap[d] {
			sum += RingDistances(counts, nodes)
		} else {
			sum += LineDistances(counts, nodes)
		}
	}
	return sum
}

// GroupMeter counts the groups of routers that allocations span, such as those of a
// dragonfly or the pods of a tree (topology.GroupsOf). It keeps working memory, so it belongs to
// one simulation.
type GroupMeter struct {
	group  []int32 // of each node
	member []bool  // of each group: a node of it has been seen; all false between two counts
	seen   []int32
}

// NewGroupMeter returns a meter for a machine with two or more groups of routers.
func NewGroupMeter(machine topology.Topology) (*GroupMeter, error) {
	groups, group, ok := topology.GroupsOf(machine)
	if !ok {
		return nil, fmt.Errorf("the groups of allocations are defined on machines with groups of " +
			"routers")
	}
	m := &GroupMeter{group: make([]int32, machine.Nodes()), member: make([]bool, groups)}
	for n := range m.group {
		r, _ := machine.Attach(topology.Node(n))
		m.group[n] = int32(group(r))
	}
	return m, nil
}

// Spanned returns the number of groups that have some of the nodes, 0 for no nodes.
func (m *GroupMeter) Spanned(nodes []topology.Node) int {
	m.seen = m.seen[:0]
	for _, n := range nodes {
		if g := m.group[n]; !m.member[g] {
			m.member[g] = true
			m.seen = append(m.seen, g)
		}
	}
	for _, g := range m.seen {
		m.member[g] = false
	}
	return len(m.seen)
}
