package netsim

import (
	"math"

	"contend/router/topology"
)

// FlowPerMessage is the value of Config.FlowsPerPair that makes every message a flow of its own.
const FlowPerMessage = -1

// maxFlows is the maximum number of flows between two nodes.
const maxFlows = 1 << 16

// flows numbers the flows of messages, for routings that give each flow a path. Flows are the queue
// pairs of two network interfaces, or their TCP connections. A process that begins at a node opens
// new ones.
type flows struct {
	perPair int32                         // flows of two interfaces, or FlowPerMessage
	turns   map[[2]topology.Node]flowTurn // by two interfaces: the flow of their next message
}

// flowTurn is the next flow of a process.
type flowTurn struct {
	process uint64 // identity
	next    int32  // flow of its next message
}

// newFlows returns the flows of a network. reads reports whether its routing reads them.
func newFlows(perPair int, reads bool) flows {
	if !reads {
		perPair = 1
	}
	return flows{perPair: int32(perPair), turns: map[[2]topology.Node]flowTurn{}}
}

// next returns the flow of the next message of a process between two interfaces. It takes the flows
// in turn. identity is the identity of the message's first packet.
func (f *flows) next(from, to topology.Node, process uint64, identity int64) int32 {
	switch f.perPair {
	case 1:
		return 0
	case FlowPerMessage:
		return int32(identity & math.MaxInt32)
	}
	ends := [2]topology.Node{from, to}
	turn := f.turns[ends]
	if turn.process != process {
		turn = flowTurn{process: process}
	}
	f.turns[ends] = flowTurn{process, (turn.next + 1) % f.perPair}
	return turn.next
}
