package patterns

import (
	"math/bits"
	"math/rand/v2"
)

// Order is the order in which a process sends its messages to all other processes.
type Order uint8

const (
	// OrderSame sends to 0, 1, 2, ... without the sender itself. All processes begin
	// with the same receiver.
	OrderSame Order = iota
	// OrderRotated sends from process i to i+1, i+2, ... round the ring. The first
	// messages of all processes form a permutation.
	OrderRotated
)

// toAll appends a message from one process to each of the others.
func (g group) toAll(dst []Message, from Rank, order Order) []Message {
	if order == OrderRotated {
		for d := Rank(1); d < g.n; d++ {
			dst = g.send(dst, from, g.shift(from, d))
		}
		return dst
	}
	for to := range g.n {
		if to != from {
			dst = g.send(dst, from, to)
		}
	}
	return dst
}

// AllToAll is the all-to-all broadcast of Lo, Windisch, Liu and Nitzberg (CIS-TR-94-11,
// sec. 4.2): every process sends to every other, O(n^2) messages at once. It has one
// phase of n(n-1) messages. Each process sends in the given order.
func AllToAll(n int, order Order, flits int32) Pattern {
	return allToAll{newGroup(n, flits), order}
}

type allToAll struct {
	group
	order Order
}

func (a allToAll) Phases() int     { return 1 }
func (a allToAll) Messages() int64 { return int64(a.n) * a.others() }

func (a allToAll) Phase(dst []Message, k int) []Message {
	for from := range a.n {
		dst = a.toAll(dst, from, a.order)
	}
	return dst
}

// OneToAll is the one-to-all broadcast of Lo et al. (CIS-TR-94-11, sec. 4.2). A random
// process, drawn anew in each iteration, sends to every other. It has one phase of n-1
// messages in the given order.
func OneToAll(n int, order Order, flits int32, rng *rand.Rand) Pattern {
	return oneToAll{newGroup(n, flits), order, rng}
}

type oneToAll struct {
	group
	order Order
	rng   *rand.Rand
}

func (o oneToAll) Phases() int     { return 1 }
func (o oneToAll) Messages() int64 { return o.others() }

func (o oneToAll) Phase(dst []Message, k int) []Message {
	return o.toAll(dst, o.draw(o.rng), o.order)
}

// AllToOne is a gather, the reverse of OneToAll. Every process sends to a random one,
// drawn anew in each iteration. It has one phase of n-1 messages, one for each sender.
func AllToOne(n int, flits int32, rng *rand.Rand) Pattern {
	return allToOne{newGroup(n, flits), rng}
}

type allToOne struct {
	group
	rng *rand.Rand
}

func (a allToOne) Phases() int     { return 1 }
func (a allToOne) Messages() int64 { return a.others() }

func (a allToOne) Phase(dst []Message, k int) []Message {
	root := a.draw(a.rng)
	for from := range a.n {
		if from != root {
			dst = a.send(dst, from, root)
		}
	}
	return dst
}

// BroadcastTree is a broadcast along a binomial tree from a random root, drawn anew in
// each iteration. Ranks count round the ring from the root. In phase b each rank r
// below 2^b has the data and sends them to r + 2^b. It has ceil(log2 n) phases and n-1
// messages.
func BroadcastTree(n int, flits int32, rng *rand.Rand) Pattern {
	return &broadcastTree{group: newGroup(n, flits), rng: rng}
}

type broadcastTree struct {
	group
	rng  *rand.Rand
	root Rank
}

func (b *broadcastTree) Phases() int     { return bits.Len32(uint32(b.n - 1)) }
func (b *broadcastTree) Messages() int64 { return b.others() }

func (b *broadcastTree) Phase(dst []Message, k int) []Message {
	if k == 0 {
		b.root = b.draw(b.rng)
	}
	have := Rank(1) << k
	for from := range b.n {
		r := b.shift(from, b.n-b.root)
		if r < have && r+have < b.n {
			dst = b.send(dst, from, b.shift(from, have))
		}
	}
	return dst
}
