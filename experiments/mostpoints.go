package experiments

import (
	"contend/experiments/spec"
)

// mostPoints is the most points a study may have: each is kept, checked and a
// row of tables.
const mostPoints = 1 << 17

// checkCount refuses axes with more combinations than anybody runs.
func (st *Study) checkCount() *spec.InputError {
	n := 1.0
	for _, a := range st.Axes {
		n *= float64(len(a.Values))
	}
	if n > mostPoints {
		return spec.BadInput("axes", "make several studies of it",
			"the axes have %.0f combinations, more than %d", n, mostPoints)
	}
	return nil
}
