package tables

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/decimal"
)

// Significant returns a number with the given number of significant digits and without an exponent.
// Unlike decimal.Significant it keeps zeros at the end.
func Significant(x float64, digits int) string {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Sprint(x)
	}
	decimals := digits - 1 - int(math.Floor(math.Log10(math.Abs(x))))
	return fmt.Sprintf("%.*f", max(0, decimals), x)
}

// Least significant digits of a mean, of a ratio, and of the ends of an interval of ratios.
const meanDigits, ratioDigits, endDigits = 2, 3, 2

// UnknownNote explains the mark of a value whose interval is wider than the value: the interval
// reaches beyond 0.
const UnknownNote = "† The interval (±) is wider than the value before it, so the value is not known."

// JumpNote explains the mark of a value in which jumps over time leave an error of unknown size.
const JumpNote = "‡ The error that jumps over time (runs.fast_forward) leave in the value before it " +
	"is unknown, and no interval here has it."

// mark follows a value of which a reader must know more.
type mark struct {
	text, tex string // tex within a formula
	note      string // under the table
	of        func(stats.Estimate) bool
}

// marks are the marks of values, in the order in which they follow one.
var marks = []mark{
	{"†", `\dagger`, UnknownNote, func(e stats.Estimate) bool { return e.Half > math.Abs(e.Mean) }},
	{"‡", `\ddagger`, JumpNote, func(e stats.Estimate) bool { return math.IsNaN(e.Shared) }},
}

// marksOf returns the marks of a value, "" for none.
func marksOf(e stats.Estimate) (text string) {
	for _, m := range marks {
		if m.of(e) {
			text += m.text
		}
	}
	return text
}

// JumpMark returns the mark of JumpNote if half the width of a shared error is unknown, else "".
func JumpMark(shared float64) string {
	if math.IsNaN(shared) {
		return marks[1].text
	}
	return ""
}

// texMarksOf returns the marks of a value in a formula, "" for none.
func texMarksOf(e stats.Estimate) string {
	text := ""
	for _, m := range marks {
		if m.of(e) {
			text += m.tex
		}
	}
	if text == "" {
		return ""
	}
	return "^{" + text + "}"
}

// cutTexMarks splits the marks off a number in a formula.
func cutTexMarks(number string) (rest, all string) {
	if at := strings.LastIndex(number, "^{"); at >= 0 && strings.HasSuffix(number, "}") {
		return number[:at], number[at+2 : len(number)-1]
	}
	return number, ""
}

// marksIn returns the notes of the marks that end a cell, in text or LaTeX.
func marksIn(cell string) (notes []string) {
	_, formula := cutTexMarks(strings.TrimSuffix(cell, "$"))
	number := strings.TrimRight(cell, marks[0].text+marks[1].text)
	for _, m := range marks {
		if strings.Contains(cell[len(number):], m.text) ||
			strings.HasSuffix(cell, "$") && strings.Contains(formula, m.tex) {
			notes = append(notes, m.note)
		}
	}
	return notes
}

// MeanText returns a mean and half of its interval as tables show them, with its marks.
func MeanText(e stats.Estimate) string { return WithError(e, "±") + marksOf(e) }

// EstimateText is MeanText without the mark of a wide interval.
func EstimateText(e stats.Estimate) string { return WithError(e, "±") + JumpMark(e.Shared) }

// ratioOfMeansText is MeanText of a ratio.
func ratioOfMeansText(e stats.Estimate) string {
	return withError(e, "±", ratioDigits) + marksOf(e)
}

// WithError returns a mean and half of its interval, with a sign between them. The last decimal of
// both is the second significant digit of the half, unless that leaves the mean fewer than two.
func WithError(e stats.Estimate, sign string) string { return withError(e, sign, meanDigits) }

// withError is WithError for a mean of at least some significant digits.
func withError(e stats.Estimate, sign string, digits int) string {
	if math.IsNaN(e.Half) {
		return roundedTo(e, digits)
	}
	half := Significant(e.Half, 2)
	if hasDigits(e.Half) {
		half = rounded(e.Half, decimalsOf(e.Half, 2))
	}
	return roundedTo(e, digits) + " " + sign + " " + half
}

// roundedTo returns a mean. Its last decimal is the second significant digit of half of its
// interval, or of a mean without one the fifth of its own. It has at least the given number of
// significant digits.
func roundedTo(e stats.Estimate, digits int) string {
	switch {
	case hasDigits(e.Half):
		decimals := decimalsOf(e.Half, 2)
		if math.Abs(e.Mean) > roundingError*e.Half {
			decimals = max(decimals, decimalsOf(e.Mean, digits))
		}
		return rounded(e.Mean, decimals)
	case math.IsNaN(e.Half) && e.Mean == math.Trunc(e.Mean):
		return decimal.Exact(e.Mean)
	}
	return Significant(e.Mean, 5)
}

// roundingError is the part of half of an interval up to which a mean is 0 but for rounding.
const roundingError = 1e-9

// hasDigits reports whether half of an interval decides the digits of a mean.
func hasDigits(half float64) bool { return half != 0 && !math.IsNaN(half) && !math.IsInf(half, 0) }

// decimalsOf returns the number of decimals with which a finite number other than 0 has some
// significant digits, below 0 if zeros stand before the point.
func decimalsOf(x float64, digits int) int {
	text := strconv.FormatFloat(x, 'e', digits-1, 64) // 9.96 of two is 10, one place further left
	exponent, err := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	if err != nil {
		panic("tables: a number has no exponent: " + err.Error())
	}
	return digits - 1 - exponent
}

// rounded returns a number with a number of decimals. If that is below 0, zeros stand before the
// point.
func rounded(x float64, decimals int) string {
	if decimals < 0 {
		unit := math.Pow10(-decimals)
		x = math.Round(x/unit) * unit
	}
	text := fmt.Sprintf("%.*f", max(0, decimals), x)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// texNumber is MeanText in LaTeX, with thin spaces between thousands from 10000 on.
func texNumber(e stats.Estimate) string { return texMean(e, meanDigits) }

// texRatio is ratioOfMeansText in LaTeX.
func texRatio(e stats.Estimate) string { return texMean(e, ratioDigits) }

// texMean returns a mean of at least some significant digits in LaTeX.
func texMean(e stats.Estimate, digits int) string {
	return texDigits(withError(e, `\pm`, digits) + texMarksOf(e))
}

// texDigits returns numbers as a formula, with thin spaces between thousands from 10000 on.
func texDigits(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		number, _ := cutTexMarks(w)
		whole, _, _ := strings.Cut(number, ".")
		first := len(whole) - len(strings.TrimLeft(whole, "-"))
		if len(whole)-first < 5 {
			continue
		}
		for at := len(whole) - 3; at > first; at -= 3 {
			w = w[:at] + `\,` + w[at:]
		}
		words[i] = w
	}
	return "$" + strings.Join(words, " ") + "$"
}

// ratioText returns a ratio and the ends of its interval, "" if there is none, with the mark of an
// unknown error of jumps. The last decimal is the second significant digit of half the interval;
// the ratio has at least three significant digits and each end two, however wide the interval is.
func ratioText(r *stats.PairedRatio) string {
	e := stats.Estimate{Mean: r.Mean, Half: (r.High - r.Low) / 2}
	switch {
	case math.IsNaN(r.Mean):
		return ""
	case math.IsNaN(e.Half):
		return roundedTo(e, ratioDigits) + JumpMark(r.Shared)
	}
	decimals := 0
	if hasDigits(e.Half) {
		decimals = max(0, decimalsOf(e.Half, 2))
	}
	return fmt.Sprintf("%s (%s to %s)", ratioOf(r.Mean, decimals, ratioDigits),
		ratioOf(r.Low, decimals, endDigits), ratioOf(r.High, decimals, endDigits)) +
		JumpMark(r.Shared)
}

// ratioOf returns a ratio with some decimals, or as many more as give it some significant digits.
// Beyond a million, or below its inverse, it has an exponent.
func ratioOf(x float64, decimals, digits int) string {
	switch size := math.Abs(x); {
	case size == 0 || math.IsInf(size, 0):
		return fmt.Sprint(x)
	case size < 1e-6 || size >= 1e6:
		return strconv.FormatFloat(x, 'e', digits-1, 64)
	}
	return rounded(x, max(decimals, decimalsOf(x, digits)))
}

// pText returns a p-value with four decimals, "" for none.
func pText(p float64) string {
	switch {
	case math.IsNaN(p):
		return ""
	case p < 0.0001:
		return "< 0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}

// CountText returns a number, or a range of numbers as in "2 to 4".
func CountText(low, high int) string {
	if low < high {
		return fmt.Sprintf("%d to %d", low, high)
	}
	return fmt.Sprint(high)
}

// Matrix is a table of estimates by rows and columns, as papers print it.
type Matrix struct {
	// Keys are the headings of the columns that name the rows, Over that of the columns of numbers.
	Keys []string
	Over string
	// Names has the names of each row, Columns those of the columns of numbers. If there are Groups,
	// each of these has all Columns.
	Names   [][]string
	Columns []string
	Groups  []string
	// Cells has the rows of estimates; the mean of a cell without a number is NaN.
	Cells [][]stats.Estimate
	// Ratios says that they are ratios.
	Ratios bool
}

// digits returns the least number of significant digits of a mean of the matrix.
func (m *Matrix) digits() int {
	if m.Ratios {
		return ratioDigits
	}
	return meanDigits
}

// Plain returns the matrix as text with intervals. A column of a group has both names.
func (m *Matrix) Plain() Grid {
	number := MeanText
	if m.Ratios {
		number = ratioOfMeansText
	}
	g := m.Grid(number)
	for i := range g.Cells[0][g.Left:] {
		if m.Groups != nil {
			g.Cells[0][g.Left+i] = m.Groups[i/len(m.Columns)] + ", " + m.Columns[i%len(m.Columns)]
		}
	}
	return g
}

// IsLong reports whether the matrix in LaTeX breaks over pages.
func (m *Matrix) IsLong() bool { return len(m.Names) > maxRows }

// texMeans returns the matrix in LaTeX without intervals.
func (m *Matrix) texMeans() Grid {
	return m.Grid(func(e stats.Estimate) string {
		return texDigits(roundedTo(e, m.digits()) + texMarksOf(e))
	})
}

// Grid returns the matrix as text, with numbers that number writes.
func (m *Matrix) Grid(number func(stats.Estimate) string) Grid {
	left := len(m.Keys)
	g := Grid{Left: left, Over: m.Over, Groups: m.Groups,
		Cells: [][]string{append(m.Keys[:left:left],
			slices.Repeat(m.Columns, max(1, len(m.Groups)))...)}}
	for i, names := range m.Names {
		row := names[:left:left]
		for _, e := range m.Cells[i] {
			cell := ""
			if !math.IsNaN(e.Mean) {
				cell = number(e)
			}
			row = append(row, cell)
		}
		g.Cells = append(g.Cells, row)
	}
	return g
}

// TeX returns the matrix as tabulars of 8 pt that fit a width, and whether they have the intervals.
// It is one tabular where the matrix fits with its intervals, or else as means alone with the same
// digits. Otherwise its columns are divided over several tabulars, one under another with the same
// rows: with the intervals, or else as means, if a tabular of one column does not fit with them.
// Such a tabular of means is as wide as it is. A matrix with groups of columns is not divided.
func (m *Matrix) TeX(widthMM float64) (text string, intervals bool) {
	full := m.Grid(func(e stats.Estimate) string { return texMean(e, m.digits()) })
	parts, fit := full.divide(widthMM)
	switch means := m.texMeans(); {
	case full.texWidthMM() <= widthMM:
		parts, intervals = []Grid{full}, true
	case m.Groups != nil || means.texWidthMM() <= widthMM:
		parts = []Grid{means}
	case fit:
		intervals = true
	default:
		parts, _ = means.divide(widthMM)
	}
	return full.packages() + tabulars(parts), intervals
}

// Fits reports whether the matrix fits a width as one tabular, with its intervals or without.
func (m *Matrix) Fits(widthMM float64) bool {
	means := m.texMeans()
	return means.texWidthMM() <= widthMM
}

// Distinct lists the different texts that textOf returns for points, in their order.
func Distinct(r *experiments.Results, points []int, textOf func(*study.Point) string) []string {
	texts := make([]string, 0, len(points))
	for _, i := range points {
		texts = append(texts, textOf(&r.Points[i]))
	}
	return Unique(texts)
}

// LabelsOf lists the different labels of a key at the points, in their order.
func LabelsOf(r *experiments.Results, points []int, key string) []string {
	return Distinct(r, points, func(p *study.Point) string { return r.Study.LabelAt(p, key) })
}

// AllPoints lists the indices of all points.
func AllPoints(r *experiments.Results) []int {
	points := make([]int, len(r.Points))
	for i := range points {
		points[i] = i
	}
	return points
}

// Unique returns the list without repetitions.
func Unique(list []string) (out []string) {
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// NonEmpty returns the texts that are not "".
func NonEmpty(texts ...string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return s == "" })
}

// WithoutAxis returns a copy of a list with an entry for each axis, without the entry of one axis.
func WithoutAxis(labels []string, axis int) []string {
	return slices.Delete(slices.Clone(labels), axis, axis+1)
}

// HasPublished reports whether some point has a published value of a metric.
func HasPublished(r *experiments.Results, metric string) bool {
	return slices.ContainsFunc(r.PublishedValues, func(row map[string]float64) bool {
		_, ok := row[metric]
		return ok
	})
}

// ShortKey returns a metric in words, or the last part of a key, or the last two if the last one
// alone is ambiguous. The jobs of a metric of a class stand behind a comma.
func ShortKey(path string) string {
	if c, ok := metrics.ClassOf(path); ok {
		return strings.TrimPrefix(ShortKey(c.Of)+", "+c.Jobs(), "jobs, ")
	}
	parts := strings.Split(path, ".")
	last := parts[len(parts)-1]
	if len(parts) > 2 && (last == "distribution" || last == "mean" || last == "min" ||
		last == "max") {
		return parts[len(parts)-2] + " " + last
	}
	return strings.ReplaceAll(last, "_", " ")
}

// Title returns a metric with its unit in parentheses.
func Title(metric, unit string) string {
	if unit == "" {
		return metric
	}
	return metric + " (" + unit + ")"
}

// AxisTitle returns a metric in words with its unit in parentheses, for an axis.
func AxisTitle(metric, unit string) string {
	words := ShortKey(metric)
	if words != "" {
		words = strings.ToUpper(words[:1]) + words[1:]
	}
	return Title(words, unit)
}

// UnitOf returns the unit of a metric at points. An axis or a variant may give runs another clock
// than the study's base has; units that differ are listed.
func UnitOf(r *experiments.Results, metric string, points []int) string {
	if len(points) == 0 {
		return metrics.UnitOf(metric, &r.Study.Base)
	}
	return strings.Join(Distinct(r, points, func(p *study.Point) string {
		return metrics.UnitOf(metric, &p.Spec)
	}), " or ")
}

// ClockOf returns the unit of the clock at points.
func ClockOf(r *experiments.Results, points []int) string { return UnitOf(r, "wait_time", points) }

// IsTime reports whether a column of jobs.csv holds times, in seconds or cycles.
func IsTime(r *experiments.Results, column string) bool {
	return decimal.IsTime(ColumnUnit(column, r.Study.Base.ClockUnit()))
}

// ColumnUnit returns the unit of a column of jobs.csv that holds times, "" for others. clock is the
// unit of the run's clock.
func ColumnUnit(column, clock string) string {
	switch column {
	case "submit", "start", "end", "wait_time", "service_time":
		return clock
	case "latency", "network_latency", "packet_blocking_time", "foreign_blocking_time":
		return "cycles"
	}
	return ""
}
