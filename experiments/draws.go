package experiments

import (
	"slices"
)

// drawsJobs tells whether a figure needs the jobs of the runs.
func (st *Study) drawsJobs() bool {
	return slices.ContainsFunc(st.Figures, func(f Figure) bool { return f.Kind == "scatter" })
}
