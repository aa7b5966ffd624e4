package report

import (
	"fmt"
	"math"
	"slices"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/stats"
)

// Pair compares two values of an axis at points that are otherwise alike.
type Pair struct {
	// Metric is what is compared, in Unit.
	Metric, Unit string
	// Group are the labels of the other axes, A and B those compared.
	Group []string
	A, B  string
	// MeanA and MeanB are means over the runs that were paired.
	MeanA, MeanB float64
	// Difference is A - B and Ratio A / B, each with its interval and N, the
	// number of pairs; Half is NaN where there is none, so is an undefined Ratio.
	Difference, Ratio stats.Estimate
	// P is that of the paired t test, two-sided; Adjusted is P adjusted by
	// Holm's method over all pairs of the metric. NaN: there is no test.
	P, Adjusted float64
	// Note says why there is no test, "" where there is one.
	Note string
}

// Why a pair has no test.
const (
	noteOneRun   = "one pair"
	noteNoChance = "no chance"
	noteSameRun  = "same runs"
)

// PairedComparison are all pairs of an axis's values, for every metric.
type PairedComparison struct {
	// Key is the axis.
	Key string
	// Pairs are in the order of metrics, then of points.
	Pairs []Pair

	results *experiments.Results
	axis    int
	draws   draws
}

// maxPairs is how many pairs of points are compared at most.
const maxPairs = 100_000

// CompareBy compares the values of an axis: every two points that differ in it
// alone, by the replications both have. Bad input are a key that is no axis, an
// axis of one value, and results that hold no two such points.
func CompareBy(r *experiments.Results, key string) (*PairedComparison, error) {
	c := &PairedComparison{Key: key, results: r, axis: slices.Index(r.AxisKeys(), key)}
	if err := c.check(); err != nil {
		return nil, err
	}
	couples := c.couples()
	for _, metric := range r.Metrics() {
		first := len(c.Pairs)
		for _, at := range couples {
			c.add(at[0], at[1], metric)
		}
		c.adjust(c.Pairs[first:])
	}
	if c.Pairs == nil {
		problem := "no two values of " + key + " have finished runs of the same replication"
		return nil, &spec.InputError{Problem: problem, Right: "contend run resumes the study"}
	}
	c.draws = commonDraws(r, couples)
	return c, nil
}

func (c *PairedComparison) check() error {
	r := c.results
	keys := r.AxisKeys()
	switch {
	case len(keys) == 0:
		return c.refuse("give some in [[axes]] or with contend run --axis",
			"the study %s has no axes", r.Study.Name)
	case c.axis < 0:
		return c.refuse(spec.OneOf(c.Key, keys), "%q is no axis of the study %s", c.Key,
			r.Study.Name)
	}
	values := len(r.Study.Axes[c.axis].Values)
	if values < 2 {
		return c.refuse("give it two or more", "the axis %s has one value", c.Key)
	}
	if n := len(r.Points) * (values - 1) / 2; n > maxPairs {
		return c.refuse(fmt.Sprintf("compare at most %d pairs, in a study of fewer values",
			maxPairs),
			"the axis %s has %d values, which makes %d pairs of points", c.Key, values, n)
	}
	for i := range r.Points {
		if r.Replications(i) > 0 {
			return nil
		}
	}
	problem := r.Folder.Dir + " has no finished runs"
	return &spec.InputError{Problem: problem, Right: "contend run makes them"}
}

// refuse is the error about the key that was asked for.
func (c *PairedComparison) refuse(right, problem string, args ...any) error {
	return &spec.InputError{Where: "--by " + c.Key, Problem: fmt.Sprintf(problem, args...),
		Right: right}
}

// couples lists the points that differ in the axis alone: group by group, in
// the order of the axis's values.
func (c *PairedComparison) couples() [][2]int {
	axes, stride := c.results.Study.Axes, 1
	for _, a := range axes[c.axis+1:] {
		stride *= len(a.Values)
	}
	values := len(axes[c.axis].Values)
	var couples [][2]int
	for first := range c.results.Points {
		if first/stride%values != 0 {
			continue
		}
		for a := range values {
			for b := a + 1; b < values; b++ {
				couples = append(couples, [2]int{first + a*stride, first + b*stride})
			}
		}
	}
	return couples
}

// add compares two points, if both have the metric in the same unit.
func (c *PairedComparison) add(i, j int, metric string) {
	r := c.results
	a, b := r.Paired(i, j, metric)
	p, q := &r.Points[i], &r.Points[j]
	unit := cosim.UnitOf(metric, &p.Spec)
	if len(a) == 0 || unit != cosim.UnitOf(metric, &q.Spec) {
		return
	}
	t := stats.TestPairs(a, b, r.Study.Runs.Confidence)
	pair := Pair{
		Metric: metric, Unit: unit,
		Group: c.group(p.Labels), A: p.Labels[c.axis], B: q.Labels[c.axis],
		MeanA: stats.Mean(a), MeanB: stats.Mean(b),
		Difference: t.Difference, Ratio: t.Ratio, P: t.P,
	}
	switch {
	case p.Hash == q.Hash:
		pair.Note, pair.P = noteSameRun, math.NaN()
	case len(a) == 1:
		pair.Note = noteOneRun
	case math.IsNaN(t.P):
		pair.Note = noteNoChance
	}
	c.Pairs = append(c.Pairs, pair)
}

// group is what the points of a pair have in common.
func (c *PairedComparison) group(labels []string) []string {
	return slices.Delete(slices.Clone(labels), c.axis, c.axis+1)
}

// adjust fills in the adjusted p-values of one metric.
func (c *PairedComparison) adjust(pairs []Pair) {
	p := make([]float64, len(pairs))
	for i := range pairs {
		p[i] = pairs[i].P
	}
	for i, adjusted := range stats.Holm(p) {
		pairs[i].Adjusted = adjusted
	}
}

// Alpha is the level below which an adjusted p counts as significant.
func (c *PairedComparison) Alpha() float64 { return 1 - c.results.Study.Runs.Confidence }

// draws says what the runs of a pair have in common.
type draws int

const (
	drawsApart   draws = iota // replications of the same number, jobs drawn apart
	drawsCommon               // the same random numbers, used by different rules
	drawsJobs                 // the same jobs
	drawsWindows              // the same window of a log
)

// commonDraws returns what is true of all pairs of points.
func commonDraws(r *experiments.Results, couples [][2]int) draws {
	least := drawsWindows
	for _, at := range couples {
		least = min(least, drawsOf(&r.Points[at[0]].Spec, &r.Points[at[1]].Spec))
	}
	return least
}

func drawsOf(a, b *spec.Spec) draws {
	switch {
	case a.Seed != b.Seed:
		return drawsApart
	case a.JobKeys() != b.JobKeys():
		return drawsCommon
	case a.Workload.Window > 0 && a.Workload.Source != "synthetic":
		return drawsWindows
	}
	return drawsJobs
}
