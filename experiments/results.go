package experiments

import (
	"errors"
	"iter"
	"math"
	"slices"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/input"
)

// Results holds the finished runs of a study, grouped by point.
type Results struct {
	Study  *study.Study  // the study that was run
	Points []study.Point // all points of the study, with or without runs

	Names  *config.Registry   // what specs may name
	Folder *Folder            // where the runs are stored
	Runs   [][]metrics.Result // finished runs by point, then by replication
	// PublishedValues has the published figures by point, then by metric; nil
	// for a point without any.
	PublishedValues []map[string]float64
}

// Results returns the stored runs, grouped by the points of a study.
func (f *Folder) Results(st *study.Study, names *config.Registry) (*Results, error) {
	points, err := st.Points()
	if err != nil {
		return nil, err
	}
	f.contrasts = contrastsOf(st, points, names)
	r := &Results{Study: st, Points: points, Names: names, Folder: f,
		PublishedValues: make([]map[string]float64, len(points))}
	rows := st.Published.Rows()
	for i := range points {
		r.PublishedValues[i] = study.PublishedAt(rows, &points[i])
		r.derivePublished(i)
	}
	r.reload()
	return r, nil
}

// derivePublished adds to the published figures of a point those that follow from them and that the
// study's table names.
func (r *Results) derivePublished(point int) {
	for _, name := range r.derived() {
		if x, ok := metrics.Derive(name, func(metric string) (float64, bool) {
			return r.Published(point, metric)
		}); ok {
			r.PublishedValues[point][name] = x
		}
	}
}

// derived lists the metrics of the study's table that runs do not store.
func (r *Results) derived() []string {
	return slices.DeleteFunc(metrics.DerivedNames(), func(name string) bool {
		return !slices.Contains(r.Study.Table.Metrics, name)
	})
}

// reload groups the runs that the folder holds now: of each point the replications from 0 to the
// first gap, and no more than the study wants.
func (r *Results) reload() {
	r.findCurveEnds()
	r.Runs = make([][]metrics.Result, len(r.Points))
	for i := range r.Points {
		p := &r.Points[i]
		r.Runs[i] = r.Folder.firstRuns(p.Hash, r.Folder.wantedRuns(p, r.Study))
	}
}

// wantedRuns returns how many replications the study wants of each hash.
func (r *Results) wantedRuns() map[string]int {
	wanted := map[string]int{}
	for i := range r.Points {
		p := &r.Points[i]
		wanted[p.Hash] = r.Folder.wantedRuns(p, r.Study)
	}
	return wanted
}

// Unshown counts the stored runs that no table shows, since the study does not want them: its
// points do not have them, or want fewer replications.
func (r *Results) Unshown() (runs int) {
	wanted := r.wantedRuns()
	for key := range r.Folder.Records {
		if key.Replication >= wanted[key.Hash] {
			runs++
		}
	}
	return runs
}

// firstRuns returns the stored replications from 0 to n-1, or to the first gap.
func (f *Folder) firstRuns(hash string, n int) []metrics.Result {
	var runs []metrics.Result
	for rep := range n {
		key := RunKey{hash, rep}
		if !f.holds(key, sim.Extra{}) {
			break
		}
		runs = append(runs, f.Records[key].Metrics)
	}
	return runs
}

// valuesOf returns the values of a metric, of the runs that have it.
func valuesOf(runs []metrics.Result, metric string) []float64 {
	var values []float64
	for i := range runs {
		if v, ok := runs[i].Value(metric); ok {
			values = append(values, v)
		}
	}
	return values
}

// Empty reports whether no run has finished.
func (r *Results) Empty() bool {
	return !slices.ContainsFunc(r.Runs, func(runs []metrics.Result) bool { return len(runs) > 0 })
}

// Replications returns the number of finished runs of a point.
func (r *Results) Replications(point int) int { return len(r.Runs[point]) }

// Estimate returns the mean of a metric at a point with its confidence interval, which has the
// error of jumps over time. It reports false if no run has the metric.
func (r *Results) Estimate(point int, metric string) (stats.Estimate, bool) {
	return r.estimateOf(point, metric, valuesOf(r.Runs[point], metric))
}

// estimateOf returns the mean of the values of a metric with its confidence interval. It reports
// false if there are no values.
func (r *Results) estimateOf(point int, metric string, values []float64) (stats.Estimate, bool) {
	if len(values) == 0 {
		return stats.Estimate{}, false
	}
	return stats.EstimateOf(values, r.Study.Runs.Confidence).WithShared(r.JumpHalf(point, metric)),
		true
}

// EstimateBy is Estimate for the i-th metric of a Picker, which finds it faster.
func (r *Results) EstimateBy(picker *metrics.Picker, point, i int) (stats.Estimate, bool) {
	runs := r.Runs[point]
	values := make([]float64, 0, len(runs))
	for rep := range runs {
		if v, ok := picker.Value(&runs[rep], i); ok {
			values = append(values, v)
		}
	}
	return r.estimateOf(point, picker.Name(i), values)
}

// Published returns the published figure for a metric at a point. It reports
// false if there is none.
func (r *Results) Published(point int, metric string) (float64, bool) {
	v, ok := r.PublishedValues[point][metric]
	return v, ok
}

// AxisKeys lists the keys of the axes in order.
func (r *Results) AxisKeys() []string {
	var keys []string
	for _, a := range r.Study.Axes {
		keys = append(keys, a.Key)
	}
	return keys
}

// Metrics lists the metrics that some run has, in the order of metrics.MetricsOf. Of those that
// runs do not store it lists the ones that the study's table names.
func (r *Results) Metrics() []string {
	had := map[string]bool{}
	var found []string // by place in a run, names that had has
	for _, runs := range r.Runs {
		for i := range runs {
			for k, m := range runs[i].Metrics {
				if k < len(found) && found[k] == m.Name || math.IsNaN(m.Value) {
					continue
				}
				had[m.Name] = true
				if k == len(found) {
					found = append(found, m.Name)
				}
			}
		}
	}
	for _, name := range r.derived() {
		_, had[name] = metrics.Derive(name, func(metric string) (float64, bool) {
			return 0, had[metric]
		})
	}
	var names []string
	for _, info := range metrics.MetricsOf(r.Names) {
		if had[info.Name] {
			names = append(names, info.Name)
		}
	}
	return names
}

// Complete reports whether every point has the runs that it needs.
func (r *Results) Complete() bool {
	for i := range r.Points {
		if r.Replications(i) < r.Folder.wantedRuns(&r.Points[i], r.Study) {
			return false
		}
	}
	return true
}

// firstFailure returns the first failure in the order of the study. Bad input,
// which the user can correct, comes before other failures.
func firstFailure(r *Results, failed map[RunKey]error) error {
	var first error
	for i := range r.Points {
		p := &r.Points[i]
		for rep := range r.Folder.wantedRuns(p, r.Study) {
			err := failed[RunKey{p.Hash, rep}]
			if input := InputCause(err); input != nil {
				return input
			}
			if first == nil {
				first = err
			}
		}
	}
	return first
}

// InputCause returns the input.Error that an error wraps, or nil if the input is not at fault.
func InputCause(err error) error {
	var bad *input.Error
	if errors.As(err, &bad) {
		return bad
	}
	return nil
}

// RelativeAxis returns the key of the axis to which table.relative_to belongs:
// the last axis that has this label, "" if none has.
func (r *Results) RelativeAxis() string {
	keys := r.AxisKeys()
	for axis := len(keys) - 1; axis >= 0; axis-- {
		if slices.ContainsFunc(r.Points, func(p study.Point) bool {
			return p.Labels[axis] == r.Study.Table.Relative
		}) {
			return keys[axis]
		}
	}
	return ""
}

// Paired returns the values of a metric at points i and j for every replication that has both. A
// constant point, which was run once, is paired with every replication of the other.
func (r *Results) Paired(i, j int, metric string) (a, b []float64) {
	return pairRuns(r.Runs[i], r.Runs[j], r.Constant(i), r.Constant(j), metric)
}

// Constant reports whether a point is run once because nothing in it is drawn.
func (r *Results) Constant(i int) bool { return r.Points[i].Once }

// Ratio estimates the metric at point i divided by that at point j from their common replications.
// Its interval has the errors of jumps over time at both, to first order. It reports false if they
// have no common replication.
func (r *Results) Ratio(i, j int, metric string) (stats.Estimate, bool) {
	a, b := r.Paired(i, j, metric)
	if len(a) == 0 {
		return stats.Estimate{}, false
	}
	confidence := r.Study.Runs.Confidence
	e := stats.EstimateRatio(a, b, confidence)
	if below := stats.Mean(b); below != 0 {
		e = e.WithShared(r.pairedJumpHalf(i, j, metric, confidence, over(below), over(below/e.Mean)))
	}
	return e, true
}

// PairedRatio estimates the metric at point i divided by that at point j, replication by
// replication, with the interval and the p-value of the paired logarithms and with the errors of
// jumps over time at both. It reports false if they have no common replication, or if a value of one
// is not above 0.
func (r *Results) PairedRatio(i, j int, metric string) (stats.PairedRatio, bool) {
	confidence := r.Study.Runs.Confidence
	a, b := r.Paired(i, j, metric)
	ratio, ok := stats.RatioOfPairs(a, b, confidence)
	if !ok {
		return ratio, false
	}
	return ratio.WithShared(r.jumpHalfOfLogarithm(i, j, metric, confidence, one, one), confidence), true
}

// TestPairs compares a metric at points i and j by their common replications, of which there must
// be some, at a confidence. Intervals and p-value have the errors of jumps over time at both.
func (r *Results) TestPairs(i, j int, metric string, confidence float64) stats.PairedTest {
	a, b := r.Paired(i, j, metric)
	return stats.TestPairs(a, b, confidence).WithShared(
		r.pairedJumpHalf(i, j, metric, confidence, itself, itself),
		r.jumpHalfOfLogarithm(i, j, metric, confidence, one, one), confidence)
}

// pairRuns pairs the runs x and y of two points, either of which may be constant.
func pairRuns(x, y []metrics.Result, constantX, constantY bool, metric string) (a, b []float64) {
	if len(x) == 0 || len(y) == 0 {
		return nil, nil
	}
	for p, q := range runPairs(x, y, constantX, constantY) {
		v, ok := p.Value(metric)
		w, both := q.Value(metric)
		if ok && both {
			a, b = append(a, v), append(b, w)
		}
	}
	return a, b
}

// runPairs yields the pairs of the runs x and y of two points that both have runs.
func runPairs(x, y []metrics.Result, constantX, constantY bool,
) iter.Seq2[*metrics.Result, *metrics.Result] {
	n := min(len(x), len(y))
	switch {
	case constantX && constantY:
		n = 1
	case constantX:
		n = len(y)
	case constantY:
		n = len(x)
	}
	return func(yield func(a, b *metrics.Result) bool) {
		for rep := range n {
			if !yield(&x[runIndex(rep, constantX)], &y[runIndex(rep, constantY)]) {
				return
			}
		}
	}
}

// runIndex returns the index of the run that stands for a replication of a point.
func runIndex(replication int, constant bool) int {
	if constant {
		return 0
	}
	return replication
}
