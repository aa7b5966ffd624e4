package experiments

import (
	"slices"

	"contend/experiments/cosim"
	"contend/experiments/spec"
)

// A figure of kind scatter has a mark for each job of the first replication: x
// and metric are columns of jobs.csv. The runner keeps jobs for studies that
// have such figures.

// numberColumns are those of jobs.csv a figure can have.
func numberColumns() []string {
	return slices.DeleteFunc(cosim.JobColumns(), func(column string) bool {
		return column == "pattern"
	})
}

// checkColumns tests a figure of jobs.
func (f *Figure) checkColumns(at string) *spec.InputError {
	for _, part := range []struct{ name, column string }{{".x", f.X}, {".metric", f.Metric}} {
		if known := numberColumns(); !slices.Contains(known, part.column) {
			return spec.BadInput(at+part.name, spec.OneOf(part.column, known),
				"%s%s is %q, which is no column of jobs.csv", at, part.name, part.column)
		}
	}
	return nil
}
