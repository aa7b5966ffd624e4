package netsim

import (
	"math"

	"contend/router/topology"
)

// FlowPerMessage is the value of Config.FlowsPerPair that makes every message a flow of its own.
const FlowPerMessage = -1

// mostFlows is the greatest number of flows between two nodes.
const mostFlows = 1 << 16

// flows numbers the flows of messages, for routings that give each a path: the queue pairs of two
// network interfaces, or their TCP connections. A process that begins at a node opens its own.
type flows struct {
	of    int32
	taken map[[2]topology.Node]flowTurn // by network interfaces
}

// flowTurn is the flow that the next message of a process takes.
type flowTurn struct {
	process uint64
	next    int32
}

// newFlows returns what numbers the flows of a network whose routing looks at them, or does not.
func newFlows(perPair int, looks bool) flows {
	if !looks {
		perPair = 1
	}
	return flows{of: int32(perPair), taken: map[[2]topology.Node]flowTurn{}}
}

// next returns the flow of the next message of a process from one interface to another, whose first
// packet has an identity. Messages take the flows of their interfaces in turn.
func (f *flows) next(from, to topology.Node, process uint64, identity int64) int32 {
	switch f.of {
	case 1:
		return 0
	case FlowPerMessage:
		return int32(identity & math.MaxInt32)
	}
	ends := [2]topology.Node{from, to}
	turn := f.taken[ends]
	if turn.process != process {
		turn = flowTurn{process: process}
	}
	f.taken[ends] = flowTurn{process, (turn.next + 1) % f.of}
	return turn.next
}
