package experiments

import (
	"slices"

	"contend/experiments/spec"
)

// BreakEvenKind is the kind of figure that shows from which value of a key something pays, over
// another key.
const BreakEvenKind = "break-even"

// BreakEvenOf returns the break-even that a figure of BreakEvenKind shows, the one that has the
// figure's metric as its name; nil where there is none.
func (st *Study) BreakEvenOf(f *Figure) *BreakEven {
	at := slices.IndexFunc(st.BreakEvens, func(b BreakEven) bool { return b.Name == f.Metric })
	if f.Kind != BreakEvenKind || at < 0 {
		return nil
	}
	return &st.BreakEvens[at]
}

// Begins reports whether a compared line of a break-even begins at a point: it has the first
// value along the line, and another label than the reference.
func (st *Study) Begins(b *BreakEven, points []Point, i int, names spec.Names) bool {
	p := &points[i]
	return Matches(p, b.Where, names) &&
		st.LabelAt(p, b.Along) == st.LabelAt(&points[0], b.Along) &&
		st.LabelAt(p, b.AmongKey()) != b.Against
}

// checkBreakEven tests a figure of break-evens.
func (f *Figure) checkBreakEven(at string, st *Study) *spec.InputError {
	b := st.BreakEvenOf(f)
	var known []string
	for _, b := range st.BreakEvens {
		if slices.Contains(known, b.Name) && b.Name == f.Metric {
			return spec.BadInput(at+".metric", "give each break_even a name of its own",
				"%s.metric is %q, and two break_even have that name", at, f.Metric)
		}
		known = append(known, b.Name)
	}
	if b == nil {
		if known == nil {
			return spec.BadInput(at+".metric", "add a table break_even, and give its name",
				"%s is of kind %s, and the study has no break_even", at, f.Kind)
		}
		return spec.BadInput(at+".metric", spec.OneOf(f.Metric, known),
			"%s.metric is %q, which is no break_even.name", at, f.Metric)
	}
	if f.Relative != "" || f.Gain || f.Published {
		return spec.BadInput(at, "leave out relative_to, gain and published",
			"%s is of kind %s, which has none of them", at, f.Kind)
	}
	shown := map[string]bool{f.X: true, f.Series: true}
	for _, key := range f.Panels {
		shown[key] = true
	}
	if _, where := f.Where[b.Along]; where || shown[b.Along] {
		return spec.BadInput(at, "choose other axes", "%s has %s as an axis or in where, and its "+
			"ordinate shows values of it", at, b.Along)
	}
	return nil
}
