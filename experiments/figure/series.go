package figure

import (
	"slices"
	"strconv"
)

// shown lists the indices of the series that are drawn with a look of their own: all but
// the reference.
func (f Figure) shown() (list []int) {
	for i, s := range f.Series {
		if !s.Reference {
			list = append(list, i)
		}
	}
	return list
}

// look returns the number of the look of the i-th series: its place among the series
// shown.
func (f Figure) look(i int) int { return slices.Index(f.shown(), i) }

// hasReference reports whether a series is drawn as a line across the plot.
func (f Figure) hasReference() bool { return len(f.shown()) < len(f.Series) }

// named returns the name to print for a series or a category.
func (f Figure) named(name string) string {
	if label, ok := f.Labels[name]; ok {
		return label
	}
	return name
}

// categorical reports whether names stand along the x axis.
func (f Figure) categorical() bool {
	return f.Kind == Bars || f.Kind == Lines && len(f.Categories) > 0
}

// dodgeWidth is the part of a category's width over which the points of its series are
// spread.
const dodgeWidth = 0.5

// dodge gives the points of Lines with categories their places, side by side within each
// category.
func (f *Figure) dodge() {
	if f.Kind != Lines || len(f.Categories) == 0 {
		return
	}
	all, n := make([]Series, len(f.Series)), len(f.shown())
	for i, s := range f.Series {
		s.X = make([]float64, len(s.Y))
		for j := range s.X {
			s.X[j] = float64(j)
			if n > 1 && !s.Reference {
				s.X[j] += dodgeWidth * (float64(f.look(i))/float64(n-1) - 0.5)
			}
		}
		all[i] = s
	}
	f.Series = all
}

// worded reports whether one of the names along the x axis is no number.
func (f Figure) worded() bool {
	return slices.ContainsFunc(f.Categories, func(name string) bool {
		_, err := strconv.ParseFloat(name, 64)
		return err != nil
	})
}
