package experiments

import (
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/stats"
)

// endCurves notes the points behind the end of their curve, if an axis of the study ends at
// saturation: those of greater loads than the first whose runs are not all stored, or that
// saturates the network. It looks at stored runs alone, so the ends depend neither on the number
// of workers nor on interruptions.
func (r *Results) endCurves() {
	r.Folder.beyond = map[string]bool{}
	for _, curve := range r.Study.Curves(r.Points) {
		ended := false
		for _, i := range curve {
			p := &r.Points[i]
			r.Folder.beyond[p.Hash] = ended
			if n := r.Folder.wanted(p, r.Study); n > 0 {
				runs := r.Folder.runsOf(p.Hash, n)
				ended = len(runs) < n || saturated(runs)
			}
		}
	}
}

// saturated reports whether the network counts as saturated at a point with these runs.
func saturated(runs []metrics.Result) bool {
	return sim.MostSaturated(stats.Mean(valuesOf(runs, "saturated")))
}

// Beyond reports whether a point lies behind the end of its curve, see study.Axis.Until. It is
// then not run.
func (r *Results) Beyond(point int) bool {
	return r.Folder != nil && r.Folder.beyond[r.Points[point].Hash]
}
