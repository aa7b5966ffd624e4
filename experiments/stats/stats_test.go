package stats

import (
	"math"
	"testing"
)

func TestEstimate(t *testing.T) {
	// Student's t for 4 degrees of freedom and 95% is 2.776445 (any table). The
	// standard deviation of 1..5 is the root of 2.5.
	e := EstimateOf([]float64{1, 2, 3, 4, 5}, 0.95)
	if want := 2.776445 * math.Sqrt(2.5) / math.Sqrt(5); e.Mean != 3 ||
		math.Abs(e.Half-want) > 1e-6 || e.N != 5 {
		t.Errorf("got %+v, want 3 ± %v", e, want)
	}
	if e := EstimateOf([]float64{7}, 0.95); e.Mean != 7 || !math.IsNaN(e.Half) {
		t.Errorf("one value gives %+v", e)
	}
	// Student's t for 1 degree of freedom is 12.706205, and the standard deviation the root of 1/2.
	if e := EstimateOf([]float64{1, 2}, 0.95); e.Mean != 1.5 || !(math.Abs(e.Half-6.3531024) < 1e-6) {
		t.Errorf("two values give %+v", e)
	}
	if e := EstimateOf([]float64{0.1, 0.1, 0.1}, 0.95); !math.IsNaN(e.Half) {
		t.Errorf("equal values give %+v", e)
	}
	// Values in a fixed proportion have a ratio without error.
	r := EstimateRatio([]float64{2, 4, 6}, []float64{1, 2, 3}, 0.95)
	if r.Mean != 2 || r.Half > 1e-12 {
		t.Errorf("got %+v, want 2 ± 0", r)
	}
	// With a constant denominator it is the plain interval.
	a := EstimateRatio([]float64{2, 4, 9}, []float64{2, 2, 2}, 0.95)
	b := EstimateOf([]float64{1, 2, 4.5}, 0.95)
	if math.Abs(a.Mean-b.Mean) > 1e-12 || math.Abs(a.Half-b.Half) > 1e-12 {
		t.Errorf("got %+v, want %+v", a, b)
	}
}

// A ratio to zero is undefined, not unbounded: figures leave it out.
func TestRatioToNothing(t *testing.T) {
	for _, a := range [][]float64{{0, 0}, {1, 2}, {3}} {
		if e := EstimateRatio(a, make([]float64, len(a)), 0.95); !math.IsNaN(e.Mean) ||
			!math.IsNaN(e.Half) {
			t.Errorf("%v over zeros is %+v", a, e)
		}
	}
	if e := EstimateRatio([]float64{2, 4}, []float64{1, 2}, 0.95); e.Mean != 2 || !math.IsNaN(e.Half) {
		t.Errorf("twice as much is %+v", e)
	}
}

// Of values that vary by 100 half of the 95% interval is 51.4 with 17 of them, and 49.7 with 18.
func TestValuesFor(t *testing.T) {
	e := Estimate{N: 10, Half: 2.262157163 * 100 / math.Sqrt(10)}
	for half, want := range map[float64]int{50: 18, 52: 17, 1e9: 2, 1e-9: 1_000_000} {
		if n := e.ValuesFor(half, 0.95); n != want {
			t.Errorf("%d values for %v, want %d", n, half, want)
		}
	}
}

// Values behind the last pair do not count.
func TestRatioOfPairedValues(t *testing.T) {
	want := EstimateRatio([]float64{2, 4, 9}, []float64{1, 3, 2}, 0.95)
	for _, b := range [][]float64{{1, 3, 2, 50}, {1, 3, 2, 0, 7}} {
		if got := EstimateRatio([]float64{2, 4, 9}, b, 0.95); got != want || got.Mean != 2.5 {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

func TestIntervalsInBounds(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		mean, half   float64
		bounds       Bounds
		low, high    float64
		below, above bool
	}{
		{3, 2, AtLeast(0), 1, 5, false, false},
		{3, 5, AtLeast(0), 0, 8, true, false},
		{3, 5, Bounds{-inf, 7}, -2, 7, false, true},
		{3, 5, Bounds{0, 7}, 0, 7, true, true},
		{5, 5, Bounds{0, 10}, 0, 10, false, false},
		{-1, 2, AtLeast(0), -1, 1, true, false}, // a mean out of bounds stays
		{9, 2, Bounds{0, 7}, 7, 9, false, true},
	} {
		e := Estimate{Mean: c.mean, Half: c.half, N: 5}
		low, high := e.Ends(c.bounds)
		below, above := e.Cut(c.bounds)
		if low != c.low || high != c.high || below != c.below || above != c.above {
			t.Errorf("%+v: from %v to %v, cut %v, %v", c, low, high, below, above)
		}
	}
}

// Half of the interval of 1, 2, 3 is 4.302653/√3 = 2.484, of 1.9, 2, 2.1 a tenth of it.
func TestDrifts(t *testing.T) {
	for _, c := range []struct {
		increases []float64
		threshold float64
		want      bool
	}{
		{[]float64{1, 2, 3}, 1, false},
		{[]float64{1.9, 2, 2.1}, 1, true},
		{[]float64{1.9, 2, 2.1}, 2, false},
		{[]float64{1.9, 2, 2.1}, 3, false},
		{[]float64{2, 2, 2}, 1, true},
		{[]float64{-1.9, -2, -2.1}, -3, false},
		{nil, -1, false},
	} {
		if got := Drifts(c.increases, c.threshold, 0.95); got != c.want {
			t.Errorf("%v above %v: %v", c.increases, c.threshold, got)
		}
	}
}
