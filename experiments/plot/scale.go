package plot

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// scale is the range of an axis in the unit of its data.
//
// gonum's own logarithmic axis panics at zero and shrinks the plot once it has a label.
// So every axis is linear for gonum, and the method at takes the logarithm.
type scale struct {
	lo, hi float64
	log    bool
	origin float64 // where bars begin; an end there stays
	tens   int     // labels of ticks are in units of this power of ten
}

// farthest is the maximum distance of a position beyond the ends of the axis, in its lengths.
// gonum's clipping is inexact for lines that come from very far away.
const farthest = 1e6

// at returns the position of v on gonum's axis.
func (s scale) at(v float64) float64 {
	lo, hi := s.lo, s.hi
	if s.log {
		lo, hi = math.Log10(lo), math.Log10(hi)
		if v > 0 {
			v = math.Log10(v)
		} else {
			v = lo - 1 // below the axis, where gonum clips it
		}
	}
	reach := farthest * (hi - lo)
	return min(max(v, lo-reach), hi+reach)
}

// part returns the position of v as a fraction of the axis.
func (s scale) part(v float64) float64 { return s.tickPart(s.at(v)) }

// tickPart returns a position on gonum's axis, such as that of a tick, as a fraction of the axis.
func (s scale) tickPart(at float64) float64 {
	return (at - s.at(s.lo)) / (s.at(s.hi) - s.at(s.lo))
}

// holds reports whether v is on the axis, between its ends.
func (s scale) holds(v float64) bool {
	const slack = 1e-9
	return s.part(v) >= -slack && s.part(v) <= 1+slack
}

// extent says how newScale may change the range of the data.
type extent struct {
	zero bool // a linear axis must include zero
	snap bool // move the ends outwards to the next tick; otherwise by 3%, to make room for glyphs
	bare bool // keep the ends
	edge bool // make room for points at zero too
	near bool // zero only where it takes no more than an interval between ticks
}

// newScale chooses the range of an axis for data from lo to hi.
func newScale(a Axis, lo, hi float64, e extent) scale {
	lowest := lo
	if a.Min != nil {
		lo, hi = *a.Min, max(hi, *a.Min)
	}
	if a.Max != nil {
		lo, hi = min(lo, *a.Max), *a.Max
	}
	s := scale{log: a.Log}
	if a.Ratio {
		s.origin = 1
		if a.Min == nil {
			lo = min(lo, 1)
		}
		if a.Max == nil {
			hi = max(hi, 1)
		}
	}
	lo, hi = widened(a, lo, hi)
	if !a.Ratio && !a.Log {
		reach := 0.35
		if e.near {
			reach = 1.0 / (maxTicks + 1)
		}
		if a.Min == nil && lo > 0 && (e.zero || !e.bare && lo <= reach*hi) {
			lo = 0
		}
		if a.Max == nil && hi < 0 && (e.zero || !e.bare && hi >= reach*lo) {
			hi = 0
		}
	}
	s.lo, s.hi = lo, hi
	if !e.bare {
		s = s.padded(e.snap, e.edge && lowest == 0)
	}
	if a.Min != nil {
		s.lo = *a.Min
	}
	if a.Max != nil {
		s.hi = *a.Max
	}
	if a.Label != "" || a.page {
		s.tens = s.multiplier()
	}
	return s
}

// multiplier returns the exponent of the power of ten by which the axis divides its numbers: 0 for
// short numbers, else a multiple of 3, or one less where that is 9 or 18, because the font has no
// raised 9.
func (s scale) multiplier() int {
	size := max(math.Abs(s.lo), math.Abs(s.hi))
	if s.log || size < 0.99e5 || size > 1e19 {
		return 0
	}
	tens := 3 * int((math.Log10(size)+1e-9)/3)
	if tens == 9 || tens == 18 {
		tens--
	}
	return tens
}

// raised replaces digits by those of exponents.
var raised = strings.NewReplacer("1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵",
	"6", "⁶", "7", "⁷", "8", "⁸")

// labelled returns the label of the axis with the power of ten before the unit.
func (s scale) labelled(label string) string {
	if s.tens == 0 || label == "" {
		return label
	}
	power := "10" + raised.Replace(strconv.Itoa(s.tens))
	if i := strings.LastIndex(label, " ("); i >= 0 && strings.HasSuffix(label, ")") {
		return label[:i] + " (" + power + " " + label[i+2:]
	}
	return label + " (" + power + ")"
}

// widened returns a range, extended if it is a single point at the ends that the axis does not fix.
func widened(a Axis, lo, hi float64) (float64, float64) {
	size := max(math.Abs(lo), math.Abs(hi))
	switch {
	case hi-lo > 1e-9*size:
		return lo, hi
	case a.Log && a.Min == nil && a.Max == nil:
		return lo / 2, hi * 2
	case a.Log && a.Max == nil:
		return lo, lo * 10
	case a.Log:
		return hi / 10, hi
	case size == 0:
		size = 10
	}
	if a.Min == nil {
		lo -= size / 10
	}
	if a.Max == nil {
		hi += size / 10
	}
	return lo, hi
}

// padded moves the ends outwards, but not across zero, which is often the minimum of a quantity.
// An end at the origin stays, and the lower end at zero unless padZero.
func (s scale) padded(snap, padZero bool) scale {
	if s.log {
		from, to := math.Log10(s.lo), math.Log10(s.hi)
		pad := 0.03 * (to - from)
		if snap {
			pad = 0
			from, _ = oneTwoFive(from)
			_, to = oneTwoFive(to)
		}
		s.lo, s.hi = math.Pow(10, from-pad), math.Pow(10, to+pad)
		return s
	}
	pad := 0.03 * (s.hi - s.lo)
	step := niceStep(s.hi-s.lo+2*pad, maxTicks)
	lo, hi := s.lo, s.hi
	if lo != s.origin && lo != 0 || lo == 0 && padZero {
		s.lo -= pad
		if snap {
			s.lo = math.Floor(s.lo/step) * step
		}
	}
	if hi != s.origin && hi != 0 {
		s.hi += pad
		if snap {
			s.hi = math.Ceil(s.hi/step) * step
		}
	}
	if lo > 0 {
		s.lo = max(0, s.lo)
	}
	if hi < 0 {
		s.hi = min(0, s.hi)
	}
	return s
}

// oneTwoFive returns the logarithms of the numbers 1, 2 or 5 times a power of ten that are next
// below and above the number with the given logarithm.
func oneTwoFive(exponent float64) (below, above float64) {
	const slack = 1e-9
	decade := math.Floor(exponent + slack)
	below, above = decade, decade
	for _, m := range []float64{2, 5, 10} {
		if above < exponent-slack {
			above = decade + math.Log10(m)
		}
		if above <= exponent+slack {
			below = above
		}
	}
	return below, above
}

// maxTicks is the maximum number of intervals between labelled ticks.
const maxTicks = 6

// niceStep returns the smallest step of 1, 2 or 5 times a power of ten that divides
// span into at most n intervals.
func niceStep(span float64, n int) float64 {
	raw := span / float64(n)
	unit := math.Pow10(int(math.Floor(math.Log10(raw))))
	for _, m := range []float64{1, 2, 5} {
		if m*unit >= raw*(1-1e-9) {
			return m * unit
		}
	}
	return 10 * unit
}

// fits is a test whether labelled ticks have room beside each other.
type fits func([]plot.Tick) bool

// ticks returns ticks of the axis whose labels fit.
func (s scale) ticks(ok fits) []plot.Tick {
	if s.log {
		return s.logTicks(ok)
	}
	return s.fewerTicks(maxTicks, ok)
}

// fewerTicks returns the ticks at equal steps of the axis: at most n steps, and few enough that the
// labels fit.
func (s scale) fewerTicks(n int, ok fits) []plot.Tick {
	for ; n > 0; n-- {
		if t := s.linearTicks(n); len(t) > 1 && ok(t) {
			return t
		}
	}
	return s.linearTicks(maxTicks)[:1]
}

// linearTicks returns the ticks at equal steps of the axis, at most n steps.
func (s scale) linearTicks(n int) (ticks []plot.Tick) {
	step, unit := niceStep(s.hi-s.lo, n), math.Pow10(s.tens)
	first, last := math.Ceil(s.lo/step-1e-6), math.Floor(s.hi/step+1e-6)
	for i := 0; first+float64(i) <= last && i <= n; i++ {
		v := (first + float64(i)) * step
		ticks = append(ticks, plot.Tick{Value: s.at(v),
			Label: number(v/unit, step/unit, max(math.Abs(s.lo), math.Abs(s.hi))/unit)})
	}
	return ticks
}

// logTicks returns ticks with labels at 1, 2 and 5 of each decade, at all decades, or at some of
// them, whichever is the first to fit.
func (s scale) logTicks(ok fits) []plot.Tick {
	t := s.decadeTicks(func(m, _ int) bool { return m == 1 || m == 2 || m == 5 })
	if countLabels(t) < 2 {
		return s.fewerTicks(3, ok) // the axis is shorter than a step of 1, 2, 5
	} else if ok(t) {
		return t
	}
	for every := 1; ; every = nextOf1245(every) {
		t := s.decadeTicks(func(m, e int) bool { return m == 1 && e%every == 0 })
		if ok(t) || countLabels(t) <= 2 {
			return t
		}
	}
}

// decadeTicks returns a tick at 1 to 9 times each power of ten within the axis. Ticks for which the
// function label returns true have a label.
func (s scale) decadeTicks(label func(mantissa, exponent int) bool) (ticks []plot.Tick) {
	first, last := int(math.Floor(math.Log10(s.lo)+1e-9)), int(math.Floor(math.Log10(s.hi)+1e-9))
	mantissas := 9
	if last-first > 6 {
		mantissas = 1
	}
	for e := first; e <= last; e++ {
		for m := 1; m <= mantissas; m++ {
			v := float64(m) * math.Pow10(e)
			if v < s.lo*(1-1e-9) || v > s.hi*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: s.at(v)}
			if label(m, e) {
				t.Label = number(v, math.Pow10(e), v)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// countLabels returns the number of ticks with a label.
func countLabels(ticks []plot.Tick) (n int) {
	for _, t := range ticks {
		if !t.IsMinor() {
			n++
		}
	}
	return n
}

// number formats v to the precision of step, on an axis whose largest value is size.
// From five digits on, thin spaces separate groups of three digits. Numbers with too
// many digits have an exponent.
func number(v, step, size float64) string {
	digits := int(math.Floor(math.Log10(step) + 1e-9))
	if math.Abs(v) < step/2 {
		return "0"
	}
	var text string
	if size > 1.001e7 || digits < -5 {
		precision := max(0, int(math.Floor(math.Log10(math.Abs(v))+1e-9))-digits)
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', precision, 64), "e")
		n, _ := strconv.Atoi(exponent)
		text = mantissa + "e" + strconv.Itoa(n)
	} else {
		text = grouped(strconv.FormatFloat(v, 'f', max(0, -digits), 64))
	}
	return strings.ReplaceAll(text, "-", "−")
}

// grouped puts thin spaces between groups of three digits before the decimal point.
func grouped(text string) string {
	whole, fraction, point := strings.Cut(text, ".")
	if len(strings.TrimPrefix(whole, "-")) > 4 {
		for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
			whole = whole[:i] + "\u2009" + whole[i:]
		}
	}
	if point {
		return whole + "." + fraction
	}
	return whole
}

// Span returns the minimum and the maximum of the values that are not NaN.
func Span(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}
