package allocation

import "contend/router/topology"

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
