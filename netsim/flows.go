package netsim

import "contend/netsim/topology"

// FlowPerMessage is the value of Config.FlowsPerPair that makes every message a flow of its own.
const FlowPerMessage = -1

// mostFlows is the greatest number of flows between two nodes.
const mostFlows = 1 << 16

// flows numbers the flows of messages, for routings that give each a path: the queue pairs of two
// network interfaces, or their TCP connections.
type flows struct {
	perPair int32
	turn    map[[2]topology.Node]int32 // flow of the next message between two interfaces
	sent    int32                      // messages, all of which are flows
}

// newFlows returns what numbers the flows of a network whose routing looks at them, or does not.
func newFlows(perPair int, looks bool) flows {
	if !looks {
		return flows{perPair: 1}
	}
	return flows{perPair: int32(perPair), turn: map[[2]topology.Node]int32{}}
}

// next returns the flow of the next message from one interface to another. Messages take the flows
// of their interfaces in turn.
func (f *flows) next(from, to topology.Node) int32 {
	switch f.perPair {
	case 1:
		return 0
	case FlowPerMessage:
		f.sent++
		return f.sent - 1
	}
	ends := [2]topology.Node{from, to}
	flow := f.turn[ends]
	f.turn[ends] = (flow + 1) % f.perPair
	return flow
}
