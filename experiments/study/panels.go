package study

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments/plot/limits"
	"contend/internal/input"
)

// A figure shows two axes as x and series, and further axes as panels. Two points
// at the same place of a figure must be the same run, or one would hide the
// other.

// place returns a text of the panel, series and x of a point: points with one text hide each other.
func (st *Study) place(f *Figure, p *Point) string {
	if f.OnePoint() {
		return ""
	}
	k, labels := f.kind(), []string{st.seriesAt(f, p)}
	switch {
	case k.MarkEachPoint != nil && k.MarkEachPoint(f):
		labels = append(labels, p.Labels...)
	case k.XKey: // any other x belongs to the jobs
		labels = append(labels, st.LabelAt(p, f.X))
	}
	return strings.Join(append(labels, st.PanelOf(f, p)...), "\x00")
}

// seriesAt returns the label of a point's series. Lines of records without the key series are
// one for each point.
func (st *Study) seriesAt(f *Figure, p *Point) string {
	if f.Series != "" || !f.kind().LineEachPoint {
		return st.LabelAt(p, f.Series)
	}
	var labels []string
	for i, axis := range st.Axes {
		if !slices.Contains(f.Panels, axis.Key) {
			labels = append(labels, p.Labels[i])
		}
	}
	return strings.Join(labels, ", ")
}

// PanelOf returns the labels of the panel of a point.
func (st *Study) PanelOf(f *Figure, p *Point) []string {
	var values []string
	for _, key := range f.Panels {
		values = append(values, st.LabelAt(p, key))
	}
	return values
}

// drawnRuns identifies what a figure draws of a point: its run and, in a relative
// figure, the run by which it is divided.
func (st *Study) drawnRuns(f *Figure, points []Point, i int) string {
	what := points[i].Hash
	if f.Relative != "" {
		if j, ok := st.Sibling(points, i, f.RelativeKey(), f.Relative); ok {
			what += " " + points[j].Hash
		}
	}
	return what
}

// missingPanels lists the axes that the figure needs as panels so that its points do
// not hide each other, nil if it needs none.
func (st *Study) missingPanels(f Figure, points []Point) []string {
	var drawn []int
	marked := f.kind().Marked
	for i := range points {
		isBase := f.Relative != "" && st.LabelAt(&points[i], f.RelativeKey()) == f.Relative
		if isBase && f.WithoutReference() {
			continue // the reference itself has no mark
		}
		if marked != nil && !marked(st, &f, points, i) {
			continue // it has no mark of its own
		}
		if Matches(&points[i], f.Where) {
			drawn = append(drawn, i)
		}
	}
	if f.OnePoint() {
		return st.collidingAxes(&f, points, drawn) // panels would not help
	}
	f.Panels = slices.Clone(f.Panels)
	var all []string
	for {
		keys := st.collidingAxes(&f, points, drawn)
		if len(keys) == 0 {
			return all
		}
		f.Panels, all = append(f.Panels, keys...), append(all, keys...)
	}
}

// collidingAxes lists axes in which points at the same place differ. It returns the
// first axis along which alone the figure changes. If there is no such axis, it
// returns all axes in which two points at the same place differ.
func (st *Study) collidingAxes(f *Figure, points []Point, drawn []int) []string {
	first := map[string]int{} // first point by place
	var a, b int
	found := false
	for _, i := range drawn {
		place := st.place(f, &points[i])
		j, ok := first[place]
		if !ok {
			first[place] = i
		} else if !found && st.drawnRuns(f, points, i) != st.drawnRuns(f, points, j) {
			a, b, found = i, j, true
		}
	}
	if !found {
		return nil
	}
	for axis := range st.Axes {
		seen := map[string]string{} // shown, by place and labels of the other axes
		for _, i := range drawn {
			labels := slices.Clone(points[i].Labels)
			labels[axis] = ""
			at := st.place(f, &points[i]) + "\x01" + strings.Join(labels, "\x00")
			what := st.drawnRuns(f, points, i)
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

// checkFigures refuses figures in which points hide each other.
func (st *Study) checkFigures(points []Point) *input.Error {
	for i := range st.Figures {
		at := fmt.Sprintf("figures[%d]", i)
		if err := st.checkPlaces(at, &st.Figures[i], points); err != nil {
			return err
		}
	}
	return nil
}

// checkPlaces refuses a figure in which points hide each other, or with more series than can be
// told apart.
func (st *Study) checkPlaces(at string, f *Figure, points []Point) *input.Error {
	if n := st.countSeries(f, points); !f.IsTable() && n > limits.MaxSeries {
		right := "choose values of an axis in where, or make it one of panels"
		if f.Series != "" {
			right = fmt.Sprintf("choose values of %s in where, or make it x or one of panels", f.Series)
		}
		return input.Bad(at, right, "the figure %s has %d series, and %d can be told apart",
			f.Name, n, limits.MaxSeries)
	}
	keys := st.missingPanels(*f.LaidOut(), points)
	if keys == nil {
		return nil
	}
	it := "it"
	if len(keys) > 1 {
		it = "each"
	}
	right := fmt.Sprintf("make %s x or series, choose one value of %s in where, or add %s to panels",
		it, it, it)
	if f.IsTable() {
		right = fmt.Sprintf("add %s to rows, or choose one value of %s in where", it, it)
	}
	if f.OnePoint() {
		right = fmt.Sprintf("choose one value of %s in where, such as %s", it,
			st.exampleValues(keys, f, points))
	}
	return input.Bad(at, right, "the figure %s has one place for points that differ in %s",
		f.Name, strings.Join(keys, ", "))
}

// exampleValues returns a choice of one value of each key among the points that a figure draws.
func (st *Study) exampleValues(keys []string, f *Figure, points []Point) string {
	i := slices.IndexFunc(points, func(p Point) bool { return Matches(&p, f.Where) })
	var parts []string
	for _, key := range keys {
		parts = append(parts, key+"="+st.LabelAt(&points[i], key))
	}
	return strings.Join(parts, ", ")
}

// countSeries returns the number of series of a figure, without the reference.
func (st *Study) countSeries(f *Figure, points []Point) int {
	labels := map[string]bool{}
	for i := range points {
		if Matches(&points[i], f.Where) {
			labels[st.seriesAt(f, &points[i])] = true
		}
	}
	if f.Relative != "" {
		delete(labels, f.Relative)
	}
	return len(labels)
}

// SplitFigures adds panels to figures that do not show an axis, because a flag
// added the axis or gave it more values. It leaves out figures with more series than
// can be told apart. It returns a note for each change.
func (st *Study) SplitFigures() []string {
	points, err := st.Points()
	if err != nil {
		return nil // Check reports the error
	}
	var notes []string
	var figures []Figure
	for _, f := range st.Figures {
		if n := st.countSeries(&f, points); !f.IsTable() && n > limits.MaxSeries {
			notes = append(notes, fmt.Sprintf("figure %s: left out, since it has %d series and %d can "+
				"be told apart", f.Name, n, limits.MaxSeries))
			continue
		}
		notes = append(notes, st.addPanels(&f, points)...)
		figures = append(figures, f)
	}
	st.Figures = figures
	return notes
}

// SplitFigure adds panels to one figure, which the study need not list, as SplitFigures does.
func (st *Study) SplitFigure(f *Figure) []string {
	points, err := st.Points()
	if err != nil {
		return nil
	}
	return st.addPanels(f, points)
}

// addPanels adds panels to a figure that does not show an axis.
func (st *Study) addPanels(f *Figure, points []Point) (notes []string) {
	if f.OnePoint() { // it has no panels, and the check says what to choose
		return nil
	}
	keys, what := st.missingPanels(*f.LaidOut(), points), "one panel per value"
	if f.IsTable() { // the last key stays next to the numbers
		what, f.Rows = "rows for each value", append(slices.Clone(keys), f.Rows...)
	} else {
		f.Panels = append(slices.Clone(f.Panels), keys...)
	}
	for _, key := range keys {
		notes = append(notes, fmt.Sprintf("figure %s: %s of %s", f.Name, what, key))
	}
	return notes
}

// LaidOut returns a table as a figure with the same places: the last key of the rows along the
// abscissa, a panel for each of the others, and a series for each column. It returns other figures
// as they are.
func (f *Figure) LaidOut() *Figure {
	if !f.IsTable() || len(f.Rows) == 0 {
		return f
	}
	g, last := *f, len(f.Rows)-1
	g.X, g.Panels, g.Series = f.Rows[last], f.Rows[:last], f.Columns
	return &g
}
