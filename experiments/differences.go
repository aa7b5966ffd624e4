package experiments

import (
	"fmt"
	"math"
	"slices"

	"contend/experiments/spec"
	"contend/experiments/stats"
)

// Difference asks for the paired differences between the labels of an axis and one of
// them, at points that are otherwise equal. The summary of the study has them.
type Difference struct {
	By      string         `key:"by" ref:"axis,allocator"` // axis key, "" for allocator
	Against string         `key:"against" ref:"label"`     // label of By that the others are compared with
	Metric  string         `key:"metric" ref:"metric"`     // what is compared, "" for the first primary metric
	Where   map[string]any `key:"where" ref:"where"`       // the points to compare, nil for all
	// Within asks for replications until each difference is clear or its interval is at
	// most this fraction of the mean of Against on either side; 0 asks for none.
	Within float64 `key:"within"`
}

// ByKey returns the key of the compared axis.
func (d *Difference) ByKey() string {
	if d.By == "" {
		return "allocator"
	}
	return d.By
}

// MetricOf returns the metric that is compared in a study.
func (d *Difference) MetricOf(st *Study) string {
	if d.Metric != "" {
		return d.Metric
	}
	return append(slices.Clone(st.Primary), "finish_time")[0]
}

func (d *Difference) labelKey(*Study) string { return d.ByKey() }

// checkDifferences tests the keys of all differences.
func (st *Study) checkDifferences() *spec.InputError {
	for i := range st.Differences {
		d, at := &st.Differences[i], fmt.Sprintf("differences[%d]", i)
		switch {
		case d.Against == "":
			return spec.BadInput(at+".against", "give a value of "+d.ByKey(),
				"%s does not say what to compare with", at)
		case !(d.Within >= 0) || math.IsInf(d.Within, 1):
			return spec.BadInput(at+".within", "give a fraction such as 0.02, or 0 for none",
				"%s.within is %g", at, d.Within)
		}
	}
	return nil
}

// Against lists the pairs of points that a difference compares: each point with the one that
// has the label against and is otherwise equal, which is the second. It is nil if flags left
// the axis or the label out.
func (st *Study) Against(points []Point, d *Difference, names spec.Names) (pairs [][2]int) {
	axis, stride := st.axis(d.ByKey()), 1
	if axis < 0 {
		return nil
	}
	for _, a := range st.Axes[axis+1:] {
		stride *= len(a.Values)
	}
	values := len(st.Axes[axis].Values)
	for first := range points {
		if first/stride%values != 0 {
			continue
		}
		reference := -1
		for v := range values {
			if points[first+v*stride].Labels[axis] == d.Against {
				reference = first + v*stride
			}
		}
		for v := range values {
			at := first + v*stride
			if reference >= 0 && at != reference && Matches(&points[at], d.Where, names) &&
				Matches(&points[reference], d.Where, names) {
				pairs = append(pairs, [2]int{at, reference})
			}
		}
	}
	return pairs
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
func (st *Study) contrastsOf(points []Point, names spec.Names) map[string][]*contrast {
	all := map[string][]*contrast{}
	for i := range st.Differences {
		d := &st.Differences[i]
		if d.Within == 0 {
			continue
		}
		for _, at := range st.Against(points, d, names) {
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

// Sequential reports whether some difference adds replications.
func (st *Study) Sequential() bool {
	return slices.ContainsFunc(st.Differences, func(d Difference) bool { return d.Within > 0 })
}

// wantedBy returns how many replications a contrast needs of its points, judged by those that
// are stored, and whether it needs no more than these whatever they show.
func (f *Folder) wantedBy(c *contrast, st *Study) (n int, done bool) {
	n, step, most := st.looks()
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

// clear reports whether a difference of paired values is known: its interval leaves out 0, or
// is at most the wanted fraction of the mean of b on either side.
func (c *contrast) clear(a, b []float64, confidence float64) bool {
	if len(a) < 2 {
		return true // nothing to judge by
	}
	e := stats.TestPairs(a, b, confidence).Difference
	return math.IsNaN(e.Half) || math.Abs(e.Mean) > e.Half ||
		e.Half <= c.within*math.Abs(stats.Mean(b))
}
