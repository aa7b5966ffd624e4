package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
)

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
