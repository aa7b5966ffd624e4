package report

import (
	"strings"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/spec/input"
)

// unitOf returns the unit of a metric at points. An axis or a variant may give runs another clock
// than the study's base has; units that differ are listed.
func unitOf(r *experiments.Results, metric string, points []int) string {
	if len(points) == 0 {
		return cosim.UnitOf(metric, &r.Study.Base)
	}
	var units []string
	for _, i := range points {
		units = append(units, cosim.UnitOf(metric, &r.Points[i].Spec))
	}
	return strings.Join(unique(units), " or ")
}

// clockOf returns the unit of the clock at points.
func clockOf(r *experiments.Results, points []int) string { return unitOf(r, "wait_time", points) }

// isTime reports whether a column of jobs.csv holds seconds or cycles.
func isTime(r *experiments.Results, column string) bool {
	return input.IsTime(input.ColumnUnit(column, r.Study.Base.ClockUnit()))
}
