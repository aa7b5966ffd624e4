package tables

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/table"
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

	rule  *study.BreakEven
	jumps bool // jumps over time leave an error in the values of the line, which the interval lacks
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
	runs, jumps := math.MaxInt, false
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
		for _, point := range []int{p, q} {
			e, _ := r.Estimate(point, b.Metric)
			jumps = jumps || e.Shared != 0
		}
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
	c := Crossing{Labels: labels, Low: math.NaN(), High: math.NaN(), Min: xs[0], Runs: runs,
		rule: b, jumps: jumps}
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

// Inside reports whether the break-even lies in the published band; known is
// false if no band was published. Papers read it off the values that they tried,
// so Inside compares the first simulated value that pays.
func (c *Crossing) Inside() (inside, known bool) {
	return c.Tested >= c.rule.Low && c.Tested <= c.rule.High, c.rule.High > 0
}

// breakEvenCells returns the header and the rows of the table of one break-even.
func breakEvenCells(r *experiments.Results, b *study.BreakEven,
	crossings []Crossing) [][]string {
	var header []string
	for _, key := range r.AxisKeys() {
		if key != b.Along {
			header = append(header, ShortKey(key))
		}
	}
	k, _ := config.FindKey(b.Along)
	header = append(header, Title("from "+ShortKey(b.Along), k.Unit))
	if r.Study.Runs.Replications > 1 {
		header = append(header, "interval")
	}
	if b.High > 0 {
		header = append(header, "first tried", "published")
	}
	grid := [][]string{header}
	for i := range crossings {
		c := &crossings[i]
		if c.rule != b {
			continue
		}
		row := append(slices.Clone(c.Labels), c.text(c.At))
		if r.Study.Runs.Replications > 1 {
			row = append(row, c.intervalText())
		}
		if c.jumps {
			row[len(row)-1] += JumpMark(math.NaN())
		}
		if inside, known := c.Inside(); known {
			published := decimal.Number(b.Low) + " to " + decimal.Number(b.High)
			if !inside {
				published += ", outside"
			}
			row = append(row, crossingText(c.Tested), published)
		}
		grid = append(grid, row)
	}
	return grid
}

// crossingText returns a crossing with three digits, or "never".
func crossingText(x float64) string {
	if math.IsInf(x, 1) {
		return "never"
	}
	return Significant(x, 3)
}

// text returns the value or an end of the interval of a crossing: "at most" the least value that
// was tried if it is that value, since it may lie below.
func (c *Crossing) text(x float64) string {
	if x == c.Min && x > 0 {
		return "at most " + crossingText(x)
	}
	return crossingText(x)
}

// intervalText returns the interval of a crossing, "" for a single run. An interval whose ends are
// both at most the least value tried, or both never, is one text.
func (c *Crossing) intervalText() string {
	switch {
	case math.IsNaN(c.Low):
		return ""
	case c.Low == c.High && (c.Low == c.Min || math.IsInf(c.Low, 1)):
		return c.text(c.Low)
	}
	return c.text(c.Low) + " to " + c.text(c.High)
}

// breakEvenNotes explains the cells of a table of a break-even.
func breakEvenNotes(r *experiments.Results, b *study.BreakEven, crossings []Crossing,
) (notes []string) {
	say := func(text string, when func(c *Crossing) bool) {
		if slices.ContainsFunc(crossings, func(c Crossing) bool { return c.rule == b && when(&c) }) {
			notes = append(notes, text)
		}
	}
	say(fmt.Sprintf("Intervals: %g%% bootstrap intervals over the replications; with few "+
		"replications they are too narrow.", 100*r.Study.Runs.Confidence),
		func(c *Crossing) bool { return !math.IsNaN(c.Low) })
	say("At most: it is lower at the least value tried already.", func(c *Crossing) bool {
		return c.Min > 0 && (c.At == c.Min || c.Low == c.Min)
	})
	say("Never: it is not lower at the greatest value tried.", func(c *Crossing) bool {
		return math.IsInf(c.At, 1) || math.IsInf(c.High, 1)
	})
	return notes
}

// BreakEvens returns the tables of the study's break-evens that have rows.
func BreakEvens(r *experiments.Results) []Grid { return markdown.breakEvens(r) }

// BreakEvensAsNamed returns the same with labels and metrics as commands take them.
func BreakEvensAsNamed(r *experiments.Results) []Grid { return terminal.breakEvens(r) }

// breakEvens returns the tables of the study's break-evens that have rows.
func (f form) breakEvens(r *experiments.Results) (grids []Grid) {
	crossings := Crossings(r)
	for i := range r.Study.BreakEvens {
		rule := &r.Study.BreakEvens[i]
		if cells := breakEvenCells(r, rule, crossings); len(cells) > 1 {
			g := Grid{Heading: rule.Name,
				About: ": " + f.metric(rule.Metric) + " lower than " + f.name(r, rule.Against),
				Notes: breakEvenNotes(r, rule, crossings), Cells: cells, Left: len(r.Study.Axes) - 1}
			f.names(r, &g)
			grids = append(grids, g)
		}
	}
	return grids
}

// CrossingColumns lists the columns of break-even.csv after the axes.
var CrossingColumns = []table.Column{
	table.Plain("name", "", "title of the table (`break_even.name`)"),
	table.Plain("metric", "", "what has to become lower"),
	table.Plain("against", "", "what has to be beaten"),
	table.Plain("break_even", "of the key along",
		"least value from which on the metric is lower, up to the "+
			"end; `+Inf`: never. The column of the key along is empty"),
	table.Plain("first_tried", "of the key along", "the first value tried that is not below it"),
	table.Plain("ci_low", "of the key along", "lower end of the interval"),
	table.Plain("ci_high", "of the key along", "upper end of the interval"),
	table.Plain("published_low", "of the key along", "least break-even a paper gives, or empty"),
	table.Plain("published_high", "of the key along", "greatest break-even a paper gives, or empty"),
}

// WriteCrossings writes break-even.csv, a row per compared line. A line that
// never crosses has +Inf.
func WriteCrossings(r *experiments.Results, w io.Writer) error {
	along := func(x float64) table.Value {
		if math.IsInf(x, 1) {
			return table.Text("+Inf")
		}
		return table.InUnit(x, "")
	}
	return writeCSV(w, r.AxisKeys(), CrossingColumns, func(write func(...table.Value) error) {
		for _, c := range Crossings(r) {
			labels := slices.Insert(slices.Clone(c.Labels), slices.Index(r.AxisKeys(), c.rule.Along), "")
			var low, high table.Value
			if _, known := c.Inside(); known {
				low, high = along(c.rule.Low), along(c.rule.High)
			}
			write(append(table.Texts(append(labels, c.rule.Name, c.rule.Metric, c.rule.Against)),
				along(c.At), along(c.Tested), along(c.Low), along(c.High), low, high)...)
		}
	})
}
