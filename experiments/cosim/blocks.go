package cosim

import (
	"fmt"

	"contend/experiments/spec"
	"contend/netsim/topology"
)

// blocks is a machine divided into places for jobs of one size.
type blocks struct {
	size int
	// order are all nodes, those of a block together.
	order []topology.Node
	// jobs are the nodes of each job, block by block, per of them to a block;
	// family of them are in blocks that are near to each other, in which one
	// block has near others it exchanges processes with.
	jobs              [][]topology.Node
	per, family, near int
	// why there may be no neighbouring block.
	why string
}

// nearBlocks is how many following blocks of a grid count as near.
const nearBlocks = 3

func newBlocks(machine spec.Machine, size int) (*blocks, error) {
	if size > machine.Nodes() {
		return nil, spec.FieldProcesses.Bad(fmt.Sprintf("at most %d", machine.Nodes()), "jobs of %d processes on a machine of %d nodes", size, machine.Nodes())
	}
	b := &blocks{size: size}
	switch t := machine.(type) {
	case topology.Hierarchy:
		b.ofTree(t)
		return b, nil
	case topology.Grid:
		return b, b.ofGrid(t)
	}
	return nil, spec.FieldTopology.Bad("take a grid or a tree",
		"jobs can be placed in blocks on grids and trees only")
}

// ofTree makes a block of every subtree of the jobs' level, the lowest whose
// subtrees have room for one (Pascual et al. 2009, sec. 3), and families of
// those with a parent in common.
func (b *blocks) ofTree(t topology.Hierarchy) {
	span := 1
	for span < b.size {
		span *= t.Arity()
	}
	b.per = span / b.size
	b.family, b.near, b.why = t.Arity()*b.per, t.Arity()-1, "the subtree one level up has no other"
	for n := range topology.Node(t.Nodes()) {
		b.order = append(b.order, n)
	}
	for first := 0; first < t.Nodes(); first += span {
		for j := range b.per {
			if from := first + j*b.size; from+b.size <= t.Nodes() {
				b.jobs = append(b.jobs, b.order[from:from+b.size:from+b.size])
			}
		}
	}
	b.order = append([]topology.Node(nil), b.order...) // which may be shuffled
}

// ofGrid tiles a mesh, torus or hypercube with boxes of routers, each the block
// of a job, the first dimension fastest. All are one family.
func (b *blocks) ofGrid(t topology.Grid) error {
	_, each := t.NodesAt(0)
	if t.Routers()*each != t.Nodes() {
		return spec.FieldServiceRows.Bad("leave it out", "jobs cannot be placed in blocks on a machine with routers that carry no nodes")
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

// nextCorner moves on to the next whole step within the limits, and reports
// false, back at the start, where there is none.
func nextCorner(at, step, limit []int) bool {
	for d := range at {
		if at[d] += step[d]; at[d]+step[d] <= limit[d] {
			return true
		}
		at[d] = 0
	}
	return false
}

// nearCube returns the sides of the box of at least n routers that is most like
// a cube: of the least sum of sides, of those the least, of those the first in
// which the first sides are longest. There must be as many routers.
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
