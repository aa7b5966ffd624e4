package allocation

import (
	"fmt"

	"contend/netsim/topology"
)

// Quality says how compact a set of nodes is. Distances are hops between
// routers, 0 between nodes of one router.
type Quality struct {
	// Processors is the number of nodes measured.
	Processors int
	// Sides are those of the smallest box of routers around the nodes in the
	// first three dimensions, x first, 1 for a dimension the machine does not
	// have. Where a dimension wraps the box may lie across the ends; of
	// several shortest stretches it is the one that begins first. All that is
	// said of boxes is 0 on a machine without coordinates (see Meter.Boxes).
	Sides [3]int
	// SideSum is the sum of the sides in all dimensions the machine has, "the
	// sum of the dimensions of the bounding box" of [Leung et al. 2002, sec. 3].
	SideSum int
	// Box is the number of processors in the box: with one on every router
	// the product of the sides.
	Box int
	// CubeRatio is the size of the bounding cube over that of the smallest
	// [Leung et al. 2002, sec. 3, Fig. 1]: the cube whose side is the longest
	// of the box, over the least one that could hold as many processors, both
	// of as many dimensions as the machine extends in.
	CubeRatio float64
	// Dispersal is the dispersal ratio, the part of the box that is not the
	// job's: (V - k)/V for k nodes in a box of V [Lo et al. 1994, Def. 2].
	Dispersal float64
	// WeightedDispersal is Dispersal times k, in processors.
	WeightedDispersal float64
	// PairwiseSum is the sum of the distances of all pairs of nodes, each
	// pair once; hops on a mesh, the shorter way round on a torus.
	PairwiseSum int64
	// PairwiseMean is the mean over those pairs, 0 for a single node.
	PairwiseMean float64
	// Components is the number of connected components, nodes of the same
	// router and of routers joined by a channel being joined.
	Components int
	// LinearSpan and RingSpan are the numbers of ranks from the first to the
	// last of the nodes in an order, the order being a line or a ring [Leung
	// et al. 2002, sec. 2.3]; 0 where the meter has no order (see
	// Meter.Along).
	LinearSpan, RingSpan int
}

// BoxSize returns the number of processors of the smallest box.
func (q Quality) BoxSize() int { return q.Box }

// StretchSpan returns the ring span over the number of processors, 1 for
// consecutive ones [Leung et al. 2002, sec. 3].
func (q Quality) StretchSpan() float64 { return float64(q.RingSpan) / float64(q.Processors) }

// Meter measures allocations on one machine. It keeps its working memory, so
// it belongs to one simulation.
type Meter struct {
	machine topology.Topology
	router  []topology.Router // of each node
	grid    *boxMeter         // on a mesh, torus or hypercube
	pairs   pairSum           // on any other machine
	spans   *spanMeter        // with an order

	ports  topology.Port // that may lead to other routers
	member []uint32      // member[r] == round: r has nodes of the allocation and is not yet seen
	round  uint32
	stack  []topology.Router
}

// pairSum adds up distances on a machine without coordinates.
type pairSum interface {
	sum(nodes []topology.Node) int64
}

// NewMeter returns a meter for a machine. One that is no mesh, torus or
// hypercube has no boxes; one that is no tree either is measured with a table
// of distances, and there is an error where it is too large for that.
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
	if tree, err := NewTreeMeter(machine); err == nil {
		m.pairs = tree
		return m, nil
	}
	d, err := newDistances(machine)
	if err != nil {
		return nil, fmt.Errorf("the quality of allocations: %w", err)
	}
	m.pairs = newPairMeter(d)
	return m, nil
}

// Boxes reports whether the machine has coordinates, and so boxes.
func (m *Meter) Boxes() bool { return m.grid != nil }

// Along lets the meter measure spans over an order of the nodes, such as
// NewOrder gives.
func (m *Meter) Along(order []topology.Node) {
	if len(order) != len(m.router) {
		panic(fmt.Sprintf("allocation: an order of %d nodes on a machine of %d",
			len(order), len(m.router)))
	}
	m.spans = newSpanMeter(order)
}

// Measure measures a set of distinct nodes, at least one, in any order.
//
// Where some of a job's nodes are only reserved, the caller says which to
// measure: those for use, nodes[:req.Size], tell how far its messages travel,
// all of them what it keeps from others. The weighted dispersal published for
// Paging(1) to (3) in [Lo et al. 1994, Table 2] is that of all of them: for
// Paging(3) and one-to-all it is 11.6, where all give 11.3 and those for use
// 15.4.
func (m *Meter) Measure(nodes []topology.Node) Quality {
	if len(nodes) == 0 {
		panic("allocation: quality of no nodes")
	}
	q := Quality{Processors: len(nodes), Components: m.components(nodes)}
	if m.grid != nil {
		m.grid.measure(&q, m.router, nodes)
	} else {
		q.PairwiseSum = m.pairs.sum(nodes)
	}
	if n := int64(len(nodes)); n > 1 {
		q.PairwiseMean = float64(q.PairwiseSum) / float64(n*(n-1)/2)
	}
	if m.spans != nil {
		q.LinearSpan, q.RingSpan = m.spans.measure(nodes)
	}
	return q
}

// components floods the routers of the nodes from one another.
func (m *Meter) components(nodes []topology.Node) int {
	if m.round++; m.round == 0 { // after 2^32 calls old marks would look new
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

// flood moves the neighbours of a router that are members to the stack.
func (m *Meter) flood(at topology.Router) {
	for p := range m.ports {
		if r, _, ok := m.machine.Peer(at, p); ok && m.member[r] == m.round {
			m.member[r] = 0
			m.stack = append(m.stack, r)
		}
	}
}
