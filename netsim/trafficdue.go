package netsim

import "contend/router/topology"

// due is the next message of a node.
type due struct {
	cycle Cycle // in which the node creates it
	node  topology.Node
}

// dues is a heap of the next messages of all nodes that send: the first is due first, and of
// several in one cycle that of the lowest node.
type dues []due

// before reports whether a message comes before another one.
func (d due) before(other due) bool {
	return d.cycle < other.cycle || d.cycle == other.cycle && d.node < other.node
}

// putOff delays the first message by some cycles.
func (d dues) putOff(cycles Cycle) {
	d[0].cycle += cycles
	d.sink(0)
}

// sink moves an entry behind those that come before it.
func (d dues) sink(i int) {
	for k := d[i]; ; {
		below := 2*i + 1
		if below+1 < len(d) && d[below+1].before(d[below]) {
			below++
		}
		if below >= len(d) || !d[below].before(k) {
			d[i] = k
			return
		}
		d[i], i = d[below], below
	}
}
