package tables

import (
	"strings"

	"contend/experiments"
	"contend/experiments/cosim/metrics"
	"contend/experiments/spec/input"
)

// UnitOf returns the unit of a metric at points. An axis or a variant may give runs another clock
// than the study's base has; units that differ are listed.
func UnitOf(r *experiments.Results, metric string, points []int) string {
	if len(points) == 0 {
		return metrics.UnitOf(metric, &r.Study.Base)
	}
	var units []string
	for _, i := range points {
		units = append(units, metrics.UnitOf(metric, &r.Points[i].Spec))
	}
	return strings.Join(Unique(units), " or ")
}

// ClockOf returns the unit of the clock at points.
func ClockOf(r *experiments.Results, points []int) string { return UnitOf(r, "wait_time", points) }

// IsTime reports whether a column of jobs.csv holds seconds or cycles.
func IsTime(r *experiments.Results, column string) bool {
	return input.IsTime(input.ColumnUnit(column, r.Study.Base.ClockUnit()))
}
