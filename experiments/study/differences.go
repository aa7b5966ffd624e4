package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"contend/internal/input"
)

// Difference requests the paired differences between the labels of an axis and one of
// them, at points that are otherwise equal. The summary of the study has them.
type Difference struct {
	By      string         `key:"by" ref:"axis,allocator"` // axis key, "" for allocator
	Against string         `key:"against" ref:"label"`     // label of By to compare with
	Metric  string         `key:"metric" ref:"metric"`     // "" for the first primary one
	Where   map[string]any `key:"where" ref:"where"`       // the points to compare, nil for all
	// Within requests replications until each difference is clear or its interval is at
	// most this fraction of the mean of Against on either side; 0 requests none.
	Within float64 `key:"within"`
}

// ByKey returns the key of the compared axis.
func (d *Difference) ByKey() string {
	return cmp.Or(d.By, "allocator")
}

// MetricOf returns the metric that is compared in a study.
func (d *Difference) MetricOf(st *Study) string {
	return cmp.Or(d.Metric, append(slices.Clone(st.Primary), "finish_time")[0])
}

// labelKey implements labelled.
func (d *Difference) labelKey(*Study) string { return d.ByKey() }

// checkDifferences tests the keys of all differences.
func (st *Study) checkDifferences() *input.Error {
	for i := range st.Differences {
		d, at := &st.Differences[i], fmt.Sprintf("differences[%d]", i)
		switch {
		case d.Against == "":
			return input.Bad(at+".against", "give a value of "+d.ByKey(),
				"%s does not say what to compare with", at)
		case !(d.Within >= 0) || math.IsInf(d.Within, 1):
			return input.Bad(at+".within", "give a fraction such as 0.02, or 0 for none",
				"%s.within is %g", at, d.Within)
		}
	}
	return nil
}

// Against lists the pairs of points that a difference compares: each point with the one that
// has the label against and is otherwise equal, which is the second. It is nil if flags left
// the axis or the label out.
func (st *Study) Against(points []Point, d *Difference) (pairs [][2]int) {
	axis, stride := st.AxisOf(d.ByKey()), 1
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
			if reference >= 0 && at != reference && Matches(&points[at], d.Where) &&
				Matches(&points[reference], d.Where) {
				pairs = append(pairs, [2]int{at, reference})
			}
		}
	}
	return pairs
}

// Sequential reports whether some difference adds replications.
func (st *Study) Sequential() bool {
	return slices.ContainsFunc(st.Differences, func(d Difference) bool { return d.Within > 0 })
}

// minLook is the least number of replications by which the precision of a
// point is judged. Studies stop when their few values happen to lie close
// together. If they may stop from three replications on, an interval of 95%
// holds a normal mean in 90% of studies; from ten on, in 93.5 to 95%
// (TestLongStoppedIntervalsCover). Law, Simulation Modeling and Analysis,
// sec. 9.4.1, also asks for ten. The stricter bound e/(1 + e) of Law and of Chow
// and Robbins (1965) adds 0.1 percentage points.
const minLook = 10

// Looks returns the number of replications at the first look at results, the number that each
// further look adds, and the largest number.
func (st *Study) Looks() (first, step, maxReplications int) {
	first = st.Runs.Replications
	maxReplications = cmp.Or(st.Runs.MaxReplications, 10*first)
	first = min(maxReplications, max(first, minLook))
	return first, max(1, first/2), maxReplications
}

// LookOf returns the number of the look, from 1, at which a point has n replications.
func (st *Study) LookOf(replications int) int {
	first, step, _ := st.Looks()
	return 1 + (max(0, replications-first)+step-1)/step
}
