package tables

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"contend/experiments"
	"contend/experiments/study"
)

// Crossing is the point at which a line of a break-even crosses its reference.
type Crossing struct {
	// Labels has the labels of all axes other than the one along which the line lies.
	Labels []string
	// At is the smallest value from which the metric is lower up to the end of the axis: Min if the
	// metric is lower everywhere, +Inf if it is not lower at the end.
	At        float64
	Min       float64 // the smallest value of the axis
	Tested    float64 // the first simulated value that is not below At, +Inf if none is
	Low, High float64 // ends of the confidence interval of At; NaN for a single run
	Runs      int     // number of replications

	rule *study.BreakEven
}

// bootstraps is the number of resamples from which an interval is taken.
const bootstraps = 2000

// Crossings computes the crossings of all break-evens of the study, in the order of the points. It
// leaves out lines with missing runs.
func Crossings(r *experiments.Results) []Crossing {
	var crossings []Crossing
	for i := range r.Study.BreakEvens {
		b := &r.Study.BreakEvens[i]
		for p := range r.Points {
			if !r.Study.Begins(b, r.Points, p) {
				continue
			}
			if c, ok := CrossingAt(r, b, p); ok {
				crossings = append(crossings, c)
			}
		}
	}
	return crossings
}

// CrossingAt computes the crossing of the line that begins at a point. It reports false if runs are
// missing.
func CrossingAt(r *experiments.Results, b *study.BreakEven, first int) (Crossing, bool) {
	var xs []float64
	var line, base [][]float64
	runs := math.MaxInt
	for _, label := range byNumber(r.Study.LabelsOf(r.Points, b.Along)) {
		p, ok := r.Study.Sibling(r.Points, first, b.Along, label)
		if !ok {
			return Crossing{}, false
		}
		q, ok := r.Study.Sibling(r.Points, p, b.AmongKey(), b.Against)
		x, err := strconv.ParseFloat(label, 64)
		if !ok || err != nil {
			return Crossing{}, false
		}
		xs = append(xs, x)
		above, below := r.Paired(p, q, b.Metric)
		line, base = append(line, above), append(base, below)
		if n := len(above); n == 0 || !r.Constant(p) || !r.Constant(q) {
			runs = min(runs, n)
		}
	}
	if runs == math.MaxInt { // nothing is drawn at random at any point
		runs = 1
	}
	for i := range line {
		line[i], base[i] = repeated(line[i], runs), repeated(base[i], runs)
	}
	if runs == 0 || len(xs) < 2 {
		return Crossing{}, false
	}
	labels := WithoutAxis(r.Points[first].Labels, slices.Index(r.AxisKeys(), b.Along))
	c := Crossing{Labels: labels, Low: math.NaN(), High: math.NaN(), Min: xs[0], Runs: runs, rule: b}
	drawn := make([]int, runs)
	for i := range drawn {
		drawn[i] = i
	}
	c.At = crossingOf(xs, line, base, drawn)
	c.Tested = math.Inf(1)
	for i := len(xs) - 1; i >= 0 && xs[i] >= c.At; i-- {
		c.Tested = xs[i]
	}
	if runs > 1 {
		c.Low, c.High = bootstrapCrossing(xs, line, base, drawn, r.Study.Runs.Confidence)
	}
	return c, true
}

// byNumber sorts labels by the numbers that they are, since --axis may give values in any order.
func byNumber(labels []string) []string {
	return slices.SortedStableFunc(slices.Values(labels), func(a, b string) int {
		x, _ := strconv.ParseFloat(a, 64)
		y, _ := strconv.ParseFloat(b, 64)
		return cmp.Compare(x, y)
	})
}

// repeated returns a single value as often as the other points have runs, and other values
// unchanged.
func repeated(values []float64, runs int) []float64 {
	if len(values) != 1 {
		return values
	}
	return slices.Repeat(values, runs)
}

// crossingOf returns the x from which the mean of line over the drawn runs lies
// below that of base. It interpolates the logarithm of their ratio linearly
// between two values, because waiting times span decades.
func crossingOf(xs []float64, line, base [][]float64, drawn []int) float64 {
	at, last := math.Inf(1), math.NaN()
	for i := len(xs) - 1; i >= 0; i-- {
		ratio := math.Log(meanOf(line[i], drawn) / meanOf(base[i], drawn))
		if !(ratio < 0) {
			if i+1 < len(xs) {
				at = xs[i] + (xs[i+1]-xs[i])*ratio/(ratio-last)
				if math.IsInf(ratio, 1) || math.IsNaN(at) { // the base is 0 there
					at = xs[i+1]
				}
			}
			return at
		}
		at, last = xs[i], ratio
	}
	return at
}

// meanOf returns the mean of the drawn values.
func meanOf(values []float64, drawn []int) float64 {
	sum := 0.0
	for _, i := range drawn {
		sum += values[i]
	}
	return sum / float64(len(drawn))
}

// bootstrapCrossing returns the percentile interval of the crossing over runs
// drawn with replacement (Efron, Annals of Statistics 7(1), 1979). It draws the
// runs of line and base in pairs, because both see the same jobs.
func bootstrapCrossing(xs []float64, line, base [][]float64, drawn []int,
	confidence float64) (low, high float64) {
	rng := rand.New(rand.NewPCG(1, uint64(len(drawn))))
	drawn = slices.Clone(drawn)
	found := make([]float64, bootstraps)
	for k := range found {
		for i := range drawn {
			drawn[i] = rng.IntN(len(drawn))
		}
		found[k] = crossingOf(xs, line, base, drawn)
	}
	slices.Sort(found)
	tail := int(math.Round((1 - confidence) / 2 * (bootstraps - 1)))
	return found[tail], found[bootstraps-1-tail]
}
