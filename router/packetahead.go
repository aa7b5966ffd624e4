package router

import (
	"math/bits"
	"slices"

	"contend/router/topology"
)

// The packet engine waits for memory more than for anything else. It reads the state of many heads,
// links and nodes ahead, side by side.

// batch is the number of heads, links or nodes whose state is read ahead together. The processor
// then waits once for memory where it would wait for each. Reading has no branches that depend on
// the state: a wrong prediction would end what is under way.
const batch = 64

// readHeads reads the state that computing the routes of some heads, and sending them, needs.
func (e packetEngine) readHeads(list []int32) {
	var packets [batch]int32
	x, sum := e.x, 0
	for i, c := range list {
		packets[i] = e.vcs[c].packet
		k := &x.links[e.w.link(Channel(c))]
		sum += int(x.vcs[c].front) + int(k.credit) + int(k.port.sentAt)
	}
	for _, p := range packets[:len(list)] {
		sum += int(e.packets[p].To)
		if !e.stateless {
			sum += int(e.heads[p].Phase)
		}
	}
	x.sum = sum
}

// setVCSets computes the VCs that each of a list of heads may take, and then reads the state of the
// links that requesting them needs.
func (e packetEngine) setVCSets(c int32) {
	for i := c; i != none; i = e.vcs[i].next {
		e.setVCSet(&e.vcs[i], Channel(i))
	}
	sum := int64(0)
	for i := c; i != none; i = e.vcs[i].next {
		o := Channel(e.vcs[i].outputVC)
		l := e.w.link(o)
		sum += e.requests[e.queueOfLink(l)].servedAt + e.x.links[l].freeAt + e.x.links[l].load.flits
		if e.selector != nil {
			sum += int64(e.selector.pointers[o])
		}
	}
	e.x.sum = int(sum)
}

// serveLinks serves the queues of some links or groups of links. It picks VCs for many heads and
// reads the state of these VCs before it grants them.
func (e packetEngine) serveLinks(ids []int32) {
	for list := range slices.Chunk(ids, batch) {
		var picked [batch]int32
		for n, id := range list {
			q, o := &e.requests[id], int32(none)
			if q.servedAt == e.now {
				q.servedAt = never
				if o = unpicked; q.isAlone(e.Routers) {
					o = e.pickAlone(q.first, id)
				}
			}
			picked[n] = o
		}
		sum := int64(0)
		for _, o := range picked[:len(list)] { // few instructions, or the reads do not overlap
			o = max(0, o)
			sum += e.vcs[o].since + e.x.vcs[o].tailAt
		}
		e.x.sum = int(sum)
		for n, id := range list {
			if o := picked[n]; o >= 0 {
				e.grantAlone(&e.requests[id], Channel(o))
			} else if o == unpicked {
				e.allocate(&e.requests[id])
			}
		}
	}
}

// unpicked stands for the VCs of a queue whose heads serveLinks leaves to allocate.
const unpicked = -2

// readSenders reads the state that serving some links needs.
func (e packetEngine) readSenders(list []int32) {
	var fifos, packets [batch]int32
	x, sum := e.x, 0
	for i, l := range list {
		k := &x.links[l]
		set := k.pending
		if turn := set &^ (uint32(2)<<k.lastVC - 1); turn != 0 {
			set = turn
		}
		o := e.w.firstVC(Link(l)) + Channel(bits.TrailingZeros32(set)&31)
		if int(o) >= len(e.vcs) {
			o = 0
		}
		fifos[i] = max(0, e.vcs[o].holder)
		sum += int(x.vcs[o].last) + int(k.load.flits)
	}
	for i, c := range fifos[:len(list)] {
		packets[i] = max(0, e.vcs[c].packet)
		sum += int(x.vcs[c].front) + int(x.links[e.w.link(Channel(c))].port.sentAt)
	}
	for _, p := range packets[:len(list)] {
		sum += int(e.packets[p].Hops)
	}
	x.sum = sum
}

// readNodes reads the state that injection at some nodes needs.
func (e packetEngine) readNodes(list []topology.Node) {
	var entries [batch]*entry
	var vcs [batch]Channel
	x, sum := e.x, int64(0)
	for i, node := range list {
		q, c := &e.queues[node], e.w.injection[node]
		entries[i] = &q.ring[q.head]
		vcs[i] = c + Channel(wrapped(e.ports(node)[0].vc+1, int32(e.w.NodeVirtualChannels)))
		l := e.w.link(c)
		sum += x.links[l].freeAt + x.links[l].load.flits
	}
	for i, c := range vcs[:len(list)] {
		sum += int64(entries[i].flits) + e.vcs[c].since + x.vcs[c].tailAt
	}
	x.sum = int(sum)
}
