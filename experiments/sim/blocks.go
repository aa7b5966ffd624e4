package sim

import (
	"fmt"
	"slices"

	"contend/experiments/config"
	"contend/router/topology"
)

// blocks is a machine divided into places for jobs of one size.
type blocks struct {
	// size is the number of processes of a job.
	size int
	// order holds all nodes, block by block.
	order []topology.Node
	// jobs holds the nodes of each job, block by block.
	jobs [][]topology.Node
	// blockJobs is the number of jobs in a block. A family is a group of blocks in which processes
	// can change places. It has familyJobs jobs, and each block exchanges processes with the
	// partners blocks that follow it.
	blockJobs, familyJobs, partners int
	// loneBlock says why a family may have only one block.
	loneBlock string
}

// gridPartners is the number of blocks of a grid with which a block exchanges processes.
const gridPartners = 3

// newBlocks divides a machine into blocks for jobs of a size.
func newBlocks(m config.Machine, size int) (*blocks, error) {
	if size > m.Nodes() {
		return nil, config.FieldProcesses.Bad(fmt.Sprintf("at most %d", m.Nodes()),
			"jobs of %d processes on a machine of %d nodes", size, m.Nodes())
	}
	b := &blocks{size: size}
	switch t := m.(type) {
	case *topology.FatTree:
		b.divideTree(t, func(level int) int {
			if level == t.Levels() {
				return 1 // the whole tree has no others beside it
			}
			return t.Children(level)
		})
		return b, nil
	case topology.Hierarchy:
		b.divideTree(t, func(int) int { return t.Arity() })
		return b, nil
	case topology.Grid:
		return b, b.divideGrid(t)
	}
	b.divideInOrder(m.Nodes())
	return b, nil
}

// divideTree makes a block of every subtree of the lowest level whose subtrees have room for a job
// (Pascual et al. 2009, sec. 3). Subtrees with a common parent are a family. children returns the
// number of subtrees, or nodes, below a router of a level.
func (b *blocks) divideTree(t topology.Topology, children func(level int) int) {
	span, level := 1, 0
	for ; span < b.size; level++ {
		span *= children(level)
	}
	b.blockJobs = span / b.size
	siblings := children(level)
	b.familyJobs, b.partners = siblings*b.blockJobs, siblings-1
	b.loneBlock = "the subtree one level up has no other"
	b.order = firstNodes(t.Nodes())
	for first := 0; first < t.Nodes(); first += span {
		for j := range b.blockJobs {
			if from := first + j*b.size; from+b.size <= t.Nodes() {
				b.jobs = append(b.jobs, slices.Clone(b.order[from:from+b.size])) // order may be shuffled
			}
		}
	}
}

// divideInOrder divides the nodes, in order of number, into blocks of the size of a job: on a
// dragonfly or a HyperX they fill router after router, and group after group. All are one family.
func (b *blocks) divideInOrder(nodes int) {
	b.order = firstNodes(nodes)
	for first := 0; first+b.size <= nodes; first += b.size {
		b.jobs = append(b.jobs, slices.Clone(b.order[first:first+b.size]))
	}
	b.oneFamily()
}

// divideGrid tiles a mesh, torus or hypercube with boxes of routers, the first dimension fastest.
// Each box is the block of one job, and all are one family.
func (b *blocks) divideGrid(t topology.Grid) error {
	_, each := t.NodesAt(0)
	if t.Routers()*each != t.Nodes() {
		return config.FieldServiceRows.Bad("leave it out",
			"jobs cannot be placed in blocks on a machine with routers that carry no nodes")
	}
	dims := t.Dims()
	sides := cubeLikeBox(dims, (b.size+each-1)/each)
	taken := make([]bool, t.Nodes())
	corner := make([]int, len(dims))
	for {
		place := boxNodes(t, corner, sides)[:b.size]
		b.jobs = append(b.jobs, place)
		b.order = append(b.order, place...)
		for _, n := range place {
			taken[n] = true
		}
		if !nextCorner(corner, sides, dims) {
			break
		}
	}
	for n := range topology.Node(t.Nodes()) {
		if !taken[n] {
			b.order = append(b.order, n)
		}
	}
	b.oneFamily()
	return nil
}

// oneFamily makes one family of all blocks, each of one job.
func (b *blocks) oneFamily() {
	b.blockJobs, b.familyJobs, b.partners = 1, len(b.jobs), gridPartners
	b.loneBlock = "the machine has room for one"
}

// firstNodes returns the n nodes of the lowest numbers, in order.
func firstNodes(n int) []topology.Node {
	nodes := make([]topology.Node, n)
	for i := range nodes {
		nodes[i] = topology.Node(i)
	}
	return nodes
}

// boxNodes returns the nodes of a box of routers, the first dimension fastest.
func boxNodes(t topology.Grid, corner, sides []int) []topology.Node {
	var nodes []topology.Node
	at, step := make([]int, len(sides)), make([]int, len(sides))
	for d := range step {
		step[d] = 1
	}
	router := make([]int, len(sides))
	for {
		for d := range at {
			router[d] = corner[d] + at[d]
		}
		first, n := t.NodesAt(t.At(router...))
		for i := range n {
			nodes = append(nodes, first+topology.Node(i))
		}
		if !nextCorner(at, step, sides) {
			return nodes
		}
	}
}

// nextCorner moves at to the next whole step within the limits. After the last one it returns to
// the start and reports false.
func nextCorner(at, step, limit []int) bool {
	for d := range at {
		if at[d] += step[d]; at[d]+step[d] <= limit[d] {
			return true
		}
		at[d] = 0
	}
	return false
}

// cubeLikeBox returns the sides of the box of at least n routers that is most like a cube: the box
// with the least sum of sides, among those with the fewest routers, and then with the longest first
// sides.
// The machine must have n routers.
func cubeLikeBox(dims []int, n int) []int {
	var best []int
	bestSum, bestProduct := 0, 0
	sides := make([]int, len(dims))
	var extend func(d, sum, product int)
	extend = func(d, sum, product int) {
		if d == len(dims) {
			if product >= n && (best == nil || sum < bestSum || sum == bestSum && product < bestProduct) {
				best, bestSum, bestProduct = append(best[:0], sides...), sum, product
			}
			return
		}
		for side := min(dims[d], (n+product-1)/product); side >= 1; side-- {
			if best != nil && sum+side+len(dims)-d-1 > bestSum {
				continue
			}
			sides[d] = side
			extend(d+1, sum+side, product*side)
		}
	}
	extend(0, 0, 1)
	return best
}
