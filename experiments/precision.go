package experiments

import (
	"math"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/stats"
	"contend/experiments/study"
)

// wanted returns how many replications the point needs, judged by those that are
// stored: none behind the end of its curve, and one where nothing is drawn. If the study
// asks for a precision, of means or of differences, a point starts with at least minLook
// replications and gets half as many more as long as something is not precise
// enough. The number depends on results alone, so an interrupted study ends with the
// same runs.
func (f *Folder) wanted(p *study.Point, st *study.Study) int {
	if f.beyond[p.Hash] {
		return 0
	}
	if p.Once {
		return 1
	}
	n := f.wantedByMeans(p, st)
	for _, c := range f.contrasts[p.Hash] {
		of, _ := f.wantedBy(c, st)
		n = max(n, of)
	}
	return n
}

// wantedByMeans is wanted for the precision of means.
func (f *Folder) wantedByMeans(p *study.Point, st *study.Study) int {
	if st.Runs.MaxRelativeError == 0 {
		return st.Runs.Replications
	}
	n, step, most := st.Looks()
	for ; ; n = min(most, n+step) {
		runs := f.runsOf(p.Hash, n)
		if len(runs) < n || n >= most || precise(st, runs) {
			return n
		}
	}
}

// settled reports whether the stored runs of a point are all that it will need.
func (f *Folder) settled(p *study.Point, st *study.Study) bool {
	n := f.wanted(p, st)
	for _, c := range f.contrasts[p.Hash] {
		if _, done := f.wantedBy(c, st); !done {
			return false
		}
	}
	return len(f.runsOf(p.Hash, n)) == n
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

// contrast is a difference between two points that decides on replications.
type contrast struct {
	a, b   contrasted // b is the reference
	metric string
	within float64
}

// contrasted is a point of a contrast.
type contrasted struct {
	hash string
	once bool
}

// contrastsOf returns the contrasts of a study by the hash of each of their points.
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
			c := &contrast{contrasted{a.Hash, a.Once}, contrasted{b.Hash, b.Once},
				d.MetricOf(st), d.Within}
			all[a.Hash], all[b.Hash] = append(all[a.Hash], c), append(all[b.Hash], c)
		}
	}
	return all
}

// wantedBy returns how many replications a contrast needs of its points, judged by those that
// are stored, and whether it needs no more than these whatever they show.
func (f *Folder) wantedBy(c *contrast, st *study.Study) (n int, done bool) {
	n, step, most := st.Looks()
	for look := 1; ; look, n = look+1, min(most, n+step) {
		x, y := f.runsOf(c.a.hash, runsFor(c.a, n)), f.runsOf(c.b.hash, runsFor(c.b, n))
		if len(x) < runsFor(c.a, n) || len(y) < runsFor(c.b, n) {
			return n, false
		}
		a, b := pairRuns(x, y, c.a.once, c.b.once, c.metric)
		if n >= most || c.clear(a, b, stats.LookConfidence(look, st.Runs.Confidence)) {
			return n, true
		}
	}
}

// runsFor returns how many runs stand for n replications of a point.
func runsFor(p contrasted, n int) int {
	if p.once {
		return 1
	}
	return n
}

// clear reports whether a difference of paired values is known: the interval that belongs to its
// p-value excludes equality, or is at most the wanted fraction of the mean of b on either
// side.
func (c *contrast) clear(a, b []float64, confidence float64) bool {
	if len(a) < 2 {
		return true // nothing to judge by
	}
	t, mean := stats.TestPairs(a, b, confidence), stats.Mean(b)
	e := t.Tested()
	return math.IsNaN(e.Half) || math.Abs(e.Mean) > e.Half ||
		e.Half <= t.Size(c.within*math.Abs(mean), mean)
}
