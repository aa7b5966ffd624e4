package experiments

import (
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/stats"
)

// findCurveEnds sets beyondCurve, if an axis of the study ends at saturation: a curve ends at the
// first load that saturates the network or whose runs are not all stored. That depends on stored
// runs alone, and so neither on the number of workers nor on interruptions.
func (r *Results) findCurveEnds() {
	r.Folder.beyondCurve = map[string]bool{}
	for _, curve := range r.Study.Curves(r.Points) {
		ended := false
		for _, i := range curve {
			p := &r.Points[i]
			r.Folder.beyondCurve[p.Hash] = ended
			if n := r.Folder.wantedRuns(p, r.Study); n > 0 {
				runs := r.Folder.firstRuns(p.Hash, n)
				ended = len(runs) < n || saturated(runs)
			}
		}
	}
}

// saturated reports whether the network counts as saturated at a point with these runs.
func saturated(runs []metrics.Result) bool {
	return sim.MostSaturated(stats.Mean(valuesOf(runs, "saturated")))
}

// BeyondCurve reports whether a point lies behind the end of its curve, so that it is not run; see
// study.Axis.Until.
func (r *Results) BeyondCurve(point int) bool {
	return r.Folder != nil && r.Folder.beyondCurve[r.Points[point].Hash]
}
