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

// The scatter within strata counts, and not that between them.
func TestEstimateStrata(t *testing.T) {
	e := EstimateStrata([][]float64{{1, 3}, {100, 100}, {10, 14}}, 0.95)
	// Variances 2, 0 and 8, of means of two: (2+8)/2 = 5. They have (2+8)²/(4+64) = 1.47 degrees of
	// freedom, for which numerical integration has t = 6.188115.
	if e.Mean != 114 || math.Abs(e.Half-6.188115*math.Sqrt(5)) > 1e-5 || e.N != 2 {
		t.Errorf("%+v", e)
	}
	// Three that vary alike have the degrees of freedom of all, and t = 3.182446.
	e = EstimateStrata([][]float64{{1, 3}, {6, 4}, {8, 10}, {5, 5}}, 0.95)
	if math.Abs(e.Half-3.182446*math.Sqrt(3)) > 1e-5 {
		t.Errorf("%+v", e)
	}
	// Parts that are slow together: variances 2 and 8, twice a covariance of 4 or -4, of two values.
	slow := EstimateStrata([][]float64{{1, 3}, {2, 6}}, 0.95)
	e = EstimateStrata([][]float64{{1, 3}, {6, 2}}, 0.95)
	if math.Abs(slow.Half/e.Half-math.Sqrt(1.8)) > 1e-12 {
		t.Errorf("half widths %v and %v of parts that vary together and against each other", slow, e)
	}
	if e = EstimateStrata([][]float64{{4, 4}, {5, 5}}, 0.95); e.Mean != 9 || !math.IsNaN(e.Half) {
		t.Errorf("without scatter: %+v", e)
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
