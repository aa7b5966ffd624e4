package allocation

import (
	"fmt"

	"contend/netsim/topology"
)

// Quality says how compact a set of nodes is.
type Quality struct {
	// Processors is the number of nodes measured.
	Processors int
	// Sides are those of the smallest box around the nodes, x first, 1 for a
	// dimension the machine does not have. Where a dimension wraps the box may
	// lie across the ends.
	Sides [3]int
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
	// Components is the number of connected components, nodes next to each
	// other along a dimension being joined.
	Components int
}

// BoxSize returns the number of processors of the smallest box.
func (q Quality) BoxSize() int { return q.Sides[0] * q.Sides[1] * q.Sides[2] }

// Meter measures allocations on one machine. It keeps its working memory, so
// it belongs to one simulation.
type Meter struct {
	cube   *topology.Cube
	dims   [3]int
	wrap   [3]bool
	counts [3][]int32 // nodes at each coordinate, of the allocation measured
	member []uint32   // member[n] == round: n is in the allocation and not yet seen
	round  uint32
	stack  []topology.Node
}

// NewMeter returns a meter for a mesh or torus of up to three dimensions with
// one node on every router.
func NewMeter(machine topology.Topology) (*Meter, error) {
	cube, ok := machine.(*topology.Cube)
	if !ok || len(cube.Dims()) > 3 || !cube.OneNodePerRouter() {
		return nil, fmt.Errorf("the quality of allocations is defined on meshes and tori of up to three dimensions with one node on every router")
	}
	m := &Meter{cube: cube, dims: [3]int{1, 1, 1}, member: make([]uint32, cube.Nodes()), stack: make([]topology.Node, 0, cube.Nodes())}
	copy(m.dims[:], cube.Dims())
	copy(m.wrap[:], cube.Wrap())
	for d, n := range m.dims {
		m.counts[d] = make([]int32, n)
	}
	return m, nil
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
	m.count(nodes)
	q := Quality{Processors: len(nodes), Components: m.components(nodes)}
	for d, counts := range m.counts {
		if m.wrap[d] {
			q.Sides[d] = arc(counts)
			q.PairwiseSum += ringDistances(counts, len(nodes))
		} else {
			q.Sides[d] = extent(counts)
			q.PairwiseSum += lineDistances(counts, len(nodes))
		}
	}
	q.Dispersal = float64(q.BoxSize()-len(nodes)) / float64(q.BoxSize())
	q.WeightedDispersal = q.Dispersal * float64(len(nodes))
	if n := int64(len(nodes)); n > 1 {
		q.PairwiseMean = float64(q.PairwiseSum) / float64(n*(n-1)/2)
	}
	return q
}

// count fills the counts of nodes at each coordinate.
func (m *Meter) count(nodes []topology.Node) {
	for _, counts := range m.counts {
		clear(counts)
	}
	for _, n := range nodes {
		x, rest := int(n)%m.dims[0], int(n)/m.dims[0]
		m.counts[0][x]++
		m.counts[1][rest%m.dims[1]]++
		m.counts[2][rest/m.dims[1]]++
	}
}

// extent returns the length of the stretch from the first to the last
// coordinate that has a node.
func extent(counts []int32) int {
	first, last := 0, len(counts)-1
	for counts[first] == 0 {
		first++
	}
	for counts[last] == 0 {
		last--
	}
	return last - first + 1
}

// arc returns the length of the shortest arc of a ring that has all nodes: the
// ring without its longest gap.
func arc(counts []int32) int {
	gap, longest := 0, 0
	for i := range 2 * len(counts) {
		if gap++; counts[i%len(counts)] != 0 {
			gap = 0
		}
		longest = max(longest, gap)
	}
	return len(counts) - longest
}

// lineDistances sums the distances of all pairs on a line: each step from one
// coordinate to the next is in the way of the pairs it separates.
func lineDistances(counts []int32, nodes int) int64 {
	sum, below := int64(0), int64(0)
	for _, n := range counts {
		below += int64(n)
		sum += below * (int64(nodes) - below)
	}
	return sum
}

// ringDistances sums the distances of all pairs on a ring, the shorter way
// round: two places at distance d are separated by 2d of the arcs that are
// half the ring long, rounded down.
func ringDistances(counts []int32, nodes int) int64 {
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

// components floods the nodes from one another.
func (m *Meter) components(nodes []topology.Node) int {
	if m.round++; m.round == 0 { // after 2^32 calls old marks would look new
		clear(m.member)
		m.round = 1
	}
	for _, n := range nodes {
		m.member[n] = m.round
	}
	components := 0
	for _, n := range nodes {
		if m.member[n] != m.round {
			continue
		}
		components++
		m.member[n] = 0
		m.stack = append(m.stack[:0], n)
		for len(m.stack) > 0 {
			last := len(m.stack) - 1
			at := m.stack[last]
			m.stack = m.stack[:last]
			m.flood(at)
		}
	}
	return components
}

// flood moves the neighbours of a node that are members to the stack.
func (m *Meter) flood(n topology.Node) {
	for p := range topology.Port(2 * len(m.cube.Dims())) {
		if r, _, ok := m.cube.Peer(topology.Router(n), p); ok && m.member[r] == m.round {
			m.member[r] = 0
			m.stack = append(m.stack, topology.Node(r))
		}
	}
}
