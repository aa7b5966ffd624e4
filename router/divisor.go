package router

import "math/bits"

// divisor divides by a number without a division, which takes many cycles: it is that number's
// reciprocal (Lemire, Kaser and Kurz, "Faster remainder by direct computation", Software: Practice
// and Experience 49, 2019). Rounded up it is too large by less than one part in 2^32 of a quotient,
// so quotients of numbers below 2^31 are exact.
type divisor uint64

// newDivisor returns the divisor of a number from 1 to below 2^31.
func newDivisor(d int32) divisor { return divisor(1<<63/uint64(d) + 1) }

// into returns how often the divisor goes into n, from 0 to below 2^31.
func (d divisor) into(n int32) int32 {
	q, _ := bits.Mul64(uint64(d), uint64(uint32(n))<<1)
	return int32(q)
}
