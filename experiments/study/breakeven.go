package study

import (
	"cmp"
	"fmt"
	"slices"

	"contend/experiments/config"
	"contend/internal/input"
)

// BreakEven finds from which value of the key Along a metric is lower at other
// labels of Among than at the label Against. For example: from which assumed
// speed-up does contiguous allocation pay?
type BreakEven struct {
	Name    string         `key:"name"`                          // title of its table
	Metric  string         `key:"metric" ref:"metric,"`          // metric that has to become lower
	Along   string         `key:"along" ref:"varying,"`          // axis of numbers, in any order
	Against string         `key:"against" ref:"label,"`          // label of Among to beat
	Among   string         `key:"among" ref:"varying,allocator"` // axis key, "" for allocator
	Where   map[string]any `key:"where" ref:"where"`             // the points to compare, nil for all
	Low     float64        `key:"low"`                           // least published, 0 for none
	High    float64        `key:"high"`                          // greatest published break-even
}

// AmongKey returns the key whose values are compared.
func (b *BreakEven) AmongKey() string {
	return cmp.Or(b.Among, "allocator")
}

// labelKey implements labelled.
func (b *BreakEven) labelKey(*Study) string { return b.AmongKey() }

// checkBreakEvens tests the keys of all break-evens.
func (st *Study) checkBreakEvens() *input.Error {
	for i := range st.BreakEvens {
		b := &st.BreakEvens[i]
		at := fmt.Sprintf("break_even[%d]", i)
		if k, _ := config.FindKey(b.Along); k.Type != "integer" && k.Type != "number" ||
			st.HasUnits(b.Along) {
			return input.Bad(at+".along", "give an axis of numbers without units",
				"%s.along is %s, whose values are not numbers", at, b.Along)
		}
		if b.High < b.Low {
			return input.Bad(at+".high", "give a value that is not below low",
				"%s has low %g and high %g", at, b.Low, b.High)
		}
	}
	return nil
}

// BreakEvenNamed returns the first break-even with a name, which a rule about bounds gives in place
// of a metric; nil where there is none.
func (st *Study) BreakEvenNamed(name string) *BreakEven {
	at := slices.IndexFunc(st.BreakEvens, func(b BreakEven) bool { return b.Name == name })
	if name == "" || at < 0 {
		return nil
	}
	return &st.BreakEvens[at]
}

// Begins reports whether a compared line of a break-even begins at a point: it has the first
// value along the line, and another label than the reference.
func (st *Study) Begins(b *BreakEven, points []Point, i int) bool {
	p := &points[i]
	return Matches(p, b.Where) &&
		st.LabelAt(p, b.Along) == st.LabelAt(&points[0], b.Along) &&
		st.LabelAt(p, b.AmongKey()) != b.Against
}

// beginsBreakEven reports whether a point has a mark in a figure of break-evens: the line of the
// one that the figure names begins there.
func beginsBreakEven(st *Study, f *Figure, points []Point, i int) bool {
	b := st.BreakEvenNamed(f.Metric)
	return b == nil || st.Begins(b, points, i)
}

// checkBreakEven tests a figure of break-evens.
func (f *Figure) checkBreakEven(at string, st *Study) *input.Error {
	b := st.BreakEvenNamed(f.Metric)
	var known []string
	for _, b := range st.BreakEvens {
		if slices.Contains(known, b.Name) && b.Name == f.Metric {
			return input.Bad(at+".metric", "give each break_even a name of its own",
				"%s.metric is %q, and two break_even have that name", at, f.Metric)
		}
		known = append(known, b.Name)
	}
	if b == nil {
		if known == nil {
			return input.Bad(at+".metric", "add a table break_even, and give its name",
				"%s is of kind %s, and the study has no break_even", at, f.Kind)
		}
		return input.Bad(at+".metric", input.OneOf(f.Metric, known),
			"%s.metric is %q, which is no break_even.name", at, f.Metric)
	}
	shown := map[string]bool{f.X: true, f.Series: true}
	for _, key := range f.Panels {
		shown[key] = true
	}
	if _, where := f.Where[b.Along]; where || shown[b.Along] {
		return input.Bad(at, "choose other axes", "%s has %s as an axis or in where, and its "+
			"ordinate shows values of it", at, b.Along)
	}
	return nil
}
