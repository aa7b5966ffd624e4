package allocation

import (
	"math/bits"
	"math/rand/v2"

	"contend/netsim/topology"
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

func newRandom(machine topology.Topology, stream *rand.Rand) *random {
	if stream == nil {
		panic("allocation: random needs a random stream")
	}
	return &random{machine.Nodes(), stream, make([]topology.Node, 0, machine.Nodes())}
}

// Check implements Allocator.
func (a *random) Check(req Request) error { return req.check(a.nodes) }

// Allocate implements Allocator: the first steps of a Fisher-Yates shuffle.
func (a *random) Allocate(dst []topology.Node, free *FreeSet, req Request) ([]topology.Node, bool) {
	req.mustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.free = free.AppendTo(a.free[:0])
	left := a.free
	for range req.Size {
		// Multiplication instead of rejection keeps the number of draws fixed. The bias
		// is below nodes/2^64.
		drawn, _ := bits.Mul64(a.stream.Uint64(), uint64(len(left)))
		dst = append(dst, left[drawn])
		left[drawn] = left[0]
		left = left[1:]
	}
	return dst, true
}
