package tables

import (
	"io"
	"slices"

	"contend/experiments"
	"contend/experiments/cosim/metrics"
	"contend/experiments/study"
	"contend/internal/table"
)

// ClassColumns lists the columns of classes.csv after the axes. Sizes are in processors; the
// last class has no most_processors.
var ClassColumns = []table.Column{
	table.Plain("least_processors", "nodes", "smallest jobs of the class, a power of two"),
	table.Plain("most_processors", "nodes", "largest jobs of the class; empty for the last one, "+
		"which has no end"),
	table.Plain("metric", "", "a metric of all jobs, here of those of the class: jobs, wait_time, "+
		"response_time, service_time or bounded_slowdown"),
	table.Plain("unit", "", "unit of the values in the row, empty for a ratio"),
	table.Plain("mean", "unit", "mean over the replications that have such jobs"),
	table.Plain("ci_half_width", "unit",
		"half the width of the confidence interval; empty with one replication"),
	table.Plain("replications", "runs", "replications that have such jobs"),
	table.Plain("ci_low", "unit",
		"lower end of the interval, not below the least value the metric can have"),
	table.Plain("ci_high", "unit", "upper end of the interval"),
}

// HasClasses reports whether some run has metrics of classes of jobs.
func HasClasses(r *experiments.Results) bool {
	return slices.ContainsFunc(r.Points, func(p study.Point) bool { return p.Spec.SizeClasses })
}

// WriteClasses writes classes.csv, a row per point, class of sizes and metric. Its metrics have
// the names of those of all jobs, so that sizes are a column to group by.
func WriteClasses(r *experiments.Results, w io.Writer) error {
	names := slices.DeleteFunc(r.Metrics(), func(m string) bool {
		_, ok := metrics.ClassOf(m)
		return !ok
	})
	slices.SortStableFunc(names, func(a, b string) int {
		x, _ := metrics.ClassOf(a)
		y, _ := metrics.ClassOf(b)
		return x.Least - y.Least
	})
	return writeCSV(w, r.AxisKeys(), ClassColumns, func(write func(...any) error) {
		for _, e := range estimatesOf(r, names) {
			c, _ := metrics.ClassOf(e.metric)
			var most any
			if c.Most > 0 {
				most = c.Most
			}
			write(append(e.labels, c.Least, most, c.Of, e.unit, e.in(e.Mean), e.in(e.Half),
				e.N, e.in(e.low), e.in(e.high))...)
		}
	})
}
