package netsim

import (
	"math"
	"math/bits"
	"slices"

	"contend/netsim/topology"
)

// dues are the next messages of nodes, of which each has one at most: a ring of cycles with a list
// of nodes each, and a heap of none. Messages that are further ahead than the ring is long wait
// apart, and come into it long before they are due.
type dues struct {
	mask    Cycle           // length of the ring, a power of two, less one
	now     Cycle           // no message is due before
	first   []topology.Node // by cycle: a node with a message due, or none
	next    []topology.Node // of each node, another one in its list, or none
	busy    []uint64        // a bit a cycle of the ring with a node in its list
	later   []due           // in no order
	soonest Cycle           // of them the first, or noDue
	taken   []topology.Node // see take
}

// due is a message that is due later.
type due struct {
	cycle Cycle
	node  topology.Node
}

// noDue is later than any message.
const noDue = Cycle(math.MaxInt64)

// mostRing bounds the length of the ring: one that fits no cache of a processor gains nothing.
const mostRing = 1 << 14

// newDues returns dues without messages of so many nodes, whose messages are so many cycles apart
// on average. Four times that is less than every fiftieth gap.
func newDues(nodes int, apart float64) dues {
	n := 64
	for n < mostRing && float64(n) < 4*apart {
		n *= 2
	}
	d := dues{mask: Cycle(n - 1), first: make([]topology.Node, n), next: make([]topology.Node, nodes),
		busy: make([]uint64, n/64), soonest: noDue}
	for i := range d.first {
		d.first[i] = none
	}
	return d
}

// add enters the next message of a node.
func (d *dues) add(cycle Cycle, n topology.Node) {
	if cycle-d.now > d.mask {
		d.later = append(d.later, due{cycle, n})
		d.soonest = min(d.soonest, cycle)
		return
	}
	i := cycle & d.mask
	d.busy[i>>6] |= 1 << (i & 63)
	d.next[n], d.first[i] = d.first[i], n
}

// cycle returns the first cycle in which a message is due, or noDue.
func (d *dues) cycle() Cycle {
	i := d.now & d.mask
	if word := d.busy[i>>6] >> (i & 63); word != 0 {
		return min(d.soonest, d.now+Cycle(bits.TrailingZeros64(word)))
	}
	for k := 64 - i&63; k <= d.mask+1; k += 64 {
		if word := d.busy[(i+k)&d.mask>>6]; word != 0 {
			return min(d.soonest, d.now+k+Cycle(bits.TrailingZeros64(word)))
		}
	}
	return d.soonest
}

// take takes the messages that are due in a cycle, which is that of the method cycle, and returns
// their nodes in ascending order. They are valid until the next call.
func (d *dues) take(cycle Cycle) []topology.Node {
	if d.now = cycle; d.soonest <= cycle+d.mask/2 {
		d.bringNear()
	}
	i := cycle & d.mask
	d.taken = d.taken[:0]
	for n := d.first[i]; n != none; n = d.next[n] {
		d.taken = append(d.taken, n)
	}
	d.first[i] = none
	d.busy[i>>6] &^= 1 << (i & 63)
	if len(d.taken) > 1 {
		slices.Sort(d.taken)
	}
	return d.taken
}

// bringNear moves messages into the ring that are no longer too far ahead.
func (d *dues) bringNear() {
	all := d.later
	d.later, d.soonest = d.later[:0], noDue
	for _, k := range all {
		d.add(k.cycle, k.node)
	}
}
