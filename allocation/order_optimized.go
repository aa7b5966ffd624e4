package allocation

import "contend/netsim/topology"

func optimizedOrder(machine topology.Topology) ([]topology.Node, error) {
	return byNumber(machine), nil
}
