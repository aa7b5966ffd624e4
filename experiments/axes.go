package experiments

import (
	"slices"
)

// Tables and rules may leave out which axis they go along: it is the last one of
// the study as it was written, not one that the command line adds.

// keepAmong names that axis in all rules before another becomes the last.
func (st *Study) keepAmong() {
	if len(st.Axes) == 0 {
		return
	}
	st.Tolerances = slices.Clone(st.Tolerances)
	for i := range st.Tolerances {
		if t := &st.Tolerances[i]; t.Among == "" &&
			(t.Relative != "" || t.Rule == "order" || t.Rule == "ranking") {
			t.Among = st.Axes[len(st.Axes)-1].Key
		}
	}
}

// RelativeAxis is the axis of table.relative_to: the last that has that value.
func (r *Results) RelativeAxis() string {
	keys := r.AxisKeys()
	for axis := len(keys) - 1; axis >= 0; axis-- {
		if slices.ContainsFunc(r.Points, func(p Point) bool {
			return p.Labels[axis] == r.Study.Table.Relative
		}) {
			return keys[axis]
		}
	}
	return ""
}
