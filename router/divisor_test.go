package router

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A divisor gives the quotients of a division, at the ends of each quotient too.
func TestDivisor(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	check := func(n, d int32) {
		if got := newDivisor(d).into(n); got != n/d {
			t.Fatalf("%d / %d is %d, want %d", n, d, got, n/d)
		}
	}
	for range 200_000 {
		d := int32(1 + rng.Uint32()>>1>>rng.IntN(31))
		if d < 1 {
			continue
		}
		n := int32(rng.Uint32() >> 1)
		check(n, d)
		check(n/d*d, d)
		check(max(n/d*d-1, 0), d)
		check(math.MaxInt32, d)
		check(math.MaxInt32/d*d, d)
		check(0, d)
	}
}
