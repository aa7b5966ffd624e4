package stats

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The worked example of the nearest rank: of 15, 20, 35, 40 and 50 the 5th percentile is 15,
// the 30th and 40th are 20, the 50th is 35 and the 100th 50.
func TestPercentileOfWorkedExample(t *testing.T) {
	values := []float64{15, 20, 35, 40, 50}
	for percent, want := range map[int]float64{0: 15, 5: 15, 20: 15, 21: 20, 30: 20, 40: 20,
		50: 35, 60: 35, 80: 40, 81: 50, 100: 50} {
		if got := Percentile(values, percent); got != want {
			t.Errorf("%d%% of %v is %v, want %v", percent, values, got, want)
		}
	}
	// 99% of 100 values do not exceed the 99th, and of 101 values the 100th.
	if a, b := Rank(99, 100), Rank(99, 101); a != 98 || b != 99 {
		t.Errorf("places %d and %d, want 98 and 99", a, b)
	}
}

// Counts agrees with sorted values below 8192, and with those values rounded down to 13
// binary digits above.
func TestCountsAgreeWithSortedValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, most := range []int64{1, 5, 8191, 8192, 8193, 1 << 20, 1 << 62} {
		var c Counts
		var values []float64
		for range 997 {
			v := rng.Int64N(most + 1)
			c.Add(v)
			values = append(values, float64(leading13(v)))
		}
		slices.Sort(values)
		for percent := range 101 {
			if got, want := float64(c.Percentile(percent)), Percentile(values, percent); got != want {
				t.Errorf("%d%% of values to %d is %v, want %v", percent, most, got, want)
			}
		}
	}
	var c Counts
	c.Add(8191)
	c.Add(8193)      // 14 digits: the last one goes
	c.Add(1<<20 + 9) // 21 digits: eight go
	for percent, want := range map[int]int64{33: 8191, 66: 8192, 99: 1 << 20} {
		if got := c.Percentile(percent); got != want {
			t.Errorf("%d%% is %d, want %d", percent, got, want)
		}
	}
}

// leading13 sets all but the leading 13 binary digits to 0, one at a time.
func leading13(v int64) int64 {
	for bit := int64(1); v >= 8192*bit; bit <<= 1 {
		v &^= bit
	}
	return v
}
