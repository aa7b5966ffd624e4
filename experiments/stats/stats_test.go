package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/stat"
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

// The sums are those of amd64, to the last bit. To run the test for another processor
// set GOARCH and a go test -exec that can run its programs.
func TestStatisticsAreTheSameOnEveryProcessor(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, want := range []string{
		"0x1.afa4c23a21676p+15 0x1.551d780b0ba0ap+13 0x1.47b171edcc88cp-01 0x1.113c62cac8e57p-04 " +
			"0x1.1d4e48f130004p-19 0x1.48f09d212c601p-01 0x1.27511591faa35p-01 0x1.07313347b3646p-23",
		"0x1.778221b52c2cbp+15 0x1.5c009e56b20c1p+15 0x1.4e67a1caf3a73p-01 0x1.4816c6242718bp-05 " +
			"0x1.a934359102589p-05 0x1.5845e08da1c76p-01 0x1.33dfbabefc219p-01 0x1.3704c29e34752p-11",
		"0x1.f9ed5c22f6638p+15 0x1.d6f2f20beaf19p+13 0x1.39b2c3867b768p-01 0x1.dcb3184281635p-05 " +
			"0x1.aa40442416818p-18 0x1.390f4910a6cccp-01 0x1.1afa6357da01dp-01 0x1.0a15693a7e46ep-28",
		"0x1.bfd4f4e1cd937p+15 0x1.65b4cd7894238p+14 0x1.6b84a0f6af6b7p-01 0x1.759fe1b9ab375p-03 " +
			"0x1.8e75b0cce9ed7p-05 0x1.77c4c007b8dedp-01 0x1.3a560beb0d8efp-01 0x1.0439f50ddd6ep-08",
	} {
		a, b := make([]float64, 3+rng.IntN(20)), make([]float64, 0)
		for i := range a {
			a[i] = 1e5 * rng.Float64()
			b = append(b, a[i]*(1+rng.Float64())+1e3)
		}
		e, r := EstimateOf(a, 0.95), EstimateRatio(a, b, 0.95)
		_, p := differenceOfPairs(a, b, 0.95)
		q, _ := RatioOfPairs(a, b, 0.95)
		if got := fmt.Sprintf("%x %x %x %x %x %x %x %x", e.Mean, e.Half, r.Mean, r.Half, p, q.Mean,
			q.Low, q.P); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// Own statistics equal those of the library up to rounding.
func TestOwnStatistics(t *testing.T) {
	for n := 2; n < 100; n++ {
		rng := rand.New(rand.NewPCG(uint64(n), 0))
		values := make([]float64, n)
		for i := range values {
			values[i] = 1e6 + rng.NormFloat64()
		}
		mean, deviation := stat.MeanStdDev(values, nil)
		if math.Abs(Mean(values)/mean-1) > 1e-14 ||
			math.Abs(sampleDeviation(values)/deviation-1) > 1e-6 {
			t.Errorf("%d values: %v ± %v, want %v ± %v", n, Mean(values), sampleDeviation(values),
				mean, deviation)
		}
	}
	if x := studentQuantile(9, 0.975); math.Abs(x-2.262157163) > 1e-9 {
		t.Errorf("t of 9 degrees is %v", x)
	}
}

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

// tiny lets numbers differ by rounding.
var tiny = cmpopts.EquateApprox(0, 1e-6)
