package tree

import (
	"math/bits"
	"math/rand/v2"

	"contend/allocation"
	"contend/router/topology"
)

// random gives a job processors drawn uniformly from the free ones, wherever they are.
// Ranks are in the order of drawing [Lo et al. 1994, sec. 3.1]. It is the baseline,
// works on any machine and refuses only if too few processors are free.
//
// A placement takes exactly one word of the stream for each processor, and a refusal
// takes none. So the position in the stream depends only on the jobs placed.
type random struct {
	nodes  int
	stream *rand.Rand
	free   []topology.Node
}

// NewRandom returns random [Lo et al. 1994, sec. 3.1].
func NewRandom(machine topology.Topology, stream *rand.Rand) *random {
	mustDraw("random", stream)
	return &random{machine.Nodes(), stream, make([]topology.Node, 0, machine.Nodes())}
}

// Check implements Allocator.
func (a *random) Check(req allocation.Request) error { return req.Check(a.nodes) }

// CountDecides implements Counting.
func (a *random) CountDecides() bool { return true }

// Allocate implements Allocator: the first steps of a Fisher-Yates shuffle.
func (a *random) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.free = free.AppendTo(a.free[:0])
	left := a.free
	for range req.Size {
		var n topology.Node
		n, left = drawOne(a.stream, left)
		dst = append(dst, n)
	}
	return dst, true
}

// drawOne draws an entry of a list. It returns the entry and the other entries, in another order.
func drawOne[T any](stream *rand.Rand, list []T) (drawn T, left []T) {
	i := drawNumber(stream, len(list))
	drawn, list[i] = list[i], list[0]
	return drawn, list[1:]
}

// drawNumber draws a number from 0 to n-1. Multiplication instead of rejection keeps the
// number of draws fixed. The bias is below n/2^64.
func drawNumber(stream *rand.Rand, n int) int {
	drawn, _ := bits.Mul64(stream.Uint64(), uint64(n))
	return int(drawn)
}

// mustDraw panics unless an allocator that draws has a stream.
func mustDraw(allocator string, stream *rand.Rand) {
	if stream == nil {
		panic("allocation: " + allocator + " needs a random stream")
	}
}
