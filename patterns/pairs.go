package patterns

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Pair is two processes of which one sends to the other.
type Pair struct {
	// From is the sender and To the receiver, two different processes.
	From, To Rank
}

// Pairs returns the pairs of processes that may exchange messages in an iteration of a pattern,
// each once, ordered by sender and then by receiver. A pattern without random draws has the same
// pairs in every iteration. For a pattern that draws, Pairs returns all pairs that some draw makes.
// No pair is missing, so two jobs whose pairs share no channel of a network never wait for each
// other.
func Pairs(c Config, n int, shape []int) ([]Pair, error) {
	if g, err := c.taskGraph(n, shape); err != nil {
		return nil, err
	} else if g != nil {
		return distinct(g.Pairs(c)), nil
	}
	if OwnSizes(c.Name) {
		code, err := NewCode(c, n)
		if err != nil {
			return nil, err
		}
		if c.Draws() {
			return allPairsOf(Rank(n)), nil
		}
		return codePairs(code, Rank(n)), nil
	}
	c.Repeat = 1 // a suite repeats the same messages
	p, err := NewPattern(c, n, shape, nil)
	if err != nil {
		return nil, err
	}
	switch {
	case p.Messages() == 0:
		return nil, nil
	case c.Name == "broadcast-tree" && c.Own == nil:
		return treePairs(Rank(n)), nil
	case c.Draws():
		return allPairsOf(Rank(n)), nil
	}
	return phasePairs(p), nil
}

// codePairs returns the pairs of a code.
func codePairs(code Code, n Rank) (pairs []Pair) {
	var part []Operation
	for r := range n {
		start := len(pairs)
		for k := range code.Parts() {
			part = code.Part(part[:0], r, k)
			for _, o := range part {
				if o.kind == sendOperation {
					pairs = append(pairs, Pair{r, o.peer})
				}
			}
		}
		pairs = pairs[:start+len(distinct(pairs[start:]))]
	}
	return pairs
}

// phasePairs returns the pairs of a pattern in phases without random draws.
func phasePairs(p Pattern) (pairs []Pair) {
	var phase []Message
	known := 0 // number of pairs after the last call of distinct
	for k := range p.Phases() {
		phase = p.Phase(phase[:0], k)
		for _, m := range phase {
			pairs = append(pairs, Pair{m.From, m.To})
		}
		if len(pairs) > 2*known+1024 {
			pairs = distinct(pairs)
			known = len(pairs)
		}
	}
	return distinct(pairs)
}

// treePairs returns the pairs of a broadcast along a binomial tree from any root: a
// process sends to those that are a power of two further round the ring.
func treePairs(n Rank) []Pair {
	g := group{n, 1}
	pairs := make([]Pair, 0, int(n)*bits.Len32(uint32(n-1)))
	for from := range n {
		for distance := Rank(1); distance < n; distance *= 2 {
			pairs = append(pairs, Pair{from, g.shift(from, distance)})
		}
	}
	return distinct(pairs)
}

// allPairsOf returns all pairs of n processes.
func allPairsOf(n Rank) []Pair {
	pairs := make([]Pair, 0, int(n)*int(n-1))
	for from := range n {
		for to := range n {
			if to != from {
				pairs = append(pairs, Pair{from, to})
			}
		}
	}
	return pairs
}

// distinct sorts pairs and drops duplicates.
func distinct(pairs []Pair) []Pair {
	slices.SortFunc(pairs, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return slices.Compact(pairs)
}

// Matrix is the traffic between each pair of processes.
type Matrix struct {
	// N is the number of processes, from 1 to MaxMatrix.
	N int
	// Messages and Bytes are matrices of N rows, one for each sender. Process i sends
	// Messages[i*N+j] messages and Bytes[i*N+j] bytes to process j, both at least 0.
	Messages, Bytes []int64
}

// MaxMatrix is the greatest number of processes of a Matrix.
const MaxMatrix = 4096

// NewMatrix returns the traffic of one iteration of a pattern for n processes, where
// each message arrives at once. For a pattern that counts in flits, the bytes are those
// its flits carry; of vectors of 2 GiB or more they are rounded up to flits of a few bytes.
// All random draws come from rng.
func NewMatrix(c Config, n int, shape []int, rng *rand.Rand) (*Matrix, error) {
	if n > MaxMatrix {
		return nil, fmt.Errorf("pattern %s: a matrix of %d processes: at most %d are possible",
			c.Name, n, MaxMatrix)
	}
	each := int64(1)
	if c.OwnSizes() {
		each = max(1, up(c.Bytes, math.MaxInt32)) // makes flits bytes, as long as they are enough
		c.FlitBytes, c.PadFlits = int(each), 1
	} else {
		each = int64(cmp.Or(c.FlitBytes, 8))
	}
	c.Iterations, c.ComputeCycles, c.OperationsPerCycle, c.RendezvousFlits = 1, 0, 0, 0
	p, err := New(c, n, shape, 0, rng)
	if err != nil {
		return nil, err
	}
	m := &Matrix{N: n, Messages: make([]int64, n*n), Bytes: make([]int64, n*n)}
	_, err = Rehearse(p, func(x Message) {
		i := int(x.From)*n + int(x.To)
		m.Messages[i]++
		m.Bytes[i] += each * int64(x.Flits)
	})
	if err != nil {
		return nil, fmt.Errorf("pattern %s: %w", c.Name, err)
	}
	return m, nil
}

// Sum returns the total of messages and bytes.
func (m *Matrix) Sum() (messages, bytes int64) {
	for i := range m.Messages {
		messages += m.Messages[i]
		bytes += m.Bytes[i]
	}
	return messages, bytes
}

// Partners returns the minimum and the maximum number of processes that a process sends to.
func (m *Matrix) Partners() (lowest, highest int) {
	lowest = m.N
	for i := range m.N {
		count := 0
		for _, x := range m.Messages[i*m.N : (i+1)*m.N] {
			if x > 0 {
				count++
			}
		}
		lowest, highest = min(lowest, count), max(highest, count)
	}
	return lowest, highest
}
