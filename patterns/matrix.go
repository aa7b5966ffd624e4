package patterns

import (
	"cmp"
	"fmt"
	"math/rand/v2"
)

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
// its flits carry. All random draws come from rng.
func NewMatrix(c Config, n int, shape []int, rng *rand.Rand) (*Matrix, error) {
	if n > MaxMatrix {
		return nil, fmt.Errorf("pattern %s: a matrix of %d processes: at most %d are possible",
			c.Name, n, MaxMatrix)
	}
	each := int64(1)
	if c.OwnSizes() {
		c.FlitBytes, c.PadFlits = 1, 1 // makes flits bytes
	} else {
		each = int64(cmp.Or(c.FlitBytes, 8))
	}
	c.Iterations, c.ComputeCycles, c.OperationsPerCycle, c.RendezvousFlits = 1, 0, 0, 0
	p, err := New(c, n, shape, 0, rng)
	if err != nil {
		return nil, err
	}
	m := &Matrix{N: n, Messages: make([]int64, n*n), Bytes: make([]int64, n*n)}
	err = Rehearse(p, func(x Message) {
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
