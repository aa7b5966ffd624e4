package export

import (
	"io"
	"iter"

	"contend/experiments"
	"contend/experiments/cosim/metrics"
	"contend/internal/table"
)

// measuredRun is a run in the order of the study, with the values of metrics.
type measuredRun struct {
	cells []any    // labels of the point, number of the replication, hash
	clock string   // unit of times
	units []string // of the metrics
	value func(metric int) (float64, bool)
}

// runsOf lists the finished runs.
func runsOf(r *experiments.Results, names []string) iter.Seq[measuredRun] {
	return func(yield func(measuredRun) bool) {
		units, picker := metrics.Units(names), metrics.NewPicker(names)
		for i := range r.Points {
			p := &r.Points[i]
			run := measuredRun{clock: p.Spec.ClockUnit(), units: units(&p.Spec)}
			for rep := range r.Runs[i] {
				cells := append(Texts(p.Labels), rep, p.Hash)
				run.cells = cells[:len(cells):len(cells)]
				run.value = func(k int) (float64, bool) { return picker.Value(&r.Runs[i][rep], k) }
				if !yield(run) {
					return
				}
			}
		}
	}
}

// WriteRuns writes runs.csv.
func WriteRuns(r *experiments.Results, w io.Writer) error {
	return WriteCSV(w, table.Names(RunTable(r).Columns), runRows(r))
}

// runRows gives the rows of runs.csv: one for each run and metric.
func runRows(r *experiments.Results) TableRows {
	return func(write func(...any) error) {
		names := r.Metrics()
		for run := range runsOf(r, names) {
			for k, m := range names {
				v, ok := run.value(k)
				if !ok {
					continue
				}
				unit := run.units[k]
				write(append(run.cells, m, unit, InUnit{v, unit})...)
			}
		}
	}
}

// wideRows gives the rows of wide.csv: one for each run, with a cell for each metric.
func wideRows(r *experiments.Results) TableRows {
	return func(write func(...any) error) {
		names := r.Metrics()
		for run := range runsOf(r, names) {
			row := append(run.cells, run.clock)
			for k := range names {
				if v, ok := run.value(k); ok {
					row = append(row, InUnit{v, run.units[k]})
				} else {
					row = append(row, nil)
				}
			}
			write(row...)
		}
	}
}
