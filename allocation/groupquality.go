package allocation

import (
	"fmt"

	"contend/router/topology"
)

// GroupMeter counts the groups of routers that allocations span, such as those of a
// dragonfly. It keeps working memory, so it belongs to one simulation.
type GroupMeter struct {
	group  []int32 // of each node
	member []bool  // of each group: a node of it has been seen; all false between two counts
	seen   []int32
}

// NewGroupMeter returns a meter for a machine with two or more groups of routers.
func NewGroupMeter(machine topology.Topology) (*GroupMeter, error) {
	grouped, ok := machine.(topology.Grouped)
	if !ok || grouped.Groups() < 2 {
		return nil, fmt.Errorf("the groups of allocations are defined on machines with groups of " +
			"routers")
	}
	m := &GroupMeter{group: make([]int32, machine.Nodes()), member: make([]bool, grouped.Groups())}
	for n := range m.group {
		r, _ := machine.Attach(topology.Node(n))
		m.group[n] = int32(grouped.Group(r))
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
