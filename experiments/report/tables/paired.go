package tables

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/input"
)

// Pair compares two labels of an axis at points that are otherwise equal.
type Pair struct {
	Metric, Unit string   // the compared metric and its unit
	Group        []string // labels of the other axes
	A, B         string   // the compared labels
	MeanA, MeanB float64  // means over the paired runs
	// PairedTest has A - B and A / B, each with the number of pairs N, and the p-value of one of
	// them. P is NaN where the runs leave nothing to test.
	stats.PairedTest
	Adjusted float64 // P adjusted by Holm's method over the pairs of the metric
	Note     string  // why there is no test, "" if there is one
	// SameJobs says that all replications of both values have the same jobs, so that the test says
	// nothing of other jobs.
	SameJobs bool
}

// Reasons why a pair has no test.
const (
	noteOneRun   = "one pair"
	noteNoChance = "no chance"
	noteSameRun  = "same runs"
)

// PairedComparison compares every two labels of an axis, for every metric.
type PairedComparison struct {
	Key   string // the key of the axis
	Pairs []Pair // in the order of the metrics, then of the points
	// Apart, if above 0, is a difference for which headings state how many pairs of runs distinguish
	// it from 0.
	Apart float64

	results *experiments.Results
	where   []string          // KEY=LABEL, of which points must have one for each key
	against string            // the label with which all others are compared, "" for all pairs
	rule    *study.Difference // what the study asks for, nil for all pairs
	axis    int
	draws   draws
	differ  []string // properties of jobs that are not the same in some pair
}

// maxPairs is the largest number of pairs of points that CompareBy accepts.
const maxPairs = 100_000

// CompareBy compares every two points that differ in one axis alone, by the
// replications that both have. Of each key in where, which lists KEY=LABEL, it takes the points
// with such a label. It refuses a key that is no axis, an axis of one value, and results
// without two such points.
func CompareBy(r *experiments.Results, key string, where ...string) (*PairedComparison, error) {
	return CompareAgainst(r, key, "", where...)
}

// CompareAgainst is CompareBy for the pairs of one value of the axis with each other one, which is
// the first of its pair. An empty value stands for all pairs.
func CompareAgainst(r *experiments.Results, key, against string, where ...string) (
	*PairedComparison, error) {
	c := &PairedComparison{Key: key, results: r, axis: slices.Index(r.AxisKeys(), key), where: where,
		against: against}
	if err := c.check(); err != nil {
		return nil, err
	}
	chosen, err := r.Study.Chosen(r.Points, "--where", where)
	if err != nil {
		return nil, err
	}
	couples := slices.DeleteFunc(couplesOf(r, c.axis),
		func(at [2]int) bool { return !chosen[at[0]] || !chosen[at[1]] })
	if against != "" {
		is, err := r.Study.Chosen(r.Points, "--against", []string{key + "=" + against})
		if err != nil {
			return nil, err
		}
		couples = slices.DeleteFunc(couples, func(at [2]int) bool { return !is[at[0]] && !is[at[1]] })
		for i, at := range couples {
			if is[at[0]] {
				couples[i] = [2]int{at[1], at[0]}
			}
		}
	}
	for _, metric := range r.Metrics() {
		first := len(c.Pairs)
		for _, at := range couples {
			c.add(at[0], at[1], metric)
		}
		c.adjust(c.Pairs[first:])
	}
	if c.Pairs == nil {
		problem := "no two values of " + key + " have finished runs of the same replication"
		return nil, &input.Error{Problem: problem, Right: "contend run resumes the study"}
	}
	c.commonDraws(couples)
	return c, nil
}

// check refuses keys and results that cannot be compared.
func (c *PairedComparison) check() error {
	r := c.results
	keys := r.AxisKeys()
	switch {
	case len(keys) == 0:
		return c.refuse("give some in [[axes]] or with contend run --axis",
			"the study %s has no axes", r.Study.Name)
	case c.axis < 0:
		return c.refuse(input.OneOf(c.Key, keys), "%q is no axis of the study %s", c.Key,
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
	return &input.Error{Problem: problem, Right: "contend run makes them"}
}

// refuse returns the error of a key whose values cannot be compared.
func (c *PairedComparison) refuse(right, problem string, args ...any) error {
	return &input.Error{Where: "--by " + c.Key, Problem: fmt.Sprintf(problem, args...),
		Right: right}
}

// couplesOf lists the pairs of points that differ in an axis alone, group by group, in the order of
// the values of the axis.
func couplesOf(r *experiments.Results, axis int) [][2]int {
	axes, stride := r.Study.Axes, 1
	for _, a := range axes[axis+1:] {
		stride *= len(a.Values)
	}
	values := len(axes[axis].Values)
	var couples [][2]int
	for first := range r.Points {
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
	unit := metrics.UnitOf(metric, &p.Spec)
	if len(a) == 0 || unit != metrics.UnitOf(metric, &q.Spec) {
		return
	}
	t := c.test(i, j, metric, len(a))
	pair := Pair{
		Metric: metric, Unit: unit,
		Group: WithoutAxis(p.Labels, c.axis), A: p.Labels[c.axis], B: q.Labels[c.axis],
		MeanA: stats.Mean(a), MeanB: stats.Mean(b),
		PairedTest: t, SameJobs: r.JobsRepeat(i) && r.JobsRepeat(j),
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

// adjust computes the adjusted p-values of one metric.
func (c *PairedComparison) adjust(pairs []Pair) {
	p := make([]float64, len(pairs))
	for i := range pairs {
		p[i] = pairs[i].P
	}
	for i, adjusted := range stats.Holm(p) {
		pairs[i].Adjusted = adjusted
	}
}

// Alpha returns the level below which an adjusted p-value is significant.
func (c *PairedComparison) Alpha() float64 { return 1 - c.results.Study.Runs.Confidence }

// draws is what the runs of a pair share, from least to most.
type draws int

// What the runs of a pair share.
const (
	drawsApart   draws = iota // the number of the replication only
	drawsCommon               // random numbers, used by different rules
	drawsJobs                 // the jobs
	drawsWindows              // the window of a log
)

// commonDraws sets what the runs of all pairs share, and in which properties jobs differ.
func (c *PairedComparison) commonDraws(couples [][2]int) {
	r := c.results
	c.draws = drawsWindows
	for _, at := range couples {
		differ, known := r.JobsDiffer(at[0], at[1])
		c.draws = min(c.draws, drawsOf(&r.Points[at[0]].Spec, &r.Points[at[1]].Spec, differ, known))
		c.differ = Unique(append(c.differ, differ...))
	}
}

// drawsOf returns what runs of two specs share. differ lists the properties in which their jobs
// differ, if the runs have recorded jobs (known); else jobs of equal keys are the same.
func drawsOf(a, b *config.Spec, differ []string, known bool) draws {
	switch {
	case a.Seed != b.Seed:
		return drawsApart
	case differ != nil, known && a.ProgramKeys() != b.ProgramKeys(),
		!known && a.JobKeys() != b.JobKeys():
		return drawsCommon
	case a.Workload.Window > 0 && a.Workload.Source != "synthetic":
		return drawsWindows
	}
	return drawsJobs
}

// Metrics resolves a choice of metrics: names, "all", or none for the metrics of the study's table.
// It refuses a metric that no pair has.
func (c *PairedComparison) Metrics(wanted []string) ([]string, error) {
	var have []string
	for i := range c.Pairs {
		if m := c.Pairs[i].Metric; !slices.Contains(have, m) {
			have = append(have, m)
		}
	}
	if slices.Equal(wanted, []string{"all"}) {
		return have, nil
	}
	for _, m := range wanted {
		if !slices.Contains(have, m) {
			right := input.OneOf(m, have)
			if metrics.OfSlowdown(m) {
				right = "add it to table.metrics of the study, and run that again"
			}
			return nil, &input.Error{Where: "--metric " + m, Right: right,
				Problem: fmt.Sprintf("no pair of runs has a metric %q", m)}
		}
	}
	if len(wanted) > 0 {
		return wanted, nil
	}
	absent := func(m string) bool { return !slices.Contains(have, m) }
	shown := slices.DeleteFunc(tableMetrics(c.results), absent)
	if len(shown) == 0 {
		return have, nil
	}
	return shown, nil
}

// testTexts names what is tested, by whether it is the ratio, in tables.
var testTexts = map[bool]string{true: "A / B", false: "A - B"}

// sharedText returns the text that textOf returns for all pairs; "" and false if they differ.
func sharedText(pairs []*Pair, textOf func(*Pair) string) (text string, same bool) {
	for _, p := range pairs {
		if textOf(p) != textOf(pairs[0]) {
			return "", false
		}
	}
	return textOf(pairs[0]), true
}

// otherKeys returns the keys of the axes that identify a group of pairs.
func (c *PairedComparison) otherKeys() []string {
	return WithoutAxis(c.results.AxisKeys(), c.axis)
}

// pairsOf returns the pairs of a metric, in order.
func (c *PairedComparison) pairsOf(metric string) []*Pair {
	var pairs []*Pair
	for i := range c.Pairs {
		if c.Pairs[i].Metric == metric {
			pairs = append(pairs, &c.Pairs[i])
		}
	}
	return pairs
}

// significant returns yes or no, "" if there is no test.
func (c *PairedComparison) significant(p *Pair) string {
	switch {
	case math.IsNaN(p.Adjusted):
		return ""
	case p.Adjusted < c.Alpha():
		return "yes"
	}
	return "no"
}

// onTheseJobs qualifies the verdict of a pair with SameJobs.
const onTheseJobs = "on these jobs"

// verdict returns significant with the jobs that it is restricted to.
func (c *PairedComparison) verdict(p *Pair) string {
	text := c.significant(p)
	if text != "" && p.SameJobs {
		text += ", " + onTheseJobs
	}
	return text
}

// limit returns what limits the test of a pair, or why there is none, "" for no limit.
func (c *PairedComparison) limit(p *Pair) string {
	if p.Note == "" && p.SameJobs && c.significant(p) != "" {
		return onTheseJobs
	}
	return p.Note
}

// Tables returns the comparison as a table for each metric.
func (c *PairedComparison) Tables(metrics []string) []Grid {
	var grids []Grid
	for _, m := range metrics {
		grids = append(grids, c.grid(m, markdown))
	}
	return grids
}

// grid returns the table of one metric.
func (c *PairedComparison) grid(metric string, f form) Grid {
	var header []string
	for _, key := range c.otherKeys() {
		header = append(header, ShortKey(key))
	}
	pairs := c.pairsOf(metric)
	unit, sameUnit := sharedText(pairs, func(p *Pair) string { return p.Unit })
	test, sameTest := sharedText(pairs, func(p *Pair) string { return testTexts[p.OfRatio] })
	header = append(header, "A", "B")
	if !sameUnit {
		header = append(header, "unit")
	}
	left := len(header)
	header = append(header, "pairs", Title("A - B", unit), "A / B")
	if !sameTest {
		header = append(header, "test of", "p")
	} else {
		header = append(header, "p of "+test)
	}
	cells := [][]string{append(header, "p (Holm)", "significant")}
	for _, p := range pairs {
		row := append(slices.Clone(p.Group), p.A, p.B, p.Unit)[:left]
		row = append(row, strconv.Itoa(p.Difference.N), f.difference(p.Difference), ratioText(&p.Ratio))
		if !sameTest {
			row = append(row, testTexts[p.OfRatio])
		}
		cells = append(cells, append(row, pText(p.P), pText(p.Adjusted),
			cmp.Or(p.Note, c.verdict(p))))
	}
	g := Grid{Heading: c.heading(f.title(metric, unit), pairs, unit), Cells: cells, Left: left,
		verdicts: true}
	f.names(c.results, &g)
	return g
}

// heading returns the title of a metric and the size of its family of tests.
func (c *PairedComparison) heading(title string, pairs []*Pair, unit string) string {
	tests := 0
	for _, p := range pairs {
		if !math.IsNaN(p.P) {
			tests++
		}
	}
	return title + ", " + input.Plural(tests, "test") + c.pairsNeeded(pairs, unit)
}

// pairsNeeded states how many pairs of runs the tests need to distinguish a mean of A that is Apart
// above that of B from it, for the smallest and for the largest variance seen; "" if Apart is 0.
// Where the errors of jumps over time are as large in some pair, no number of pairs suffices.
func (c *PairedComparison) pairsNeeded(pairs []*Pair, unit string) string {
	low, high := math.MaxInt, 0
	apart := strings.TrimSpace(decimal.Number(c.Apart) + " " + unit)
	for _, p := range pairs {
		e := p.Tested()
		if e.N < 2 || math.IsNaN(e.Half) || c.Apart <= 0 {
			continue
		}
		half := p.InTestedUnit(c.Apart, p.MeanB)
		if e.Shared > 0 {
			if half *= math.Sqrt(max(0, 1-math.Pow(e.Shared/half, 2))); half == 0 {
				return "; errors of jumps are too large to tell " + apart + " apart"
			}
		}
		n := e.ValuesFor(half, c.results.Study.Runs.Confidence)
		low, high = min(low, n), max(high, n)
	}
	if high == 0 {
		return ""
	}
	what := "replication"
	if c.draws == drawsWindows {
		what = "window"
	}
	text := input.Plural(high, what)
	if low < high {
		text = fmt.Sprintf("%d to %s, by pair", low, text)
	}
	return fmt.Sprintf("; to tell %s apart: about %s", apart, text)
}

// texDifference is EstimateText in LaTeX: an interval that has 0 in it is the matter of its test.
func texDifference(e stats.Estimate) string {
	text := WithError(e, `\pm`)
	if e.Half = 0; math.IsNaN(e.Shared) {
		text += texMarksOf(e)
	}
	return texDigits(text)
}
