package experiments

import (
	"errors"
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

// Results groups the folder's runs by the points of the study.
func (f *Folder) Results(st *study.Study, names *config.Registry) (*Results, error) {
	points, err := st.Points()
	if err != nil {
		return nil, err
	}
	f.contrasts = contrastsOf(st, points, names)
	r := &Results{Study: st, Points: points, Names: names, Folder: f,
		PublishedValues: make([]map[string]float64, len(points))}
	rows := st.Published.MustRows()
	for i := range points {
		r.PublishedValues[i] = study.PublishedAt(rows, &points[i])
	}
	r.refresh()
	return r, nil
}

// refresh reads the runs that the folder holds now. It takes the replications of
// a point from 0 up to the first gap, and no more than the rule of precision
// asks for.
func (r *Results) refresh() {
	r.endCurves()
	r.Runs = make([][]metrics.Result, len(r.Points))
	for i := range r.Points {
		p := &r.Points[i]
		r.Runs[i] = r.Folder.runsOf(p.Hash, r.Folder.wanted(p, r.Study))
	}
}

// wanted returns how many replications the study wants of each hash.
func (r *Results) wanted() map[string]int {
	wanted := map[string]int{}
	for i := range r.Points {
		p := &r.Points[i]
		wanted[p.Hash] = r.Folder.wanted(p, r.Study)
	}
	return wanted
}

// Unshown counts the stored runs that no table shows: those of no point of the study, and those
// of its points beyond the replications that it wants.
func (r *Results) Unshown() (runs int) {
	wanted := r.wanted()
	for key := range r.Folder.Records {
		if key.Replication >= wanted[key.Hash] {
			runs++
		}
	}
	return runs
}

// runsOf returns the first n replications, or fewer up to the first gap.
func (f *Folder) runsOf(hash string, n int) []metrics.Result {
	var runs []metrics.Result
	for rep := range n {
		key := RunKey{hash, rep}
		if !f.has(key, sim.Extra{}) {
			break
		}
		runs = append(runs, f.Records[key].Metrics)
	}
	return runs
}

// valuesOf lists a metric of the runs that have it.
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

// Estimate returns the mean of a metric at a point with its confidence interval.
// It reports false if no run has the metric.
func (r *Results) Estimate(point int, metric string) (stats.Estimate, bool) {
	values := valuesOf(r.Runs[point], metric)
	if len(values) == 0 {
		return stats.Estimate{}, false
	}
	return stats.EstimateOf(values, r.Study.Runs.Confidence), true
}

// EstimateBy is Estimate of metric i of a Picker.
func (r *Results) EstimateBy(picker *metrics.Picker, point, i int) (stats.Estimate, bool) {
	runs := r.Runs[point]
	values := make([]float64, 0, len(runs))
	for rep := range runs {
		if v, ok := picker.Value(&runs[rep], i); ok {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return stats.Estimate{}, false
	}
	return stats.EstimateOf(values, r.Study.Runs.Confidence), true
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

// Metrics lists the metrics that some run has, in the order of
// metrics.MetricInfos.
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
		if r.Replications(i) < r.Folder.wanted(&r.Points[i], r.Study) {
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
		for rep := range r.Folder.wanted(p, r.Study) {
			err := failed[RunKey{p.Hash, rep}]
			if input := Cause(err); input != nil {
				return input
			}
			if first == nil {
				first = err
			}
		}
	}
	return first
}

// Cause returns the input.Error that an error wraps, or nil.
func Cause(err error) error {
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
