package stats

import (
	"math"
	"testing"
)

// The first looks by hand: at 95% the error of 0.05 becomes 0.025, 0.05/6 and 0.05/12, and
// those of all looks sum up to 0.05.
func TestLooksShareTheError(t *testing.T) {
	for look, want := range map[int]float64{1: 0.975, 2: 1 - 0.05/6, 3: 1 - 0.05/12} {
		if got := LookConfidence(look, 0.95); math.Abs(got-want) > 1e-15 {
			t.Errorf("look %d has a confidence of %v, want %v", look, got, want)
		}
	}
	sum := 0.0
	for look := 1; look <= 100_000; look++ {
		sum += 1 - LookConfidence(look, 0.95)
	}
	if want := 0.05 * (1 - 1.0/100_001); math.Abs(sum-want) > 1e-9 {
		t.Errorf("100,000 looks have an error of %v together, want %v", sum, want)
	}
	if a, b := LookP(3, 0.01), LookP(3, 0.1); math.Abs(a-0.12) > 1e-15 || b != 1 {
		t.Errorf("p of 0.01 and 0.1 at the third look are %v and %v, want 0.12 and 1", a, b)
	}
}
