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
	for half, want := range map[float64]int{50: 18, 52: 17, 1e9: 2, 1e-9: maxValues} {
		if n := e.ValuesFor(half, 0.95); n != want {
			t.Errorf("%d values for %v, want %d", n, half, want)
		}
	}
}
