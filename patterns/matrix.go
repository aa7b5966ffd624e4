package patterns

import (
	"cmp"
	"fmt"
	"math/rand/v2"
)

// Matrix is who sends how much to whom.
type Matrix struct {
	N int
	// Messages and Bytes have a row for each sender: process i sends
	// Bytes[i*N+j] bytes to process j.
	Messages, Bytes []int64
}

// MaxMatrix bounds the number of processes of a Matrix.
const MaxMatrix = 4096

// NewMatrix returns what one iteration of a pattern sends, for n processes,
// each message arriving at once. Bytes of a pattern that counts in flits are
// those its flits carry. What the pattern draws comes from rng.
func NewMatrix(c Config, n int, shape []int, rng *rand.Rand) (*Matrix, error) {
	if n > MaxMatrix {
		return nil, fmt.Errorf("pattern %s: a matrix of %d processes: there may be %d",
			c.Name, n, MaxMatrix)
	}
	each := int64(1)
	if hasCode(c.Name) {
		c.FlitBytes, c.PadFlits = 1, 1 // so flits are bytes
	} else {
		each = int64(cmp.Or(c.FlitBytes, 8))
	}
	c.Iterations, c.ComputeCycles = 1, 0
	p, err := New(c, n, shape, 0, rng)
	if err != nil {
		return nil, err
	}
	m := &Matrix{N: n, Messages: make([]int64, n*n), Bytes: make([]int64, n*n)}
	next := []Message(nil)
	for flight := p.Start(nil); len(flight) > 0; flight, next = next, flight {
		next = next[:0]
		for _, x := range flight {
			i := int(x.From)*n + int(x.To)
			m.Messages[i]++
			m.Bytes[i] += each * int64(x.Flits)
			next = p.Delivered(next, x)
		}
	}
	return m, nil
}

// Sum returns all messages and all bytes.
func (m *Matrix) Sum() (messages, bytes int64) {
	for i := range m.Messages {
		messages += m.Messages[i]
		bytes += m.Bytes[i]
	}
	return messages, bytes
}

// Partners returns how many processes a process sends to, the least and the
// greatest number.
func (m *Matrix) Partners() (least, most int) {
	least = m.N
	for i := range m.N {
		count := 0
		for _, x := range m.Messages[i*m.N : (i+1)*m.N] {
			if x > 0 {
				count++
			}
		}
		least, most = min(least, count), max(most, count)
	}
	return least, most
}
