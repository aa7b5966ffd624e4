package experiments

import (
	"context"
	"math"
	"slices"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/stats"
	"contend/experiments/study"
)

// wantedRuns returns the number of replications that a point needs, judging by the stored ones:
// none behind the end of its curve, and one where nothing is drawn. If the study asks for a
// precision of means or differences, the number grows by the looks of study.Looks until all are
// precise enough. It depends on results alone, so an interrupted study ends with the same runs.
func (f *Folder) wantedRuns(p *study.Point, st *study.Study) int {
	if f.beyondCurve[p.Hash] {
		return 0
	}
	if p.Once {
		return 1
	}
	n := f.wantedByMeans(p, st)
	for _, c := range f.contrasts[p.Hash] {
		of, _ := f.wantedByContrast(c, st)
		n = max(n, of)
	}
	return n
}

// wantedByMeans is wantedRuns for the precision of means.
func (f *Folder) wantedByMeans(p *study.Point, st *study.Study) int {
	if st.Runs.MaxRelativeError == 0 {
		return st.Runs.Replications
	}
	n, step, most := st.Looks()
	for ; ; n = min(most, n+step) {
		runs := f.firstRuns(p.Hash, n)
		if len(runs) < n || n >= most || precise(st, runs) {
			return n
		}
	}
}

// hasFinalRuns reports whether the study will ask for no more runs of a point, whatever they show.
func (f *Folder) hasFinalRuns(p *study.Point, st *study.Study) bool {
	n := f.wantedRuns(p, st)
	for _, c := range f.contrasts[p.Hash] {
		if _, done := f.wantedByContrast(c, st); !done {
			return false
		}
	}
	return len(f.firstRuns(p.Hash, n)) == n
}

// precise reports whether the interval of every primary metric is at most
// runs.max_relative_error of its mean on either side. It leaves out the error of jumps over time,
// which more runs do not reduce.
func precise(st *study.Study, runs []metrics.Result) bool {
	for _, m := range st.Primary {
		values := valuesOf(runs, m)
		if len(values) == 0 {
			continue
		}
		e := stats.EstimateOf(values, st.Runs.Confidence)
		if e.N > 1 && math.IsNaN(e.Half) {
			continue // all values are equal
		}
		if !(e.Half <= st.Runs.MaxRelativeError*math.Abs(e.Mean)) {
			return false
		}
	}
	return true
}

// contrast is a difference between two points that has to reach a precision.
type contrast struct {
	a, b      contrastPoint // b is the reference
	metric    string
	precision float64 // wanted half width of the interval, as a fraction of the mean of b
}

// contrastPoint is a point of a contrast.
type contrastPoint struct {
	hash string
	once bool // nothing is drawn: one run stands for all replications
}

// contrastsOf returns the contrasts of a study, each under the hashes of both of its points.
func contrastsOf(st *study.Study, points []study.Point,
	names *config.Registry) map[string][]*contrast {
	all := map[string][]*contrast{}
	for i := range st.Differences {
		d := &st.Differences[i]
		if d.Within == 0 {
			continue
		}
		for _, at := range st.Against(points, d) {
			a, b := &points[at[0]], &points[at[1]]
			if a.Hash == b.Hash || a.Once && b.Once {
				continue
			}
			c := &contrast{contrastPoint{a.Hash, a.Once}, contrastPoint{b.Hash, b.Once},
				d.MetricOf(st), d.Within}
			all[a.Hash], all[b.Hash] = append(all[a.Hash], c), append(all[b.Hash], c)
		}
	}
	return all
}

// wantedByContrast returns the number of replications that a contrast needs of its points, judging
// by the stored ones, and whether it will need no more.
func (f *Folder) wantedByContrast(c *contrast, st *study.Study) (n int, done bool) {
	n, step, most := st.Looks()
	for look := 1; ; look, n = look+1, min(most, n+step) {
		x, y := f.firstRuns(c.a.hash, storedFor(c.a, n)), f.firstRuns(c.b.hash, storedFor(c.b, n))
		if len(x) < storedFor(c.a, n) || len(y) < storedFor(c.b, n) {
			return n, false
		}
		a, b := pairRuns(x, y, c.a.once, c.b.once, c.metric)
		if n >= most || c.decided(a, b, stats.LookConfidence(look, st.Runs.Confidence)) {
			return n, true
		}
	}
}

// storedFor returns the number of stored runs that stand for n replications of a point.
func storedFor(p contrastPoint, n int) int {
	if p.once {
		return 1
	}
	return n
}

// decided reports whether a difference of paired values is known well enough: the interval that
// belongs to its p-value excludes equality, or its half width is at most the wanted precision. As
// precise does, it leaves out the error of jumps.
func (c *contrast) decided(a, b []float64, confidence float64) bool {
	if len(a) < 2 {
		return true // nothing to judge by
	}
	t, mean := stats.TestPairs(a, b, confidence), stats.Mean(b)
	e := t.Tested()
	return math.IsNaN(e.Half) || math.Abs(e.Mean) > e.Half ||
		e.Half <= t.InTestedUnit(c.precision*math.Abs(mean), mean)
}

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

// PlannedRun is a run that the next round of a study needs.
type PlannedRun struct {
	RunKey
	// Seconds is its expected time, 0 if that is unknown.
	Seconds float64
}

// NextRuns lists the runs of the next round, to be made by other processes: those that are wanted,
// neither stored nor failed. The first call makes the forecast for OnForecast; if its probes make
// all runs of the round, NextRuns lists the round after it. The error is that of missing logs or of
// a folder that cannot be written.
func (r *Runner) NextRuns(ctx context.Context, results *Results, failed map[RunKey]error,
) ([]PlannedRun, error) {
	tasks, missing := r.nextRuns(results, failed)
	if r.OnForecast != nil && r.costs == nil && len(tasks) > 0 {
		tasks = r.storeProbes(ctx, r.countRuns(results, tasks), tasks)
		if len(tasks) == 0 && r.Folder.err == nil {
			return r.NextRuns(ctx, results, failed)
		}
	}
	if r.Folder.err != nil {
		return nil, r.Folder.err
	}
	var runs []PlannedRun
	for _, t := range tasks {
		hash := t.point.Hash
		runs = append(runs, PlannedRun{RunKey{hash, t.replication}, r.costs[hash]})
	}
	return runs, missing
}

// FinalError reloads the runs of the folder after the last round and returns the failure that comes
// first in the order of the study, nil if there is none.
func (r *Results) FinalError(failed map[RunKey]error) error {
	r.reload()
	return firstFailure(r, failed)
}

// Wanted returns the number of runs that the study wants as far as that is known, and of those that
// are stored. Points of equal hash share their runs.
func (r *Results) Wanted() (done, wanted int) {
	for hash, n := range r.wantedRuns() {
		wanted += n
		for rep := range n {
			if r.Folder.holds(RunKey{hash, rep}, sim.Extra{}) { // also behind a gap
				done++
			}
		}
	}
	return done, wanted
}

// JobsDiffer lists the properties in which the jobs of points i and j differ in some replication
// that both have, by the checksums of the runs. It reports false if there is no such replication,
// or if a run has no checksums.
func (r *Results) JobsDiffer(i, j int) (list []string, known bool) {
	n := min(r.Replications(i), r.Replications(j))
	switch {
	case r.Constant(i) && n > 0:
		n = r.Replications(j)
	case r.Constant(j) && n > 0:
		n = r.Replications(i)
	}
	for rep := range n {
		a, b := r.jobSums(i, rep), r.jobSums(j, rep)
		if a.Jobs == 0 || b.Jobs == 0 {
			return nil, false
		}
		for _, name := range a.Differ(b) {
			if !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list, n > 0
}

// JobsRepeat reports whether the replications of a point have the same jobs: those of one part of a
// log, whatever is drawn for them, or by their checksums others. Differences over such replications
// say nothing of other jobs.
func (r *Results) JobsRepeat(point int) bool {
	w := &r.Points[point].Spec.Workload
	if w.HasTrace() {
		return w.Window == 0 && !w.Snapshots
	}
	first := r.jobSums(point, 0)
	for rep := range r.Replications(point) {
		if first.Differ(r.jobSums(point, rep)) != nil {
			return false
		}
	}
	return first.Jobs > 0
}

// jobSums returns the checksums of the jobs of a replication of a point.
func (r *Results) jobSums(point, replication int) metrics.JobSums {
	key := RunKey{r.Points[point].Hash, runIndex(replication, r.Constant(point))}
	return r.Folder.Records[key].Jobs
}
