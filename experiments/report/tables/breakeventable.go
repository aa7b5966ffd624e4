package tables

import (
	"fmt"
	"io"
	"math"
	"slices"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/table"
)

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
