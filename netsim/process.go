package netsim

import (
	"contend/router"
	"contend/router/topology"
)

// process is the sender of the messages of a node. Routings draw by its identity, by the number of
// the message among its messages, and by the number of the packet in the message. So a draw depends
// neither on the messages of other processes, nor on time.
type process struct {
	id   uint64
	sent int64 // messages
}

// newProcesses returns one process for each node, named after it.
func newProcesses(nodes int) []process {
	list := make([]process, nodes)
	for i := range list {
		list[i].id = uint64(i)
	}
	return list
}

// next returns the identity of the first packet of the next message.
func (p *process) next() int64 {
	p.sent++
	return router.Identity(p.id, p.sent-1)
}

// Begin starts a new process at a node, which sends its messages from now on. The draws of routings
// for their packets, and their flows, depend on the identity of the process and on its messages
// alone. Before the first Begin the identity is the number of the node.
func (n *Network) Begin(node topology.Node, id uint64) { n.processes[node] = process{id: id} }
