package netsim

import (
	"math"

	"contend/router/topology"
)

// FlowPerMessage is the value of Config.FlowsPerPair that makes every message a flow of its own.
const FlowPerMessage = -1

// maxFlows is the maximum number of flows between two nodes.
const maxFlows = 1 << 16

// flows numbers the flows of messages, for routings that give each a path: the queue pairs of two
// network interfaces, or their TCP connections. A process that begins at a node opens new ones.
type flows struct {
	perPair int32                         // flows of two interfaces, or FlowPerMessage
	taken   map[[2]topology.Node]flowTurn // by two interfaces: the next flow
}

// flowTurn is the flow that the next message of a process takes.
type flowTurn struct {
	process uint64
	next    int32
}

// newFlows returns the flows of a network. reads says that its routing reads them.
func newFlows(perPair int, reads bool) flows {
	if !reads {
		perPair = 1
	}
	return flows{perPair: int32(perPair), taken: map[[2]topology.Node]flowTurn{}}
}

// next returns the flow of the next message of a process between two interfaces: each flow of the
// two in turn. identity is that of its first packet.
func (f *flows) next(from, to topology.Node, process uint64, identity int64) int32 {
	switch f.perPair {
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
	f.taken[ends] = flowTurn{process, (turn.next + 1) % f.perPair}
	return turn.next
}
