package experiments

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/metrics"
	"contend/experiments/stats"
	"contend/experiments/study"
)

// runsOfValues returns results with these waiting times.
func runsOfValues(values ...float64) []metrics.Result {
	var runs []metrics.Result
	for _, v := range values {
		runs = append(runs, metrics.Result{Metrics: []metrics.Metric{{Name: "jobs", Value: 1},
			{Name: "wait_time", Value: v}}})
	}
	return runs
}

func TestPairRuns(t *testing.T) {
	nan := math.NaN()
	three, gap, two := runsOfValues(1, 2, 3), runsOfValues(10, nan, 30, 40), runsOfValues(7, 8)
	for _, c := range []struct {
		name                 string
		x, y                 []metrics.Result
		constantX, constantY bool
		a, b                 []float64
	}{
		{"replications both have", three, two, false, false, []float64{1, 2}, []float64{7, 8}},
		{"a metric missing in one", three, gap, false, false, []float64{1, 3}, []float64{10, 30}},
		{"missing in the other", gap, three, false, false, []float64{10, 30}, []float64{1, 3}},
		{"a constant", runsOfValues(5), gap, true, false, []float64{5, 5, 5},
			[]float64{10, 30, 40}},
		{"to a constant", two, runsOfValues(5), false, true, []float64{7, 8}, []float64{5, 5}},
		{"constants", runsOfValues(5), runsOfValues(6), true, true, []float64{5}, []float64{6}},
		{"no runs", three, nil, false, true, nil, nil},
		{"no metric", runsOfValues(nan), runsOfValues(1), false, false, nil, nil},
	} {
		a, b := pairRuns(c.x, c.y, c.constantX, c.constantY, "wait_time")
		if diff := cmp.Diff([][]float64{c.a, c.b}, [][]float64{a, b}); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// jumpingRuns returns runs with service times, each with its own rate_error in percent.
func jumpingRuns(times, errors []float64) (runs []metrics.Result) {
	for i, v := range times {
		runs = append(runs, metrics.Result{Metrics: []metrics.Metric{{Name: "finish_time", Value: 9 * v},
			{Name: "service_time", Value: v}, {Name: "submitted_load", Value: 0.5},
			{Name: "rate_error", Value: errors[i]}, {Name: "packet_blocking_error", Value: 7},
			{Name: "packet_blocking_time", Value: 10}, {Name: "service_time_size_1", Value: v}}})
	}
	return runs
}

// jumping returns results of two points that jump over time.
func jumping(confidence float64, a, b []metrics.Result) *Results {
	r := &Results{Study: &study.Study{}, Points: make([]study.Point, 2),
		Runs: [][]metrics.Result{a, b}}
	r.Study.Runs.Confidence = confidence
	for i := range r.Points {
		r.Points[i].Spec.FastForward, r.Points[i].Hash = 0.05, string(rune('a'+i))
	}
	return r
}

// near reports whether two numbers agree to nine digits, or are both NaN.
func near(x, y float64) bool {
	return x == y || math.Abs(x-y) <= 1e-9*math.Abs(y) || math.IsNaN(x) && math.IsNaN(y)
}

// Intervals have the half widths of the sample and of jumps: of 100, 110 and 120 with errors of 2, 3
// and 4% these are t(2) 10/√3 = 24.841 and (2 + 3.3 + 4.8)/3.
func TestIntervalsHaveTheErrorOfJumps(t *testing.T) {
	nan := math.NaN()
	r := jumping(0.95, jumpingRuns([]float64{100, 110, 120}, []float64{2, 3, 4}),
		jumpingRuns([]float64{50, 60, 55}, []float64{1, 0, 2}))
	one := jumping(0.95, jumpingRuns([]float64{544780}, []float64{3.6}),
		jumpingRuns([]float64{100}, []float64{0}))
	same := jumping(0.99, jumpingRuns([]float64{100, 100}, []float64{1, 3}), nil)
	for _, c := range []struct {
		of                 *Results
		point              int
		metric             string
		mean, half, shared float64
	}{
		{r, 0, "service_time", 110, 28.208043785, 10.1 / 3},
		{r, 0, "finish_time", 990, 9 * 24.841377118, nan},
		{r, 0, "service_time_size_1", 110, 24.841377118, nan},
		{r, 0, "submitted_load", 0.5, nan, 0},
		{r, 0, "packet_blocking_time", 10, 0.7, 0.7},
		{r, 0, "rate_error", 3, 2.4841377118, 0},
		{one, 0, "service_time", 544780, 19612.08, 19612.08},
		{one, 0, "finish_time", 9 * 544780, nan, nan},
		{one, 1, "service_time", 100, nan, 0}, // all jumps are exact
		{one, 1, "finish_time", 900, nan, 0},
		{same, 0, "service_time", 100, 2 * math.Log(0.01) / math.Log(0.05), 2 * 1.537243573},
	} {
		e, ok := c.of.Estimate(c.point, c.metric)
		if !ok || !near(e.Mean, c.mean) || !near(e.Half, c.half) || !near(e.Shared, c.shared) {
			t.Errorf("%s of point %d: %v, want %v ± %v with %v of jumps", c.metric, c.point, e, c.mean,
				c.half, c.shared)
		}
	}

	// Pairs: the differences 50, 50 and 65 have t(2) 8.66/√3 = 21.513, and jumps 10.1/3 and 1.6/3.
	pairs := r.TestPairs(0, 1, "service_time", 0.95)
	if d := pairs.Difference; !near(d.Half, 21.513263650+11.7/3) || !near(d.Shared, 11.7/3) {
		t.Errorf("difference %v", d)
	}
	ratio, _ := r.PairedRatio(0, 1, "service_time")
	if ratio != pairs.Ratio || !near(ratio.Low, 1.547158393) || !near(ratio.High, 2.585384934) ||
		!near(pairs.P, 0.005874071621) {
		t.Errorf("ratio %v, P %v", ratio, pairs.P)
	}
	// 330/165: the residuals 0, -10 and 10 have t(2) 10/√3/55, and jumps (10.1/3 + 2 · 1.6/3)/55.
	if e, _ := r.Ratio(0, 1, "service_time"); !near(e.Half, 0.532267463) {
		t.Errorf("ratio of means %v", e)
	}
	if e, _ := r.Ratio(0, 0, "service_time"); e.Mean != 1 || e.Shared != 0 || !math.IsNaN(e.Half) {
		t.Errorf("ratio of a point to itself: %v", e)
	}
	if ratio, _ := one.PairedRatio(0, 1, "service_time"); !near(ratio.High, 5447.8/0.964) ||
		!near(ratio.Low, 5447.8*0.964) || !math.IsNaN(ratio.P) {
		t.Errorf("ratio of one pair: %v", ratio)
	}
	if ratio, _ := r.PairedRatio(0, 1, "finish_time"); !math.IsNaN(ratio.Shared) ||
		!near(ratio.P, 0.005211640689) {
		t.Errorf("ratio with unknown errors: %v", ratio)
	}
}

// No interval is narrower than that of jumps, which holds what each run says of itself, nor than
// that of the sample, and a paired interval leaves out equality exactly if p is below 1 less the
// confidence.
func TestIntervalsAreNeverNarrowerThanTheirParts(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 1 + rng.IntN(6)
		draw := func() (values, errors []float64) {
			for range n {
				values = append(values, 1+math.Exp(3*rng.Float64()))
				errors = append(errors, 30*rng.Float64()*float64(rng.IntN(2)))
			}
			return values, errors
		}
		confidence := []float64{0.8, 0.95, 0.99}[rng.IntN(3)]
		a, off := draw()
		b, offB := draw()
		r := jumping(confidence, jumpingRuns(a, off), jumpingRuns(b, offB))
		low, high, ratioLow, ratioHigh := 0.0, 0.0, 0.0, 0.0
		for i := range n {
			low, high = low+a[i]*(1-off[i]/100)/float64(n), high+a[i]*(1+off[i]/100)/float64(n)
			ratioLow += math.Log(a[i]*(1-off[i]/100)/b[i]/(1+offB[i]/100)) / float64(n)
			ratioHigh += math.Log(a[i]*(1+off[i]/100)/b[i]/(1-offB[i]/100)) / float64(n)
		}
		e, _ := r.Estimate(0, "service_time")
		if sampled := stats.EstimateOf(a, confidence); high > low && (e.Mean-e.Half > low+1e-9 ||
			e.Mean+e.Half < high-1e-9) || e.Half < sampled.Half {
			t.Errorf("seed %d: %v, jumps from %v to %v, sample %v", seed, e, low, high, sampled)
		}
		pairs := r.TestPairs(0, 1, "service_time", confidence)
		p := pairs.Ratio
		if p.Shared > 0 && (math.Log(p.Low) > ratioLow+1e-9 || math.Log(p.High) < ratioHigh-1e-9) {
			t.Errorf("seed %d: %v, jumps from %v to %v", seed, p, math.Exp(ratioLow), math.Exp(ratioHigh))
		}
		if excludes := p.Low > 1 || p.High < 1; n > 1 && excludes != (pairs.P < 1-confidence) {
			t.Errorf("seed %d: %v with P %v at %v", seed, p, pairs.P, confidence)
		}
		if d := pairs.Difference; d.Half < d.Shared {
			t.Errorf("seed %d: %v", seed, d)
		}
	}
}
