package netsim

import "contend/router/topology"

// Drop removes the messages of a job from the source queues of nodes, and returns how many messages
// will not be delivered. Packets that have left the queues go on. A message of which some have
// is delivered when the last of them arrives, and is shorter by the flits that were removed. The
// configuration must have Drops.
func (n *Network) Drop(job int32, nodes []topology.Node) (dropped int) {
	if !n.config.Drops {
		panic("netsim: Drop without Config.Drops")
	}
	gone := func(message, flits int32) {
		if message != none {
			m := &n.messages[message]
			m.Flits -= flits
			if m.missing -= (flits-1)/int32(n.config.PacketFlits) + 1; m.missing > 0 {
				return
			}
			n.free = append(n.free, message)
		}
		n.pending--
		dropped++
	}
	ofJob := func(_ topology.Node, of int32) bool { return of == job }
	for _, node := range nodes {
		for at := node; int(at) < n.wiring.Nodes(); at += n.nodes { // each network interface
			for _, m := range n.routers.Withdraw(nil, at, ofJob) {
				gone(m.Message, m.Flits)
			}
			if n.pairs != nil {
				n.pairs.drop(at, job, gone)
			}
		}
	}
	if n.failing != nil {
		n.failing.drop(job)
	}
	return dropped
}
