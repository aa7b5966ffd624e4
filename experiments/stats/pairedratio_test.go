package stats

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// By hand: the ratios are 2, 4, 8 and 4, so their logarithms are ln 2 times 1, 2, 3 and 2. Their
// mean is 2 ln 2 and their deviation ln 2 times the root of 2/3. Student's t for 3 degrees of
// freedom is 3.182446 at 95%, so half of the interval is 3.182446 sqrt(2/3)/2 = 1.299228 times
// ln 2. The t of no difference is 2 sqrt(6) = 4.898979, and its p by the closed form of 3
// degrees of freedom, 1 - 2/pi (atan u + u/(1 + u^2)) with u = t/sqrt(3) = sqrt(8).
func TestRatioOfPairsByHand(t *testing.T) {
	a, b := []float64{20, 4, 800, 0.4}, []float64{10, 1, 100, 0.1}
	u := math.Sqrt(8)
	want := PairedRatio{Mean: 4, Low: math.Pow(2, 2-1.299228), High: math.Pow(2, 2+1.299228),
		P: 1 - 2/math.Pi*(math.Atan(u)+u/9), N: 4}
	got, ok := RatioOfPairs(a, b, 0.95)
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-5)); !ok || diff != "" {
		t.Errorf("%v %s", ok, diff)
	}
}

// Windows whose times differ twentyfold and whose ratios lie close together: the paired ratio
// tells them apart, the differences do not.
func TestRatioOfWindowsOfDifferentSize(t *testing.T) {
	b := []float64{1000, 20000, 3000, 1500, 9000}
	a := []float64{860, 17300, 2630, 1290, 7800}
	if _, p := differenceOfPairs(a, b, 0.95); p < 0.05 {
		t.Errorf("p is %v of the difference", p)
	}
	got := TestPairs(a, b, 0.95)
	if got.P > 0.001 || got.Ratio.High > 0.9 {
		t.Errorf("p is %v of the ratio %+v", got.P, got.Ratio)
	}
}

func TestNoRatioOfPairsThatAreNotPositive(t *testing.T) {
	for _, c := range [][2][]float64{{{1, 0}, {1, 1}}, {{1, 1}, {-1, 1}}, {{math.NaN()}, {1}},
		{nil, nil}} {
		if got, ok := RatioOfPairs(c[0], c[1], 0.95); ok {
			t.Errorf("%v over %v is %+v", c[0], c[1], got)
		}
	}
}

// Logarithms that differ by more than 2^-36, which is 1.46e-11, vary; less is rounding.
func TestRatioOfNearlyEqualPairs(t *testing.T) {
	for by, vary := range map[float64]bool{2.2e-11: true, 1e-11: false} {
		r, ok := RatioOfPairs([]float64{1, 1 + by}, []float64{1, 1}, 0.95)
		if !ok || math.IsNaN(r.Low) == vary {
			t.Errorf("by %v: %+v", by, r)
		}
	}
}
