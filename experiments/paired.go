package experiments

import (
	"contend/experiments/metrics"
	"contend/experiments/stats"
)

// Paired returns the values of a metric at points i and j for every replication that has both. A
// constant point, which was run once, is paired with every replication of the other.
func (r *Results) Paired(i, j int, metric string) (a, b []float64) {
	return pairRuns(r.Runs[i], r.Runs[j], r.Constant(i), r.Constant(j), metric)
}

// Constant reports whether a point is run once because nothing in it is drawn.
func (r *Results) Constant(i int) bool { return r.Points[i].Once }

// Ratio estimates the metric at point i divided by that at point j from their
// common replications. It reports false if they have none.
func (r *Results) Ratio(i, j int, metric string) (stats.Estimate, bool) {
	a, b := r.Paired(i, j, metric)
	if len(a) == 0 {
		return stats.Estimate{}, false
	}
	return stats.EstimateRatio(a, b, r.Study.Runs.Confidence), true
}

// PairedRatio estimates the metric at point i divided by that at point j, replication by
// replication, with the interval and the p-value of the paired logarithms. It reports false if
// they have no common replication, or if a value of one is not above 0.
func (r *Results) PairedRatio(i, j int, metric string) (stats.PairedRatio, bool) {
	a, b := r.Paired(i, j, metric)
	return stats.RatioOfPairs(a, b, r.Study.Runs.Confidence)
}

// pairRuns pairs the runs x and y of two points, either of which may be constant.
func pairRuns(x, y []metrics.Result, constantX, constantY bool, metric string) (a, b []float64) {
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
		v, ok := x[runIndex(rep, constantX)].Value(metric)
		w, both := y[runIndex(rep, constantY)].Value(metric)
		if ok && both {
			a, b = append(a, v), append(b, w)
		}
	}
	return a, b
}

// runIndex returns the index of the run that stands for a replication of a point.
func runIndex(replication int, constant bool) int {
	if constant {
		return 0
	}
	return replication
}
