package allocation

import (
	"fmt"
	"math/bits"

	"contend/router/topology"
)

// Quality describes how compact a set of nodes is. Distances are hops between routers,
// and 0 between nodes of one router.
type Quality struct {
	// Processors is the number of nodes measured, at least 1.
	Processors int
	// Sides are the sides, in routers, of the smallest box around the nodes in the first three
	// dimensions, x first. A dimension that the machine lacks has side 1. In a dimension that wraps
	// the box may lie across the ends. Among several shortest intervals it is the one that begins
	// first. On a machine without coordinates Sides, SideSum, Box, Cube and the ratios of boxes are 0
	// (see Meter.Boxes).
	Sides [3]int
	// SideSum is the sum of the sides in all dimensions of the machine, in routers:
	// "the sum of the dimensions of the bounding box" of [Leung et al. 2002, sec. 3].
	SideSum int
	// Box is the number of processors in the box. With one processor on every router it
	// is the product of the sides.
	Box int
	// Cube is the number of processors in the bounding cube if each router has the maximum number of
	// processors of a router. It may exceed the size of the machine [Leung et al. 2002, sec. 3].
	Cube float64
	// CubeRatio is the size of the bounding cube divided by the size of the smallest cube, at least 1
	// [Leung et al. 2002, sec. 3, Fig. 1]. The side of the bounding cube is the longest side of the
	// box. The smallest cube is the smallest that could hold the processors. Both have the dimensions
	// in which the machine has more than one router.
	CubeRatio float64
	// Dispersal is the dispersal ratio, the share of the box that belongs to other jobs or is free,
	// from 0 and below 1: (V - k)/V for k nodes in a box of V [Lo et al. 1994, Def. 2].
	Dispersal float64
	// WeightedDispersal is Dispersal times k, in processors.
	WeightedDispersal float64
	// PairwiseSum is the sum of the distances of all pairs of nodes, each pair once, in hops.
	// Distances on a torus are those of the shorter direction.
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

// NewMeter returns a meter for a machine. A machine that is not a mesh, torus or hypercube has no
// boxes. A machine that is none of these, and not a tree, fat tree or HyperX, needs distances, as
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

// plainPairSum returns the PairSum of a machine that needs no table of distances, and nil for other
// machines.
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

// PairSumOf returns the PairSum of a machine. It reads d only for machines that need distances.
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
// If some of a job's nodes are only reserved, the caller chooses the set. The nodes in use,
// nodes[:req.Size], show how far messages travel. All nodes show the space that the job withholds
// from other jobs. The weighted dispersal published for Paging(1) to (3) in [Lo et al. 1994, Table
// 2] is that of all nodes: for Paging(3) and one-to-all it is 11.6, where all nodes give 11.3 and
// the nodes in use 15.4.
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

// flood pushes those neighbours of a router that are members.
func (m *Meter) flood(at topology.Router) {
	for p := range m.ports {
		if r, _, ok := m.machine.Peer(at, p); ok && m.member[r] == m.round {
			m.member[r] = 0
			m.stack = append(m.stack, r)
		}
	}
}

// pairMeter adds up distances on a machine without coordinates.
type pairMeter struct {
	distances *Rows
	counts    []int64 // number of nodes of the allocation at each home
	homes     []int32 // homes that have any
}

// newPairMeter returns a meter that reads distances from rows.
func newPairMeter(d *Rows) *pairMeter {
	return &pairMeter{d, make([]int64, d.Homes), make([]int32, 0, d.Homes)}
}

// fewHomes is the maximum number of homes for which, without a table, single distances take less
// time than whole rows.
const fewHomes = 64

// Sum returns the sum of the distances of all pairs of nodes.
func (m *pairMeter) Sum(nodes []topology.Node) int64 {
	m.homes = m.homes[:0]
	for _, n := range nodes {
		home := m.distances.Home[n]
		if m.counts[home]++; m.counts[home] == 1 {
			m.homes = append(m.homes, home)
		}
	}
	sum := int64(0)
	single := m.distances.count != nil && len(m.homes) <= fewHomes
	for i, a := range m.homes {
		if single {
			for _, b := range m.homes[:i] {
				sum += m.counts[a] * m.counts[b] * int64(m.distances.between(a, b))
			}
			continue
		}
		row := m.distances.Row(a)
		for _, b := range m.homes[:i] {
			sum += m.counts[a] * m.counts[b] * int64(row[b])
		}
	}
	for _, home := range m.homes {
		m.counts[home] = 0
	}
	return sum
}

// spanMeter measures the span of a set of nodes in an order.
type spanMeter struct {
	rank  []int32  // rank of each node
	words []uint64 // ranks of the allocation
}

// newSpanMeter returns the meter of spans along an order.
func newSpanMeter(order []topology.Node) *spanMeter {
	m := &spanMeter{make([]int32, len(order)), make([]uint64, (len(order)+63)/64)}
	for rank, n := range order {
		m.rank[n] = int32(rank)
	}
	return m
}

// measure returns the spans of the nodes on a line and on a ring. The span on a ring
// excludes the largest gap of consecutive ranks [Leung et al. 2002, sec. 2.3].
func (m *spanMeter) measure(nodes []topology.Node) (linear, ring int) {
	clear(m.words)
	for _, n := range nodes {
		m.words[m.rank[n]>>6] |= 1 << (m.rank[n] & 63)
	}
	first, last, gap := -1, -1, 0
	for w, word := range m.words {
		for ; word != 0; word &= word - 1 {
			rank := w<<6 + bits.TrailingZeros64(word)
			if first < 0 {
				first = rank
			} else {
				gap = max(gap, rank-last-1)
			}
			last = rank
		}
	}
	all := len(m.rank)
	return last - first + 1, all - max(gap, all-1-last+first)
}

// boxMeter measures boxes and distances on a mesh, torus or hypercube. Both follow from
// the number of nodes at each coordinate.
type boxMeter struct {
	*cubeMeter
	carried   []int // processors on each router of a row, by the coordinate along the last dimension
	perRouter int   // greatest of carried
	extends   int   // number of dimensions with more than one router
}

// newBoxMeter returns the meter of boxes on a mesh or torus.
func newBoxMeter(cube *topology.Cube) *boxMeter {
	m, dims := &boxMeter{cubeMeter: newCubeMeter(cube)}, cube.Dims()
	for _, n := range dims {
		if n > 1 {
			m.extends++
		}
	}
	last := dims[len(dims)-1]
	for row := range last {
		_, n := cube.NodesAt(topology.Router(row * (cube.Routers() / last)))
		m.carried = append(m.carried, n)
		m.perRouter = max(m.perRouter, n)
	}
	return m
}

// measure sets the fields of q that follow from the coordinates of the nodes.
func (m *boxMeter) measure(q *Quality, nodes []topology.Node) {
	m.count(nodes)
	q.PairwiseSum = m.sum(len(nodes))
	q.Sides, q.Box = [3]int{1, 1, 1}, 1
	longest := 0
	for d, counts := range m.counts {
		first, side := 0, 0
		if m.wrap[d] {
			first, side = arc(counts)
		} else {
			first, side = extent(counts)
		}
		if d < len(q.Sides) {
			q.Sides[d] = side
		}
		q.SideSum += side
		longest = max(longest, side)
		if d < len(m.counts)-1 {
			q.Box *= side
		} else {
			q.Box *= m.processors(first, side)
		}
	}
	q.Cube = float64(m.perRouter)
	for range m.extends {
		q.Cube *= float64(longest)
	}
	q.CubeRatio = m.cubeRatio(longest, len(nodes))
	q.Dispersal = float64(q.Box-len(nodes)) / float64(q.Box)
	q.WeightedDispersal = q.Dispersal * float64(len(nodes))
}

// processors adds up the processors per router over some rows, from the given first
// one.
func (m *boxMeter) processors(first, rows int) int {
	sum := 0
	for i := range rows {
		sum += m.carried[(first+i)%len(m.carried)]
	}
	return sum
}

// cubeRatio returns the size of the cube of the given side over that of the smallest cube that
// holds the processors.
func (m *boxMeter) cubeRatio(side, processors int) float64 {
	cubeSide := 1
	for power(cubeSide, m.extends)*m.perRouter < processors {
		cubeSide++
	}
	ratio := 1.0
	for range m.extends {
		ratio *= float64(side) / float64(cubeSide)
	}
	return ratio
}

// power returns x to the n.
func power(x, n int) int {
	p := 1
	for range n {
		p *= x
	}
	return p
}

// extent returns the first coordinate that has a node and the length of the interval up to the
// last one.
func extent(counts []int32) (first, length int) {
	last := len(counts) - 1
	for counts[first] == 0 {
		first++
	}
	for counts[last] == 0 {
		last--
	}
	return first, last - first + 1
}

// arc returns the shortest arc of a ring that contains all nodes: the ring without its
// longest gap. Among equals it is the arc that begins first.
func arc(counts []int32) (first, length int) {
	gap, longest := 0, -1
	for i := range 2 * len(counts) {
		if counts[i%len(counts)] == 0 {
			gap++
			continue
		}
		if i >= len(counts) && gap > longest { // in the second round every gap is complete
			first, longest = i-len(counts), gap
		}
		gap = 0
	}
	return first, len(counts) - longest
}

// LineDistances returns the sum of the distances of all pairs on a line. Each step from
// one coordinate to the next counts for the pairs that it separates.
func LineDistances(counts []int32, nodes int) int64 {
	sum, below := int64(0), int64(0)
	for _, n := range counts {
		below += int64(n)
		sum += below * (int64(nodes) - below)
	}
	return sum
}

// RingDistances returns the sum of the distances of all pairs on a ring, in the shorter direction.
// Of the arcs that are half the ring long, rounded down, 2d separate two places at distance d.
func RingDistances(counts []int32, nodes int) int64 {
	half, inside, sum := len(counts)/2, int64(0), int64(0)
	for _, n := range counts[:half] {
		inside += int64(n)
	}
	for i, n := range counts {
		sum += inside * (int64(nodes) - inside)
		inside += int64(counts[(i+half)%len(counts)]) - int64(n)
	}
	return sum / 2
}
