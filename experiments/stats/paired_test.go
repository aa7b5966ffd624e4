package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Student's own example: hours of sleep gained by ten patients under two drugs
// (Biometrika 6, 1908). R's t.test(extra ~ group, sleep, paired = TRUE) prints
// t = -4.0621, p = 0.002833 and the interval from -2.4598858 to -0.7001142.
func TestPairedTestOfSleep(t *testing.T) {
	a := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2}
	b := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	got := TestPairs(a, b, 0.95)
	want := Estimate{Mean: -1.58, Half: (2.4598858 - 0.7001142) / 2, N: 10}
	if diff := cmp.Diff(want, got.Difference, tiny); diff != "" {
		t.Error(diff)
	}
	if math.Abs(got.P-0.00283289) > 1e-8 {
		t.Errorf("p is %v, want 0.00283289", got.P)
	}
}

// A difference of 3 from 10 is a ratio of 1.3, whose logarithm is 0.262364.
func TestInTestedUnit(t *testing.T) {
	for ofRatio, want := range map[bool]float64{false: 3, true: 0.262364} {
		p := PairedTest{OfRatio: ofRatio}
		if got := p.InTestedUnit(3, 10); !(math.Abs(got-want) < 1e-6) {
			t.Errorf("of a ratio %v: %v, want %v", ofRatio, got, want)
		}
	}
}

// By hand: the residuals a - 1.25 b are -0.5, 1.25, -0.25, 0.5, -1, and the sum of
// their squares is 3.125. Student's t for 4 degrees of freedom is 2.776445.
func TestRatioOfMeans(t *testing.T) {
	a, b := []float64{12, 15, 11, 18, 14}, []float64{10, 11, 9, 14, 12}
	want := Estimate{Mean: 1.25, Half: 2.776445 * math.Sqrt(3.125/4) / math.Sqrt(5) / 11.2, N: 5}
	if diff := cmp.Diff(want, EstimateRatio(a, b, 0.95), tiny); diff != "" {
		t.Error(diff)
	}
}

// Where a value is 0 or less p is of the difference, and the ratio is of means and has no
// interval that could contradict it.
func TestPairsThatAreNotPositive(t *testing.T) {
	a := []float64{12, 15, 11, 18, 14}
	for _, k := range []struct {
		b     []float64
		ratio float64
	}{
		{[]float64{0, 11, 9, 14, 16}, 1.4}, {[]float64{-10, 11, -9, 14, 14}, 3.5},
		{[]float64{0, 0, 0, 0, 0}, math.NaN()},
	} {
		got := TestPairs(a, k.b, 0.95)
		nan := math.NaN()
		want := PairedRatio{Mean: k.ratio, Low: nan, High: nan, P: nan, N: 5}
		if diff := cmp.Diff(want, got.Ratio, tiny, cmpopts.EquateNaNs()); diff != "" || got.OfRatio {
			t.Errorf("%v: of the ratio %v: %s", k.b, got.OfRatio, diff)
		}
		if excluded := got.Difference.Half < got.Difference.Mean; excluded != (got.P < 0.05) {
			t.Errorf("%v: p is %v of %+v", k.b, got.P, got.Difference)
		}
	}
}

func TestPairsWithoutChance(t *testing.T) {
	nan := math.NaN()
	type values = []float64
	want := func(difference, ratio, p float64, n int) PairedTest {
		return PairedTest{Estimate{Mean: difference, Half: nan, N: n},
			PairedRatio{Mean: ratio, Low: nan, High: nan, P: p, N: n}, true, p}
	}
	proportion := want(2, 2, nan, 3)
	proportion.Difference.Half = 2.484138
	for _, c := range []struct {
		name string
		a, b values
		want PairedTest
	}{
		{"one pair", values{6}, values{4}, want(2, 1.5, nan, 1)},
		{"one equal pair", values{4}, values{4}, want(0, 1, nan, 1)},
		{"always equal", values{6, 7}, values{6, 7}, want(0, 1, 1, 2)},
		{"constant", values{6, 6}, values{6, 6}, want(0, 1, nan, 2)},
		{"always half", values{6, 6}, values{4, 4}, want(2, 1.5, nan, 2)},
		// Twice as much each time: the difference varies, the ratio does not.
		{"proportion", values{2, 4, 6}, values{1, 2, 3}, proportion},
	} {
		got := TestPairs(c.a, c.b, 0.95)
		if diff := cmp.Diff(c.want, got, tiny, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	// Differences of 2^-50 and 0 of values up to 1 are rounding.
	if p := TestPairs([]float64{1, 0}, []float64{1 - 0x1p-50, 0}, 0.95); p.P != 1 {
		t.Errorf("rounding is taken for a difference: %+v", p)
	}
	// 0.3 - 0.1 and 0.5 - 0.3 differ only by rounding.
	got := TestPairs([]float64{0.3, 0.5, 0}, []float64{0.1, 0.3, -0.2}, 0.95)
	if !math.IsNaN(got.P) || got.OfRatio {
		t.Errorf("rounding is taken for chance: %+v", got)
	}
}

// The interval of what p tests excludes no difference exactly if p is below 1 - confidence, and the
// ratio of b to a is the reciprocal of that of a to b.
func TestIntervalAgreesWithP(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, shift := range []float64{0, -50} { // positive values, and values around 0
		below := 0
		for range 500 {
			a, b := commonNoise(rng, 5, 0.5)
			for i := range a {
				a[i], b[i] = a[i]+shift, b[i]+shift
			}
			x, y := TestPairs(a, b, 0.8), TestPairs(b, a, 0.8).Ratio
			e := x.Tested()
			reverse := PairedRatio{1 / y.Mean, 1 / y.High, 1 / y.Low, y.P, y.N, 0}
			if diff := cmp.Diff(x.Ratio, reverse, tiny); x.OfRatio && diff != "" {
				t.Fatal(diff)
			}
			excluded := e.Half < math.Abs(e.Mean)
			if excluded != (x.P < 0.2) || x.OfRatio != (min(slices.Min(a), slices.Min(b)) > 0) {
				t.Fatalf("%+v", x)
			}
			if excluded {
				below++
			}
		}
		if below < 50 || below > 450 {
			t.Errorf("%d of 500 exclude 0, the test is of one case only", below)
		}
	}
}

// commonNoise draws pairs with means 50 + gain and 50 that share a large random part
// and have small ones of their own.
func commonNoise(rng *rand.Rand, n int, gain float64) (a, b []float64) {
	for range n {
		shared := 50 + 5*rng.NormFloat64()
		a = append(a, shared+gain+rng.NormFloat64())
		b = append(b, shared+rng.NormFloat64())
	}
	return a, b
}

// By hand; the first is R's p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
func TestHolm(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ p, want []float64 }{
		{[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{[]float64{0.02, 0.02, 0.02}, []float64{0.06, 0.06, 0.06}},         // ties
		{[]float64{0.011, 0.01, 0.5}, []float64{0.03, 0.03, 0.5}},          // 0.022 may not be below 0.03
		{[]float64{0.9, 0.4, 0.6}, []float64{1, 1, 1}},                     // no more than 1
		{[]float64{nan, 0.03, nan, 0.01}, []float64{nan, 0.03, nan, 0.02}}, // two tests
		{[]float64{0.04}, []float64{0.04}}, {nil, []float64{}}, {[]float64{nan}, []float64{nan}},
	} {
		if diff := cmp.Diff(c.want, Holm(c.p), tiny, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%v: %s", c.p, diff)
		}
	}
}

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
