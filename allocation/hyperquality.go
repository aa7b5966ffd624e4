package allocation

import "contend/netsim/topology"

// hyperMeter adds up distances on a HyperX. The distance of two nodes is the number of
// coordinates in which their routers differ.
type hyperMeter struct {
	machine *topology.HyperX
	router  []topology.Router // of each node
	at      [][]int32         // by dimension, the coordinate of each router, and
	counts  [][]int64         // the number of nodes with each
}

func newHyperMeter(machine *topology.HyperX) *hyperMeter {
	m := &hyperMeter{machine: machine}
	for n := range topology.Node(machine.Nodes()) {
		m.router = append(m.router, machine.RouterOf(n))
	}
	for d, side := range machine.Dims() {
		at := make([]int32, machine.Routers())
		for r := range at {
			at[r] = int32(machine.Coordinate(topology.Router(r), d))
		}
		m.at, m.counts = append(m.at, at), append(m.counts, make([]int64, side))
	}
	return m
}

// sum returns the sum of the distances of all pairs of nodes. In each dimension it is the number
// of pairs that differ there.
func (m *hyperMeter) sum(nodes []topology.Node) int64 {
	sum := int64(0)
	for d, counts := range m.counts {
		clear(counts)
		for i, n := range nodes {
			x := m.at[d][m.router[n]]
			sum += int64(i) - counts[x]
			counts[x]++
		}
	}
	return sum
}
