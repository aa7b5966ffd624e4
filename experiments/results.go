package experiments

import (
	"errors"
	"math"
	"slices"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/stats"
)

// Results are the finished runs of a study, by point.
type Results struct {
	Study  *Study
	Points []Point

	Names           spec.Names
	Folder          *Folder
	Runs            [][]cosim.Result // of each point, by replication
	PublishedValues []map[string]float64
}

// Results groups the folder's runs by the points of the study.
func (f *Folder) Results(st *Study, names spec.Names) (*Results, error) {
	points, err := st.Points(names)
	if err != nil {
		return nil, err
	}
	r := &Results{Study: st, Points: points, Names: names, Folder: f,
		PublishedValues: make([]map[string]float64, len(points))}
	rows := st.Published.MustRows()
	for i := range points {
		r.PublishedValues[i] = PublishedAt(rows, &points[i], names)
	}
	r.refresh()
	return r, nil
}

// refresh takes in what the folder holds now: of every point the replications
// from 0 on without a gap, and no more than the rule of precision asks for.
func (r *Results) refresh() {
	r.Runs = make([][]cosim.Result, len(r.Points))
	for i, p := range r.Points {
		r.Runs[i] = r.Folder.runsOf(p.Hash, r.Folder.wanted(&p, r.Study))
	}
}

// runsOf returns the first n replications, or as many as are there.
func (f *Folder) runsOf(hash string, n int) []cosim.Result {
	var runs []cosim.Result
	for rep := range n {
		key := RunKey{hash, rep}
		if !f.has(key, cosim.Extra{}) {
			break
		}
		runs = append(runs, f.Records[key].Metrics)
	}
	return runs
}

// leastLook is the fewest replications by which the precision of a point is
// judged. From three on, an interval of 95% holds a normal mean in 90% of
// studies, since those that stop are those whose few values happen to lie close
// together; from ten on, in 93.5 to 95% (TestStoppedIntervalsCover; Law,
// Simulation Modeling and Analysis, sec. 9.4.1 asks for ten too). The stricter
// constant that he and Chow and Robbins (1965) take, e/(1 + e), adds 0.1 to that.
const leastLook = 10

// wanted returns how many replications the point needs, as far as those that
// are there tell: where a precision is asked for, half as many as at first, which
// is leastLook or more, are added as long as a primary metric is not precise
// enough. It depends on results alone, so an interrupted study ends with the
// same runs. A point at which nothing is drawn is run once.
func (f *Folder) wanted(p *Point, st *Study) int {
	if p.Once {
		return 1
	}
	n, most := st.Runs.Replications, st.Runs.MaxReplications
	if st.Runs.MaxRelativeError == 0 {
		return n
	}
	if most == 0 {
		most = 10 * n
	}
	n = min(most, max(n, leastLook))
	for step := n / 2; ; n = min(most, n+step) {
		runs := f.runsOf(p.Hash, n)
		if len(runs) < n || n >= most || st.precise(runs) {
			return n
		}
	}
}

// precise tells whether all primary metrics are.
func (st *Study) precise(runs []cosim.Result) bool {
	for _, m := range st.Primary {
		values := valuesOf(runs, m)
		if len(values) == 0 {
			continue
		}
		e := stats.EstimateOf(values, st.Runs.Confidence)
		if e.N > 1 && math.IsNaN(e.Half) {
			continue // no chance to be seen
		}
		if !(e.Half <= st.Runs.MaxRelativeError*math.Abs(e.Mean)) {
			return false
		}
	}
	return true
}

func valuesOf(runs []cosim.Result, metric string) []float64 {
	var values []float64
	for i := range runs {
		if v, ok := runs[i].Value(metric); ok {
			values = append(values, v)
		}
	}
	return values
}

// Replications returns how many runs of a point there are.
func (r *Results) Replications(point int) int { return len(r.Runs[point]) }

// Estimate returns a metric at a point, and false if no run has it.
func (r *Results) Estimate(point int, metric string) (stats.Estimate, bool) {
	values := valuesOf(r.Runs[point], metric)
	if len(values) == 0 {
		return stats.Estimate{}, false
	}
	return stats.EstimateOf(values, r.Study.Runs.Confidence), true
}

// Published returns the printed figure, and false where there is none.
func (r *Results) Published(point int, metric string) (float64, bool) {
	v, ok := r.PublishedValues[point][metric]
	return v, ok
}

// AxisKeys lists the keys of the axes.
func (r *Results) AxisKeys() []string {
	var keys []string
	for _, a := range r.Study.Axes {
		keys = append(keys, a.Key)
	}
	return keys
}

// Metrics lists the metrics any run has, in the order of the table.
func (r *Results) Metrics() []string {
	var names []string
	for _, info := range cosim.MetricInfos() {
		if slices.ContainsFunc(r.Runs, func(runs []cosim.Result) bool {
			return len(valuesOf(runs, info.Name)) > 0
		}) {
			names = append(names, info.Name)
		}
	}
	return names
}

// Complete tells whether every point has the runs it wants.
func (r *Results) Complete() bool {
	for i, p := range r.Points {
		if r.Replications(i) < r.Folder.wanted(&p, r.Study) {
			return false
		}
	}
	return true
}

// firstFailure returns the failure that comes first in the order of the study;
// what the user can mend comes before everything else.
func firstFailure(r *Results, failed map[RunKey]error) error {
	var first error
	for _, p := range r.Points {
		for rep := range r.Folder.wanted(&p, r.Study) {
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

// Cause returns the InputError in an error, or nil.
func Cause(err error) error {
	var input *spec.InputError
	if errors.As(err, &input) {
		return input
	}
	return nil
}
