package netsim

import "contend/netsim/topology"

// FlowPerMessage is the value of Config.FlowsPerPair that makes every message a flow of its own.
const FlowPerMessage = -1

// mostFlows is the greatest number of flows between two nodes.
const mostFlows = 1 << 16

// flows numbers the flows of messages, for routings that give each a path: the queue pairs of two
// network interfaces, or their TCP connections.
type flows struct {
	turns
	sent int32 // messages, where all of them are flows
}

// newFlows returns what numbers the flows of a network whose routing looks at them, or does not.
func newFlows(perPair int, looks bool) flows {
	if !looks {
		perPair = 1
	}
	return flows{turns: turns{of: int32(perPair)}}
}

// next returns the flow of the next message from one interface to another. Messages take the flows
// of their interfaces in turn.
func (f *flows) next(from, to topology.Node) int32 {
	switch f.of {
	case 1:
		return 0
	case FlowPerMessage:
		f.sent++
		return f.sent - 1
	}
	return f.turns.next(from, to)
}
