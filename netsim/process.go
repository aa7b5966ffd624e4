package netsim

import (
	"contend/router"
	"contend/router/topology"
)

// process is what sends the messages of a node. Routings draw by its identity, by the number of the
// message among its own, and by the number of the packet in the message. So a draw depends neither
// on what other processes have sent, nor on when.
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

// Begin has a new process send the messages of a node from now on. What routings draw for their
// packets, and which flows they take, depend on the identity of the process and on its own messages
// alone. Before the first Begin of a node its process has the number of the node as identity.
func (n *Network) Begin(node topology.Node, id uint64) { n.processes[node] = process{id: id} }
