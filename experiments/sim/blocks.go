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
	// per is the number of jobs in a block. A family is a group of blocks in which processes
	// can change places. It has family jobs, and each block exchanges processes with near
	// others.
	per, family, near int
	// why says why a family may have only one block.
	why string
}

// nearBlocks is the number of following blocks of a grid that count as near.
const nearBlocks = 3

func newBlocks(m config.Machine, size int) (*blocks, error) {
	if size > m.Nodes() {
		return nil, config.FieldProcesses.Bad(fmt.Sprintf("at most %d", m.Nodes()),
			"jobs of %d processes on a machine of %d nodes", size, m.Nodes())
	}
	b := &blocks{size: size}
	switch t := m.(type) {
	case *topology.FatTree:
		b.ofTree(t, func(level int) int {
			if level == t.Levels() {
				return 1 // the whole tree has no others beside it
			}
			return t.Children(level)
		})
		return b, nil
	case topology.Hierarchy:
		b.ofTree(t, func(int) int { return t.Arity() })
		return b, nil
	case topology.Grid:
		return b, b.ofGrid(t)
	}
	b.inOrder(m.Nodes())
	return b, nil
}

// ofTree makes a block of every subtree of the lowest level whose subtrees have room for a job
// (Pascual et al. 2009, sec. 3). Subtrees with a common parent are a family. children returns how
// many subtrees, or nodes, make one of a level of routers.
func (b *blocks) ofTree(t topology.Topology, children func(level int) int) {
	span, level := 1, 0
	for ; span < b.size; level++ {
		span *= children(level)
	}
	b.per = span / b.size
	beside := children(level)
	b.family, b.near, b.why = beside*b.per, beside-1, "the subtree one level up has no other"
	b.order = firstNodes(t.Nodes())
	for first := 0; first < t.Nodes(); first += span {
		for j := range b.per {
			if from := first + j*b.size; from+b.size <= t.Nodes() {
				b.jobs = append(b.jobs, slices.Clone(b.order[from:from+b.size])) // order may be shuffled
			}
		}
	}
}

// inOrder divides the nodes, in order of number, into blocks of the size of a job: on a dragonfly
// or a HyperX they fill router after router, and group after group. All are one family.
func (b *blocks) inOrder(nodes int) {
	b.order = firstNodes(nodes)
	for first := 0; first+b.size <= nodes; first += b.size {
		b.jobs = append(b.jobs, slices.Clone(b.order[first:first+b.size]))
	}
	b.per, b.family, b.near, b.why = 1, len(b.jobs), nearBlocks, "the machine has room for one"
}

// ofGrid tiles a mesh, torus or hypercube with boxes of routers, the first dimension fastest. Each
// box is the block of one job, and all are one family.
func (b *blocks) ofGrid(t topology.Grid) error {
	_, each := t.NodesAt(0)
	if t.Routers()*each != t.Nodes() {
		return config.FieldServiceRows.Bad("leave it out",
			"jobs cannot be placed in blocks on a machine with routers that carry no nodes")
	}
	dims := t.Dims()
	sides := nearCube(dims, (b.size+each-1)/each)
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
	b.per, b.family, b.near, b.why = 1, len(b.jobs), nearBlocks, "the machine has room for one"
	return nil
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

// nearCube returns the sides of the box of at least n routers that is most like a cube. It has the
// least sum of sides. Among those it has the fewest routers, and then the longest first sides.
// The machine must have n routers.
func nearCube(dims []int, n int) []int {
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
