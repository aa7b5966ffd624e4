package experiments

import (
	"fmt"
	"slices"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
)

// SizesKind is the kind of figure that shows the results of jobs by their size.
const SizesKind = "sizes"

// check tests the keys of a figure one by one.
func (f *Figure) check(at string, st *Study, names spec.Names) *spec.InputError {
	kinds := append([]string{"bars", "lines", "scatter", SizesKind, BreakEvenKind}, RecordedKinds...)
	if !slices.Contains(kinds, f.Kind) {
		return spec.BadInput(at+".kind", spec.OneOf(f.Kind, kinds), "%s.kind is %q", at, f.Kind)
	}
	if err := input.CheckFileName(f.Name, at+".name"); err != nil {
		return err
	}
	if err := st.checkWhere(f.Where, at+".where", names); err != nil {
		return err
	}
	if f.Recorded() {
		if err := f.CheckLook(at + "."); err != nil {
			return err
		}
		return f.checkRecorded(at)
	}
	if err := f.checkOrdinate(at, st); err != nil {
		return err
	}
	if err := f.checkPanels(at); err != nil {
		return err
	}
	if f.Kind == SizesKind {
		if err := f.checkSizes(at); err != nil {
			return err
		}
	}
	if err := f.CheckLook(at + "."); err != nil {
		return err
	}
	if f.XScale != 0 && f.XScale != 1 && f.XLabel == "" {
		return spec.BadInput(at+".x_label", "give the quantity and the unit of what is drawn",
			"%s.x_scale changes the unit of x, and there is no x_label", at)
	}
	return f.checkKeys(at)
}

// checkKeys tests that x and series are axis keys where the kind asks for keys.
func (f *Figure) checkKeys(at string) *spec.InputError {
	hasKey := f.Kind != SizesKind && f.Kind != "scatter"
	if _, ok := FindAxisKey(f.X); hasKey && !ok {
		err := spec.UnknownKey(f.X)
		err.Key = at + ".x"
		return err
	}
	if _, ok := FindAxisKey(f.Series); f.Series != "" && !ok {
		err := spec.UnknownKey(f.Series)
		err.Key = at + ".series"
		return err
	}
	return nil
}

// checkOrdinate tests the metric of a figure.
func (f *Figure) checkOrdinate(at string, st *Study) *spec.InputError {
	switch f.Kind {
	case "scatter":
		return f.checkColumns(at)
	case BreakEvenKind:
		return f.checkBreakEven(at, st)
	}
	return checkMetric(f.Metric, at+".metric", st.Base.Registry)
}

// checkColumns tests a figure of kind scatter. It has a mark for each job of the
// first replication, so x and metric are columns of jobs.csv.
func (f *Figure) checkColumns(at string) *spec.InputError {
	for _, part := range []struct{ name, column string }{{".x", f.X}, {".metric", f.Metric}} {
		if known := numberColumns(); !slices.Contains(known, part.column) {
			return spec.BadInput(at+part.name, spec.OneOf(part.column, known),
				"%s%s is %q, which is no column of jobs.csv", at, part.name, part.column)
		}
	}
	return nil
}

// numberColumns lists the columns of jobs.csv that hold numbers.
func numberColumns() []string {
	return slices.DeleteFunc(cosim.JobColumns(), func(column string) bool {
		return column == "pattern" || column == "nodes"
	})
}

// checkSizes tests the keys of a figure by job size.
func (f *Figure) checkSizes(at string) *spec.InputError {
	switch {
	case f.X != "size" && f.X != "rank":
		return spec.BadInput(at+".x", "give size or rank", "%s.x is %q", at, f.X)
	case f.Metric != "sum_pairwise_distance" && f.Metric != "jobs":
		return spec.BadInput(at+".metric", "give sum_pairwise_distance or jobs",
			"%s.metric is %q, which is not stored by size", at, f.Metric)
	case f.Series == "" || f.Relative == "":
		return spec.BadInput(at+".relative_to",
			"give series, an axis key, and relative_to, the value of it to compare with",
			"%s has no series or no relative_to", at)
	}
	return nil
}

// checkPanels tests that each panel is an axis key that the figure does not
// show otherwise.
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

// bySize reports whether a figure needs the tables of job sizes.
func (st *Study) bySize() bool {
	return slices.ContainsFunc(st.Figures, func(f Figure) bool { return f.Kind == SizesKind })
}
