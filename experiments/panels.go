package experiments

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments/spec"
)

// A figure has a place for two axes, x and series, and its panels have one for
// each of theirs. Two points of the figure that belong in the same place have to
// be the same run, or one of them would hide the other.

// place is where a point stands in a figure: its panel, its series and its x.
func (st *Study) place(f *Figure, p *Point) string {
	labels := []string{st.LabelAt(p, f.Series)}
	if f.Kind != "scatter" && f.Kind != SizesKind { // whose x is a number of the jobs
		labels = append(labels, st.LabelAt(p, f.X))
	}
	return strings.Join(append(labels, st.PanelOf(f, p)...), "\x00")
}

// PanelOf are the values of the panel a point is drawn in.
func (st *Study) PanelOf(f *Figure, p *Point) []string {
	var values []string
	for _, key := range f.Panels {
		values = append(values, st.LabelAt(p, key))
	}
	return values
}

// shown is what is drawn of a point: its run and, where the figure is relative,
// that of the point it is divided by.
func (st *Study) shown(f *Figure, points []Point, i int) string {
	what := points[i].Hash
	if f.Relative != "" {
		if j, ok := st.Sibling(points, i, f.Series, f.Relative); ok {
			what += " " + points[j].Hash
		}
	}
	return what
}

// dropped lists the axes without which points of the figure would hide each
// other, nil where none do.
func (st *Study) dropped(f Figure, points []Point, names spec.Names) []string {
	var drawn []int
	for i := range points {
		isBase := f.Relative != "" && st.LabelAt(&points[i], f.Series) == f.Relative
		if isBase && (f.Gain || f.Kind == SizesKind) {
			continue // what gains nothing over itself is not drawn
		}
		if Matches(&points[i], f.Where, names) {
			drawn = append(drawn, i)
		}
	}
	f.Panels = slices.Clone(f.Panels)
	var all []string
	for {
		keys := st.hidden(&f, points, drawn)
		if len(keys) == 0 {
			return all
		}
		f.Panels, all = append(f.Panels, keys...), append(all, keys...)
	}
}

// hidden lists axes in which points in the same place differ: the first along
// which alone what is shown changes or, where none does alone, all in which two
// points differ.
func (st *Study) hidden(f *Figure, points []Point, drawn []int) []string {
	first := map[string]int{} // point by place
	var a, b int
	clash := false
	for _, i := range drawn {
		place := st.place(f, &points[i])
		j, ok := first[place]
		if !ok {
			first[place] = i
		} else if !clash && st.shown(f, points, i) != st.shown(f, points, j) {
			a, b, clash = i, j, true
		}
	}
	if !clash {
		return nil
	}
	for axis := range st.Axes {
		seen := map[string]string{} // what is shown by place and the other labels
		for _, i := range drawn {
			labels := slices.Clone(points[i].Labels)
			labels[axis] = ""
			at := st.place(f, &points[i]) + "\x01" + strings.Join(labels, "\x00")
			what := st.shown(f, points, i)
			if before, ok := seen[at]; ok && before != what {
				return []string{st.Axes[axis].Key}
			}
			seen[at] = what
		}
	}
	var keys []string
	for axis := range st.Axes {
		if points[a].Labels[axis] != points[b].Labels[axis] {
			keys = append(keys, st.Axes[axis].Key)
		}
	}
	return keys
}

// checkFigures refuses a study with figures in which points hide each other.
func (st *Study) checkFigures(points []Point, names spec.Names) *spec.InputError {
	for i := range st.Figures {
		f := &st.Figures[i]
		keys := st.dropped(*f, points, names)
		if keys == nil {
			continue
		}
		in, it := strings.Join(keys, ", "), "it"
		if len(keys) > 1 {
			it = "each"
		}
		right := fmt.Sprintf("make %s x or series, choose one value of %s in where, or add %s to "+
			"panels", it, it, it)
		return spec.BadInput(fmt.Sprintf("figures[%d]", i), right,
			"the figure %s has a single place for points that differ in %s", f.Name, in)
	}
	return nil
}

// SplitFigures gives figures that know nothing of an axis, because it was added
// or got more values since the study was written, a panel for each value of it.
// It returns a note for each.
func (st *Study) SplitFigures(names spec.Names) []string {
	points, err := st.Points(names)
	if err != nil {
		return nil // Check says what is wrong
	}
	var notes []string
	figures := slices.Clone(st.Figures)
	for i := range figures {
		f := &figures[i]
		keys := st.dropped(*f, points, names)
		f.Panels = append(slices.Clone(f.Panels), keys...)
		for _, key := range keys {
			notes = append(notes, fmt.Sprintf("figure %s: one panel a value of %s", f.Name, key))
		}
	}
	st.Figures = figures
	return notes
}

// checkPanels tests the keys of a figure's panels.
func (f *Figure) checkPanels(at string) *spec.InputError {
	for i, key := range f.Panels {
		at := fmt.Sprintf("%s.panels[%d]", at, i)
		_, ok := FindAxisKey(key)
		switch {
		case !ok:
			err := spec.UnknownKey(key)
			err.Key = at
			return err
		case key == f.Series || key == f.X && f.Kind != "scatter" && f.Kind != SizesKind:
			return spec.BadInput(at, "leave it out", "%s is %s, which is x or series of the figure",
				at, key)
		case slices.Index(f.Panels, key) < i:
			return spec.BadInput(at, "give each key once", "%s is %s again", at, key)
		}
	}
	return nil
}
