package plot

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"contend/experiments/plot/limits"
)

// maxHeightMM is the height of a column.
const maxHeightMM = 240

// Bounds of what can be drawn. maxValue keeps differences of values finite.
const (
	maxValue      = 1e100
	maxCategories = 10_000
)

// checked returns a copy of the figure with defaults applied, or an error that says
// what is wrong with its data. Lists of different lengths are a fault of the program.
func (f Figure) checked() (Figure, error) {
	f.WidthMM = cmp.Or(f.WidthMM, OneColumnMM)
	f.PublishedLabel = cmp.Or(f.PublishedLabel, "published")
	f.CrossedLabel = cmp.Or(f.CrossedLabel, "crossed")
	switch {
	case !(f.WidthMM >= limits.MinWidthMM && f.WidthMM <= limits.MaxWidthMM):
		return f, fmt.Errorf("figure: width %g mm: want %d to %d", f.WidthMM,
			limits.MinWidthMM, limits.MaxWidthMM)
	case !(f.Aspect == 0 || f.Aspect >= limits.MinAspect && f.Aspect <= limits.MaxAspect):
		return f, fmt.Errorf("figure: aspect %g: want 0 or %g to %d", f.Aspect, limits.MinAspect,
			limits.MaxAspect)
	case len(f.Series) == 0:
		return f, fmt.Errorf("figure: no series")
	}
	if n := len(f.shown()); n > limits.MaxSeries && f.Kind != HeatMap {
		return f, fmt.Errorf("figure: %d series: %d can be told apart; choose fewer, or make "+
			"panels", n, limits.MaxSeries)
	}
	if err := cmp.Or(f.checkText(), f.checkAxes()); err != nil {
		return f, err
	}
	f.dodge()
	values := 0
	for i := range f.Series {
		n, err := f.checkSeries(&f.Series[i])
		if err != nil {
			return f, fmt.Errorf("figure: series %q: %w", f.Series[i].Name, err)
		}
		values += n
	}
	if values == 0 {
		return f, fmt.Errorf("figure: no series has a value")
	}
	return f, nil
}

// checkText refuses texts of the figure that cannot be drawn.
func (f Figure) checkText() error {
	texts := append([]string{f.title, f.X.Label, f.Y.Label, f.Colour.Label, f.PublishedLabel,
		f.CrossedLabel}, f.Categories...)
	for _, s := range f.Series {
		texts = append(texts, s.Name)
	}
	return checkTexts(slices.AppendSeq(texts, maps.Values(f.Labels)))
}

// checkTexts returns the error of limits.CheckText for the first text that has one.
func checkTexts(texts []string) error {
	for _, text := range texts {
		if err := limits.CheckText(text); err != nil {
			return err
		}
	}
	return nil
}

// checkAxes checks the given limits of the axes and the levels.
func (f Figure) checkAxes() error {
	for name, a := range map[string]Axis{"x": f.X, "y": f.Y, "colour": f.Colour} {
		for _, end := range []*float64{a.Min, a.Max} {
			if end == nil {
				continue
			}
			if err := drawable(*end, a.Log); err != nil {
				return fmt.Errorf("figure: limit of the %s axis: %w", name, err)
			}
		}
		if a.Min != nil && a.Max != nil &&
			!(*a.Max-*a.Min > 1e-9*max(math.Abs(*a.Min), math.Abs(*a.Max))) {
			return fmt.Errorf("figure: limits of the %s axis: minimum %g is not below maximum %g",
				name, *a.Min, *a.Max)
		}
	}
	for _, v := range f.Levels {
		if err := drawable(v, f.Y.Log); err != nil {
			return fmt.Errorf("figure: level: %w", err)
		}
	}
	return nil
}

// checkSeries checks the values of a series. It returns the number of values that are not
// missing.
func (f Figure) checkSeries(s *Series) (measured int, err error) {
	if s.Look < 0 || s.Look > limits.MaxSeries {
		return 0, fmt.Errorf("look %d: want at most %d", s.Look, limits.MaxSeries)
	}
	if len(s.Y) > maxCategories && f.Kind != Lines && f.Kind != Scatter {
		return 0, fmt.Errorf("%d values: at most %d", len(s.Y), maxCategories)
	}
	for i := range s.Y {
		n, err := f.checkPoint(s, i)
		if err != nil {
			return 0, fmt.Errorf("value %d: %w", i+1, err)
		}
		measured += n
	}
	return measured, nil
}

// checkPoint checks the i-th point of a series. It returns the number of points to draw, 1 or 0.
func (f Figure) checkPoint(s *Series, i int) (measured int, err error) {
	values := f.valueAxis()
	if s.X != nil && (f.Kind == Lines || f.Kind == Scatter) {
		if err := drawable(s.X[i], f.X.Log); err != nil {
			return 0, fmt.Errorf("coordinate X: %w", err)
		}
	}
	if s.Published != nil && !math.IsNaN(s.Published[i]) {
		if err := drawable(s.Published[i], values.Log); err != nil {
			return 0, fmt.Errorf("published: %w", err)
		}
		measured = 1
	}
	y := s.Y[i]
	if math.IsNaN(y) {
		return measured, nil
	}
	if err := drawable(y, values.Log && s.Quartiles == nil); err != nil { // boxes are cut off
		return 0, err
	}
	if low, high, ok := s.interval(i); ok {
		if err := cmp.Or(drawable(low, false), drawable(high, false)); err != nil {
			return 0, fmt.Errorf("interval: %w", err)
		}
	}
	return 1, nil
}

// valueAxis returns the axis of the series' values.
func (f Figure) valueAxis() Axis {
	if f.Kind == HeatMap {
		return f.Colour
	}
	return f.Y
}

// interval returns the interval around the i-th value, if there is one.
func (s *Series) interval(i int) (low, high float64, ok bool) {
	if s.Low == nil || math.IsNaN(s.Y[i]) || math.IsNaN(s.Low[i]) || math.IsNaN(s.High[i]) {
		return 0, 0, false
	}
	return s.Low[i], s.High[i], true
}

// drawable returns an error if a value cannot be drawn on an axis.
func drawable(v float64, log bool) error {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("%g is not finite", v)
	case math.Abs(v) > maxValue:
		return fmt.Errorf("%g is too large to draw", v)
	case log && v <= 0:
		return fmt.Errorf("%g on a logarithmic axis", v)
	case log && v < 1/maxValue:
		return fmt.Errorf("%g is too small to draw on a logarithmic axis", v)
	}
	return nil
}
