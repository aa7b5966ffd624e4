package netsim

import (
	"contend/router"
	"contend/router/topology"
)

// process is the sender of the messages of a node. Routings draw by its identity, the number of the
// message among its messages, and the number of the packet in the message. So a draw depends
// neither on the messages of other processes, nor on time.
type process struct {
	id   uint64 // identity
	sent int64  // messages sent
}

// newProcesses returns one process for each node, named after it.
func newProcesses(nodes int) []process {
	list := make([]process, nodes)
	for i := range list {
		list[i].id = uint64(i)
	}
	return list
}

// next counts a message and returns the identity of its first packet.
func (p *process) next() int64 {
	p.sent++
	return router.Identity(p.id, p.sent-1)
}

// Begin starts a process at a node, which sends the messages of the node from now on. Draws and
// flows of its packets depend on its identity and its messages alone. Before the first Begin the
// identity is the number of the node.
func (n *Network) Begin(node topology.Node, id uint64) { n.processes[node] = process{id: id} }
