package scheduler

import (
	"math"
	"testing"
)

// The latest cycle is the largest of which any two have a sum.
func TestMaxCycle(t *testing.T) {
	if sum := uint64(MaxCycle) + uint64(MaxCycle); sum > math.MaxInt64 || sum+2 <= math.MaxInt64 {
		t.Errorf("twice the latest cycle is %d, the largest number %d", sum, int64(math.MaxInt64))
	}
	if got := (Clock{}).Cycles(1e300); got != MaxCycle {
		t.Errorf("1e300 seconds are %d cycles, want %d", got, MaxCycle)
	}
}
