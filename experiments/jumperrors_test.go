package experiments

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/experiments/metrics"
	"contend/experiments/stats"
	"contend/experiments/study"
)

// jumped is what the audits of a run say, in percent: the half width of the interval if there is no
// other run, the bias, and the part of the half width by jams that none has seen, and their number.
type jumped struct{ half, bias, unseen, audits float64 }

// jumpingRuns returns runs with service times.
func jumpingRuns(times []float64, errors []jumped) (runs []metrics.Result) {
	for i, v := range times {
		e := errors[i]
		runs = append(runs, metrics.Result{Metrics: []metrics.Metric{
			{Name: "finish_time", Value: 9 * v}, {Name: "service_time", Value: v},
			{Name: "submitted_load", Value: 0.5},
			{Name: "service_time_error", Value: e.half}, {Name: "service_time_bias", Value: e.bias},
			{Name: "unseen_jams", Value: e.unseen}, {Name: "jumps_audited", Value: e.audits},
			{Name: "slowdown_by_others", Value: 2}, {Name: "slowdown_by_others_error", Value: 3},
			{Name: "packet_blocking_error", Value: 7}, {Name: "packet_blocking_time", Value: 10},
			{Name: "service_time_size_1", Value: v}}})
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

// Intervals have the squares of the half widths of the sample and of jumps. Times of 100, 110 and
// 120 with t(2) 10/√3 = 24.841 have biases of 1, 1.1 and 1.44, a mean of 1.18 with t(2) 0.23065/√3
// = 0.57297, and unseen jams of 0.6% in each, 0.66/3 in the mean.
func TestIntervalsHaveTheErrorOfJumps(t *testing.T) {
	nan := math.NaN()
	r := jumping(0.95,
		jumpingRuns([]float64{100, 110, 120},
			[]jumped{{2, 1, 0.6, 20}, {3, 1, 0.6, 19}, {4, 1.2, 0.6, 20}}),
		jumpingRuns([]float64{50, 60, 55}, []jumped{{1, -0.2, 0, 80}, {}, {2, 0.1, 0, 2}}))
	one := jumping(0.95, jumpingRuns([]float64{544780}, []jumped{{3.6, 1, 1, 9}}),
		jumpingRuns([]float64{100}, make([]jumped, 1)))
	same := jumping(0.99, jumpingRuns([]float64{100, 100},
		[]jumped{{1, nan, 0, 0}, {3, 0, 0, 5}}), nil)
	wide := jumping(0.95, jumpingRuns([]float64{100, 100}, []jumped{{1, 0, 0, 9}, {3, 1, 0, 9}}), nil)
	for _, c := range []struct {
		of                 *Results
		point              int
		metric             string
		mean, half, shared float64
	}{
		{r, 0, "service_time", 110, 24.91960324086772, 1.972969473112407},
		{r, 0, "finish_time", 990, 9 * 24.841377118, nan},
		{r, 0, "service_time_size_1", 110, 24.841377118, nan},
		{r, 0, "submitted_load", 0.5, nan, 0},
		{r, 0, "packet_blocking_time", 10, 0.7, 0.7}, // no audit has seen a wait
		{one, 0, "slowdown_by_others", 2, 2 * math.Hypot(0.036, 0.03), 2 * math.Hypot(0.036, 0.03)},
		{one, 0, "service_time", 544780, 19612.08, 19612.08},
		{one, 0, "finish_time", 9 * 544780, nan, nan},
		{one, 1, "service_time", 100, nan, 0}, // all jumps are exact
		{one, 1, "finish_time", 900, nan, 0},
		{same, 0, "service_time", 100, 2 * math.Log(0.01) / math.Log(0.05), 2 * 1.537243573},
		{wide, 0, "service_time", 100, 2, 2}, // and not 0.5 + t(1) 0.5 = 6.9
	} {
		e, ok := c.of.Estimate(c.point, c.metric)
		if !ok || !near(e.Mean, c.mean) || !near(e.Half, c.half) || !near(e.Shared, c.shared) {
			t.Errorf("%s of point %d: %v, want %v ± %v with %v of jumps", c.metric, c.point, e, c.mean,
				c.half, c.shared)
		}
	}

	// Pairs: the differences 50, 50 and 65 have t(2) 8.66/√3 = 21.513, and biases of 1.1, 1.1 and
	// 1.385.
	pairs := r.TestPairs(0, 1, "service_time", 0.95)
	if d := pairs.Difference; !near(d.Half, 21.590428070024487) ||
		!near(d.Shared, 1.8237520093415711) {
		t.Errorf("difference %v", d)
	}
	ratio, _ := r.PairedRatio(0, 1, "service_time")
	if ratio != pairs.Ratio || !near(ratio.Low, 1.6103255160916) ||
		!near(ratio.High, 2.4839698309621) || !near(ratio.Shared, 0.01560526900821753) ||
		!near(pairs.P, 0.005238592841064) {
		t.Errorf("ratio %v, P %v", ratio, pairs.P)
	}
	// 330/165: the residuals 0, -10 and 10 have t(2) 10/√3/55.
	if e, _ := r.Ratio(0, 1, "service_time"); !near(e.Half, 0.45273834852872397) {
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
	// The only run of the second point stands in all pairs, so its error counts as it says itself.
	r.Points[1].Once, r.Runs[1] = true, r.Runs[1][2:]
	if d := r.TestPairs(0, 1, "service_time", 0.95).Difference; !near(d.Shared, 10.1/3+1.1) {
		t.Errorf("difference to a constant: %v", d)
	}
}

// No interval is narrower than that of the sample or that of jumps, and a paired interval leaves
// out equality exactly if p is below 1 less the confidence.
func TestIntervalsAreNeverNarrowerThanTheirParts(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 1 + rng.IntN(6)
		draw := func() (values []float64, errors []jumped) {
			for range n {
				values = append(values, 1+math.Exp(3*rng.Float64()))
				half := 30 * rng.Float64() * float64(rng.IntN(2))
				errors = append(errors, jumped{half: half, bias: half * rng.Float64(), audits: 9})
			}
			return values, errors
		}
		confidence := []float64{0.8, 0.95, 0.99}[rng.IntN(3)]
		a, off := draw()
		b, offB := draw()
		r := jumping(confidence, jumpingRuns(a, off), jumpingRuns(b, offB))
		e, _ := r.Estimate(0, "service_time")
		if sampled := stats.EstimateOf(a, confidence); e.Half < sampled.Half || e.Half < e.Shared {
			t.Errorf("seed %d: %v, sample %v", seed, e, sampled)
		}
		pairs := r.TestPairs(0, 1, "service_time", confidence)
		p, d := pairs.Ratio, pairs.Difference
		if excludes := p.Low > 1 || p.High < 1; n > 1 && excludes != (pairs.P < 1-confidence) {
			t.Errorf("seed %d: %v with P %v at %v", seed, p, pairs.P, confidence)
		}
		if d.Half < d.Shared || math.Log(p.High/p.Low) < 2*p.Shared*(1-1e-9) {
			t.Errorf("seed %d: %v, %v", seed, d, p)
		}
	}
}

// auditedRun draws the jumps of a run with errors of one mean in all runs, a part that the run
// shares, and one of each jump, of which some jam. It returns what audits of the first ten and of a
// twentieth of the others say, as a run states it at a tolerance of 2%, and the true error.
func auditedRun(rng *rand.Rand, mean, ofRun, jams float64) (e jumped, truth float64) {
	mean += ofRun * rng.NormFloat64()
	var lengths, all, weights, squares float64
	type audit struct{ weight, error float64 }
	var list []audit
	for i := range 20 + rng.IntN(100) {
		length, off := rng.ExpFloat64(), mean+0.4*rng.NormFloat64()
		if rng.Float64() < jams {
			off += 8
		}
		lengths, all = lengths+length, all+length*off
		p := 0.05
		if i < 10 {
			p = 1
		}
		if rng.Float64() < p {
			list = append(list, audit{length / p, off})
		}
	}
	for _, a := range list {
		weights, squares = weights+a.weight, squares+a.weight*a.weight
		e.bias += a.weight * a.error
	}
	e.bias /= weights
	n, variance := weights*weights/squares, 0.0
	for _, a := range list {
		variance += a.weight * (a.error - e.bias) * (a.error - e.bias) / weights
	}
	e.unseen, e.audits = 3/n*2, float64(len(list))
	e.half = max(2, math.Abs(e.bias)+stats.Half(variance/(n-1), len(list)-1, 0.95))
	return e, all / lengths
}

// Pooled intervals hold in 95% of the cases where errors have a mean, where runs are clusters, and
// where a jump in 50 jams; and in 80% where one in ten jams, since a few runs are then too few for
// Student's t. In the mean they are no wider than with fewer runs, and with many runs a fraction of
// the tolerance. The order of runs does not matter.
func TestPooledIntervalsHold(t *testing.T) {
	for _, c := range []struct{ mean, ofRun, jams, share float64 }{{0, 0, 0, 0.95},
		{0.3, 0, 0, 0.95}, {0, 0.5, 0, 0.95}, {-0.2, 0.2, 0.02, 0.95}, {0, 0, 0.1, 0.8}} {
		last := math.Inf(1)
		for _, runs := range []int{1, 2, 3, 5, 10, 40} {
			const cases = 400
			held, width := 0, 0.0
			for seed := range uint64(cases) {
				rng := rand.New(rand.NewPCG(seed, 9))
				times, errors, truth := []float64{}, []jumped{}, 0.0
				for range runs {
					e, off := auditedRun(rng, c.mean, c.ofRun, c.jams)
					times, errors, truth = append(times, 100), append(errors, e), truth+off/float64(runs)
				}
				r := jumping(0.95, jumpingRuns(times, errors), nil)
				half := r.JumpHalf(0, "service_time")
				width += half / cases
				if math.Abs(truth) <= half {
					held++
				}
				slices.Reverse(r.Runs[0])
				if again := r.JumpHalf(0, "service_time"); !near(half, again) {
					t.Fatalf("%+v: %v, in reverse order %v", c, half, again)
				}
			}
			t.Logf("%+v, %d runs: %d of %d held, ±%.2f%%", c, runs, held, cases, width)
			if float64(held) < c.share*cases || width > 1.02*last {
				t.Errorf("%+v, %d runs: %d of %d held, ±%.2f%%, with fewer runs ±%.2f%%", c, runs, held,
					cases, width, last)
			}
			last = width
		}
		if last > 2*math.Abs(c.mean)+0.3+10*c.jams {
			t.Errorf("%+v: ±%.2f%% with many runs", c, last)
		}
	}
}
