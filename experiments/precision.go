package experiments

import (
	"math"

	"contend/experiments/config"
	"contend/experiments/metrics"
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
// runs.max_relative_error of its mean on either side.
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
// belongs to its p-value excludes equality, or its half width is at most the wanted precision.
func (c *contrast) decided(a, b []float64, confidence float64) bool {
	if len(a) < 2 {
		return true // nothing to judge by
	}
	t, mean := stats.TestPairs(a, b, confidence), stats.Mean(b)
	e := t.Tested()
	return math.IsNaN(e.Half) || math.Abs(e.Mean) > e.Half ||
		e.Half <= t.InTestedUnit(c.precision*math.Abs(mean), mean)
}
