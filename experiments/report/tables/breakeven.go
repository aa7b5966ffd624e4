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
	Low, High float64 // ends of the confidence interval of At, NaN if there is none
	Runs      int     // number of replications
	// Shared is the largest half width of the error that jumps over time leave to the logarithm of a
	// ratio along the line. The interval has these errors: 0 if there is none, NaN if one is of
	// unknown size, and then the interval has none of them.
	Shared float64

	rule *study.BreakEven
}

// tried is a value of the axis along which a line lies.
type tried struct {
	x          float64
	line, base []float64 // the metric of the line and of its reference, by replications of both
	jumps      float64   // half width of the error of jumps in the logarithm of the ratio of the means
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
	var values []tried
	runs, shared := math.MaxInt, 0.0
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
		v := tried{x: x, jumps: r.JumpHalfOfRatio(p, q, b.Metric)}
		v.line, v.base = r.Paired(p, q, b.Metric)
		values, shared = append(values, v), max(shared, v.jumps)
		if n := len(v.line); n == 0 || !r.Constant(p) || !r.Constant(q) {
			runs = min(runs, n)
		}
	}
	if runs == math.MaxInt { // nothing is drawn at random at any point
		runs = 1
	}
	if runs == 0 || len(values) < 2 {
		return Crossing{}, false
	}
	for i := range values {
		v := &values[i]
		v.line, v.base = repeated(v.line, runs), repeated(v.base, runs)
		if math.IsNaN(shared) {
			v.jumps = 0
		}
	}
	labels := WithoutAxis(r.Points[first].Labels, slices.Index(r.AxisKeys(), b.Along))
	c := Crossing{Labels: labels, Low: math.NaN(), High: math.NaN(), Min: values[0].x, Runs: runs,
		Shared: shared, rule: b}
	drawn := make([]int, runs)
	for i := range drawn {
		drawn[i] = i
	}
	c.At = crossingOf(values, drawn, 0)
	c.Tested = math.Inf(1)
	for i := len(values) - 1; i >= 0 && values[i].x >= c.At; i-- {
		c.Tested = values[i].x
	}
	if runs > 1 || shared > 0 {
		c.Low, c.High = bootstrapCrossing(values, drawn, r.Study.Runs.Confidence)
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

// crossingOf returns the x from which the mean of the line over the drawn runs lies below that of
// its reference. It interpolates the logarithm of their ratio linearly between two values, because
// waiting times span decades. errors is added to each logarithm as a multiple of the half width of
// its error of jumps: with -1 the crossing is the least that these errors permit, with 1 the
// greatest, since it falls if any of the logarithms does.
func crossingOf(values []tried, drawn []int, errors float64) float64 {
	at, last := math.Inf(1), math.NaN()
	for i := len(values) - 1; i >= 0; i-- {
		v := &values[i]
		ratio := math.Log(meanOf(v.line, drawn)/meanOf(v.base, drawn)) + float64(errors*v.jumps)
		if !(ratio < 0) {
			if i+1 < len(values) {
				next := values[i+1].x
				at = v.x + (next-v.x)*ratio/(ratio-last)
				if math.IsInf(ratio, 1) || math.IsNaN(at) { // the base is 0 there
					at = next
				}
			}
			return at
		}
		at, last = v.x, ratio
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

// bootstrapCrossing returns the percentile interval of the crossing over runs drawn with
// replacement (Efron, Annals of Statistics 7(1), 1979). It draws the runs of the line and of its
// reference in pairs, because both see the same jobs. The errors of jumps may be shared by the
// runs, so they move both ends out by all of their half widths: of a single run the
// interval is theirs alone.
func bootstrapCrossing(values []tried, drawn []int, confidence float64) (low, high float64) {
	rng := rand.New(rand.NewPCG(1, uint64(len(drawn))))
	drawn = slices.Clone(drawn)
	least, greatest := make([]float64, bootstraps), make([]float64, bootstraps)
	for k := range least {
		for i := range drawn {
			drawn[i] = rng.IntN(len(drawn))
		}
		least[k], greatest[k] = crossingOf(values, drawn, -1), crossingOf(values, drawn, 1)
	}
	slices.Sort(least)
	slices.Sort(greatest)
	tail := int(math.Round((1 - confidence) / 2 * (bootstraps - 1)))
	return least[tail], greatest[bootstraps-1-tail]
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
	intervals := slices.ContainsFunc(crossings, func(c Crossing) bool {
		return c.rule == b && !math.IsNaN(c.Low)
	})
	if intervals {
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
		row := append(slices.Clone(c.Labels), c.text(c.At)+JumpMark(c.Shared))
		if intervals {
			row = append(row, c.intervalText())
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
		func(c *Crossing) bool { return c.Runs > 1 })
	say("Intervals: of the error of jumps over time; one run shows no other.",
		func(c *Crossing) bool { return c.Runs == 1 && c.Shared > 0 })
	say("Each end of an interval is that with the error of jumps over time at its bound.",
		func(c *Crossing) bool { return c.Runs > 1 && c.Shared > 0 })
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
	table.Plain("ci_low", "of the key along", "lower end of the interval, with the error of jumps "+
		"over time; empty with one replication and no such error"),
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
	columns := withJumps(r, CrossingColumns)
	return writeCSV(w, r.AxisKeys(), columns, func(write func(...table.Value) error) {
		for _, c := range Crossings(r) {
			labels := slices.Insert(slices.Clone(c.Labels), slices.Index(r.AxisKeys(), c.rule.Along), "")
			var low, high table.Value
			if _, known := c.Inside(); known {
				low, high = along(c.rule.Low), along(c.rule.High)
			}
			cells := append(table.Texts(append(labels, c.rule.Name, c.rule.Metric, c.rule.Against)),
				along(c.At), along(c.Tested), along(c.Low), along(c.High), low, high)
			write(append(cells, jumpCells(r, c.Shared)...)...)
		}
	})
}
