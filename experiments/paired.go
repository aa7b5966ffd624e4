package experiments

import (
	"contend/experiments/cosim"
	"contend/experiments/stats"
)

// Paired returns a metric of the runs of two points that belong together, those
// of the same replication that both have it. A constant point, which was run
// once, is paired with every replication of the other.
func (r *Results) Paired(i, j int, metric string) (a, b []float64) {
	return pairRuns(r.Runs[i], r.Runs[j], r.Constant(i), r.Constant(j), metric)
}

// Constant tells that a point was run once because nothing in it is drawn.
func (r *Results) Constant(i int) bool { return r.Points[i].Once }

// Ratio returns a metric at point i over that at point j, over their common
// replications; false where they have none.
func (r *Results) Ratio(i, j int, metric string) (stats.Estimate, bool) {
	a, b := r.Paired(i, j, metric)
	if len(a) == 0 {
		return stats.Estimate{}, false
	}
	return stats.EstimateRatio(a, b, r.Study.Runs.Confidence), true
}

func pairRuns(x, y []cosim.Result, constantX, constantY bool, metric string) (a, b []float64) {
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
