package router

import "contend/router/topology"

// Drop removes the messages of a job from the source queue of a node, without the packets that have
// left it, and reports each to dropped: its Offer.Message, and its flits that will not be sent.
func (b *Routers) Drop(node topology.Node, job int32, dropped func(message, flits int32)) {
	q := &b.queues[node]
	for n := q.count; n > 0; n-- {
		e := q.ring[q.head]
		if q.pop(); e.job == job {
			dropped(e.message, e.flits)
		} else {
			q.push(e)
		}
	}
}
