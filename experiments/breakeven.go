package experiments

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
)

// BreakEven asks from which value of a key on a metric is lower at some values
// of another key than at one of them: from which assumed speed-up on contiguous
// allocation pays, say.
type BreakEven struct {
	Name    string         `key:"name" doc:"title of its table"`
	Metric  string         `key:"metric" doc:"what has to become lower"`
	Along   string         `key:"along" doc:"axis key of numbers, in rising order, along which to look"`
	Against string         `key:"against" doc:"label of among that has to be beaten"`
	Among   string         `key:"among" doc:"axis key whose values are compared; default allocator"`
	Where   map[string]any `key:"where" doc:"points to look at: axis keys with a value or a list of values"`
	Low     float64        `key:"low" doc:"least published break-even; low and high 0: none was published"`
	High    float64        `key:"high" doc:"greatest published break-even"`
}

// Crossing is where one line of a break-even crosses the one it is held
// against.
type Crossing struct {
	// Labels are those of the axes but the one it lies along, as far as there
	// are several.
	Labels []string
	// At is the least value from which on the metric is lower, up to the end:
	// the first of the axis where it is so everywhere, +Inf where it is so
	// nowhere at the end.
	At float64
	// Tested is the first value tried that is not below At; +Inf likewise.
	Tested float64
	// Low and High bound its confidence interval; NaN for a single run.
	Low, High float64
	rule      *BreakEven
}

// bootstraps is how many resamples an interval is taken from.
const bootstraps = 2000

// Crossings computes the study's break-evens from the results, in the order of
// the points; lines of which runs are missing are left out.
func (r *Results) Crossings() []Crossing {
	var crossings []Crossing
	for i := range r.Study.BreakEvens {
		b := &r.Study.BreakEvens[i]
		for p := range r.Points {
			if !matches(&r.Points[p], b.Where, r.names) || r.labelAt(p, b.Along) != r.firstLabel(b.Along) || r.labelAt(p, b.among()) == b.Against {
				continue
			}
			if c, ok := r.crossing(b, p); ok {
				crossings = append(crossings, c)
			}
		}
	}
	return crossings
}

func (b *BreakEven) among() string {
	if b.Among == "" {
		return "allocator"
	}
	return b.Among
}

func (r *Results) firstLabel(key string) string { return r.labelAt(0, key) }

// crossing follows the line that begins at a point.
func (r *Results) crossing(b *BreakEven, first int) (Crossing, bool) {
	var xs []float64
	var line, base [][]float64
	runs := math.MaxInt
	for _, label := range r.labels(r.all(), b.Along) {
		p, ok := r.sibling(first, b.Along, label)
		if !ok {
			return Crossing{}, false
		}
		q, ok := r.sibling(p, b.among(), b.Against)
		x, err := strconv.ParseFloat(label, 64)
		if !ok || err != nil {
			return Crossing{}, false
		}
		xs = append(xs, x)
		above, below := r.paired(p, q, b.Metric)
		line, base = append(line, above), append(base, below)
		if n := len(above); n == 0 || !r.constant(p) || !r.constant(q) {
			runs = min(runs, n)
		}
	}
	if runs == math.MaxInt { // nothing is drawn anywhere
		runs = 1
	}
	for i := range line {
		line[i], base[i] = repeated(line[i], runs), repeated(base[i], runs)
	}
	if runs == 0 || len(xs) < 2 {
		return Crossing{}, false
	}
	c := Crossing{Labels: r.crossingLabels(b, first), Low: math.NaN(), High: math.NaN(), rule: b}
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

// repeated returns a single value as often as the others have runs.
func repeated(values []float64, runs int) []float64 {
	if len(values) != 1 {
		return values
	}
	return slices.Repeat(values, runs)
}

func (r *Results) all() []int {
	points := make([]int, len(r.Points))
	for i := range points {
		points[i] = i
	}
	return points
}

// crossingLabels are a point's labels of the axes but the one along.
func (r *Results) crossingLabels(b *BreakEven, point int) []string {
	axis := slices.Index(r.AxisKeys(), b.Along)
	return slices.Delete(slices.Clone(r.Points[point].Labels), axis, axis+1)
}

// crossingOf returns from which x on the mean of the line over the runs drawn
// lies below that of the base. In between two values the logarithm of their
// ratio is taken to be straight: waiting times span decades.
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

func meanOf(values []float64, drawn []int) float64 {
	sum := 0.0
	for _, i := range drawn {
		sum += values[i]
	}
	return sum / float64(len(drawn))
}

// bootstrapCrossing returns the percentile interval of the crossing over runs
// drawn with replacement (Efron, Annals of Statistics 7(1), 1979); line and base
// see the same jobs, so their runs are drawn in pairs.
func bootstrapCrossing(xs []float64, line, base [][]float64, drawn []int, confidence float64) (low, high float64) {
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
