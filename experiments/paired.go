package experiments

import (
	"math"
)

// paired returns a metric of the runs of two points that belong together, those
// of the same replication that both have it. A constant point, which was run
// once, is paired with every replication of the other.
func (r *Results) paired(i, j int, metric string) (a, b []float64) {
	return pairRuns(r.runs[i], r.runs[j], r.constant(i), r.constant(j), metric)
}

// constant tells that a point was run once because nothing in it is drawn.
func (r *Results) constant(i int) bool { return r.Points[i].Once }

// ratio returns a metric at point i over that at point j, over their common
// replications; false where they have none.
func (r *Results) ratio(i, j int, metric string) (Estimate, bool) {
	a, b := r.paired(i, j, metric)
	if len(a) == 0 {
		return Estimate{}, false
	}
	return estimateRatio(a, b, r.Study.Runs.Confidence), true
}

func pairRuns(x, y []Result, constantX, constantY bool, metric string) (a, b []float64) {
	if len(x) == 0 || len(y) == 0 {
		return nil, nil
	}
	n := min(len(x), len(y))
	switch {
	case constantX && constantY:
		n = 1
	case constantX:
		n = len(y)
	case constantY:
		n = len(x)
	}
	for rep := range n {
		v, ok := x[pick(rep, constantX)].Value(metric)
		w, both := y[pick(rep, constantY)].Value(metric)
		if ok && both {
			a, b = append(a, v), append(b, w)
		}
	}
	return a, b
}

// pick returns which run of a point stands for a replication.
func pick(replication int, constant bool) int {
	if constant {
		return 0
	}
	return replication
}

// pairedTest is what pairs of values say about two means.
type pairedTest struct {
	// difference is the mean of a - b, its interval that of the paired t test
	// (Law, Simulation Modeling and Analysis, sec. 10.2.1).
	difference Estimate
	// ratio is mean a / mean b, see estimateRatio (Cochran, Sampling Techniques,
	// ch. 6). It has no interval where that of mean b includes 0: the exact one
	// is then not bounded (Fieller 1954, J. R. Statist. Soc. B 16, 175-185).
	ratio Estimate
	// p is that of the two-sided paired t test of no difference. Where all pairs
	// differ by the same amount it is NaN, but 1 where values vary together.
	p float64
}

// testPairs compares the means of at least one pair of values.
func testPairs(a, b []float64, confidence float64) pairedTest {
	n, largest := len(a), 0.0
	differences := make([]float64, n)
	for i := range differences {
		differences[i] = a[i] - b[i]
		largest = max(largest, math.Abs(a[i]), math.Abs(b[i]))
	}
	rounding := 0x1p-50 * largest
	t := pairedTest{
		difference: estimate(differences, confidence),
		ratio:      ratioOfPairs(a, b, rounding, confidence),
		p:          math.NaN(),
	}
	if spread(differences) > rounding {
		deviation := sampleDeviation(differences) / math.Sqrt(float64(n))
		t.p = studentP(t.difference.Mean/deviation, n-1)
		return t
	}
	t.difference.Half = math.NaN()
	if math.Abs(t.difference.Mean) <= rounding {
		t.difference.Mean = 0
		if spread(a) > rounding {
			t.p = 1
		}
	}
	return t
}

// ratioOfPairs is estimateRatio without an interval where that would mislead:
// where the denominator may be 0, and where the ratio does not vary.
func ratioOfPairs(a, b []float64, rounding, confidence float64) Estimate {
	e, below := estimateRatio(a, b, confidence), estimate(b, confidence)
	if below.Half >= math.Abs(below.Mean) || e.Half*math.Abs(below.Mean) <= rounding {
		e.Half = math.NaN()
	}
	return e
}

// studentP returns the two-sided p-value of Student's t.
func studentP(t float64, degrees int) float64 {
	return 2 * studentCDF(degrees, -math.Abs(t))
}
