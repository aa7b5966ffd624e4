package allocation

import (
	"fmt"

	"contend/router/topology"
)

// Quality describes how compact a set of nodes is. Distances are hops between routers,
// and 0 between nodes of one router.
type Quality struct {
	// Processors is the number of nodes measured, at least 1.
	Processors int
	// Sides are the sides, in routers, of the smallest box around the nodes in the
	// first three dimensions, x first. A dimension that the machine lacks has side 1.
	// In a dimension that wraps the box may lie across the ends. Among several shortest
	// stretches it is the one that begins first. On a machine without coordinates
	// Sides, SideSum, Box, Cube and the ratios of boxes are 0 (see Meter.Boxes).
	Sides [3]int
	// SideSum is the sum of the sides in all dimensions of the machine, in routers:
	// "the sum of the dimensions of the bounding box" of [Leung et al. 2002, sec. 3].
	SideSum int
	// Box is the number of processors in the box. With one processor on every router it
	// is the product of the sides.
	Box int
	// Cube is the number of processors for which the bounding cube has room, with the most that
	// a router has on each. It may be larger than the machine [Leung et al. 2002, sec. 3].
	Cube float64
	// CubeRatio is the ratio of the size of the bounding cube to that of the smallest
	// cube, at least 1 [Leung et al. 2002, sec. 3, Fig. 1]. The side of the bounding
	// cube is the longest of the box. The smallest cube is the least one that could
	// hold as many processors. Both have as many dimensions as the machine extends in.
	CubeRatio float64
	// Dispersal is the dispersal ratio, the share of the box that is not the job's,
	// from 0 and below 1: (V - k)/V for k nodes in a box of V [Lo et al. 1994, Def. 2].
	Dispersal float64
	// WeightedDispersal is Dispersal times k, in processors.
	WeightedDispersal float64
	// PairwiseSum is the sum of the distances of all pairs of nodes, each pair once, in
	// hops. Around a torus the shorter way counts.
	PairwiseSum int64
	// PairwiseMean is the mean over those pairs in hops, or 0 for a single node.
	PairwiseMean float64
	// Components is the number of connected components, at least 1. Nodes of the same
	// router are connected, and so are nodes of routers joined by a channel.
	Components int
	// LinearSpan and RingSpan are the numbers of ranks from the first to the last of
	// the nodes in an order, which is a line or a ring [Leung et al. 2002, sec. 2.3].
	// They are 0 if the meter has no order (see Meter.Along).
	LinearSpan, RingSpan int
}

// StretchSpan returns the ring span divided by the number of processors. It is 1 for
// consecutive processors [Leung et al. 2002, sec. 3].
func (q Quality) StretchSpan() float64 { return float64(q.RingSpan) / float64(q.Processors) }

// Meter measures allocations on one machine. It keeps working memory, so it belongs to
// one simulation.
type Meter struct {
	machine topology.Topology
	router  []topology.Router // router of each node
	grid    *boxMeter         // on a mesh, torus or hypercube
	pairs   PairSum           // on any other machine
	spans   *spanMeter        // nil without an order

	ports  topology.Port // ports that may lead to other routers
	member []uint32      // member[r] == round: r has nodes of the allocation and has not been visited
	round  uint32
	stack  []topology.Router
}

// PairSum adds up distances on a machine without coordinates.
type PairSum interface {
	Sum(nodes []topology.Node) int64
}

// NewMeter returns a meter for a machine. A machine that is not a mesh, torus or
// hypercube has no boxes. One that is no tree, fat tree or HyperX either needs distances, as
// NewDistances returns them.
func NewMeter(machine topology.Topology) (*Meter, error) {
	m := &Meter{
		machine: machine,
		router:  make([]topology.Router, machine.Nodes()),
		ports:   topology.Port(machine.Ports()),
		member:  make([]uint32, machine.Routers()),
		stack:   make([]topology.Router, 0, machine.Routers()),
	}
	for n := range m.router {
		m.router[n], _ = machine.Attach(topology.Node(n))
	}
	if cube, ok := machine.(*topology.Cube); ok {
		m.grid = newBoxMeter(cube)
		m.ports = topology.Port(2 * len(cube.Dims()))
		return m, nil
	}
	if m.pairs = plainPairSum(machine); m.pairs != nil {
		return m, nil
	}
	d, err := NewRows(machine)
	if err != nil {
		return nil, fmt.Errorf("the quality of allocations: %w", err)
	}
	m.pairs = newPairMeter(d)
	return m, nil
}

// plainPairSum returns the PairSum of a machine that needs no table of distances, nil for others.
func plainPairSum(machine topology.Topology) PairSum {
	if tree, err := NewTreeMeter(machine); err == nil {
		return tree
	}
	if h, ok := machine.(*topology.HyperX); ok {
		return &hyperMeter{newCoordinateMeter(h)}
	}
	if cube, ok := machine.(*topology.Cube); ok {
		return newCubeMeter(cube)
	}
	return nil
}

// PairSumOf returns the PairSum of a machine, which reads d only where it needs distances.
func PairSumOf(machine topology.Topology, d *Rows) PairSum {
	if pairs := plainPairSum(machine); pairs != nil {
		return pairs
	}
	return newPairMeter(d)
}

// Boxes reports whether the machine has coordinates, and so boxes.
func (m *Meter) Boxes() bool { return m.grid != nil }

// Along makes the meter measure spans over an order of the nodes, as order.New returns
// it.
func (m *Meter) Along(order []topology.Node) {
	if len(order) != len(m.router) {
		panic(fmt.Sprintf("allocation: an order of %d nodes on a machine of %d",
			len(order), len(m.router)))
	}
	m.spans = newSpanMeter(order)
}

// Measure measures a nonempty set of distinct nodes in any order.
//
// If some of a job's nodes are only reserved, the caller chooses the set. The nodes in
// use, nodes[:req.Size], show how far messages travel. All nodes show what the job
// withholds from others. The weighted dispersal published for Paging(1) to (3) in [Lo
// et al. 1994, Table 2] is that of all nodes: for Paging(3) and one-to-all it is 11.6,
// where all nodes give 11.3 and the nodes in use 15.4.
func (m *Meter) Measure(nodes []topology.Node) Quality {
	if len(nodes) == 0 {
		panic("allocation: quality of no nodes")
	}
	q := Quality{Processors: len(nodes), Components: m.Components(nodes)}
	if m.grid != nil {
		m.grid.measure(&q, nodes)
	} else {
		q.PairwiseSum = m.pairs.Sum(nodes)
	}
	if n := int64(len(nodes)); n > 1 {
		q.PairwiseMean = float64(q.PairwiseSum) / float64(n*(n-1)/2)
	}
	if m.spans != nil {
		q.LinearSpan, q.RingSpan = m.spans.measure(nodes)
	}
	return q
}

// Components returns the number of connected components of a set of distinct nodes, 0 for none. It
// counts them by flooding.
func (m *Meter) Components(nodes []topology.Node) int {
	if m.round++; m.round == 0 { // after 2^32 calls old marks would be valid again
		clear(m.member)
		m.round = 1
	}
	for _, n := range nodes {
		m.member[m.router[n]] = m.round
	}
	components := 0
	for _, n := range nodes {
		r := m.router[n]
		if m.member[r] != m.round {
			continue
		}
		components++
		m.member[r] = 0
		m.stack = append(m.stack[:0], r)
		for len(m.stack) > 0 {
			last := len(m.stack) - 1
			at := m.stack[last]
			m.stack = m.stack[:last]
			m.flood(at)
		}
	}
	return components
}

// flood pushes the neighbours of a router that are members.
func (m *Meter) flood(at topology.Router) {
	for p := range m.ports {
		if r, _, ok := m.machine.Peer(at, p); ok && m.member[r] == m.round {
			m.member[r] = 0
			m.stack = append(m.stack, r)
		}
	}
}
