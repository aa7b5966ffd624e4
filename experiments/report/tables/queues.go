package tables

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/metrics"
)

// queueGrowth is the metric of runs in which the queue grows.
const queueGrowth = "queue_growth"

// growingQueues lists the points with a run in which the queue grew over all submissions, where
// some of the metrics shown depend on that.
func growingQueues(r *experiments.Results, shown []string) (points []int) {
	if !slices.ContainsFunc(shown, metrics.GrowsWithQueue) {
		return nil
	}
	for i := range r.Points {
		if _, ok := r.Estimate(i, queueGrowth); ok {
			points = append(points, i)
		}
	}
	return points
}

// maxQueues is the number of points up to which a note names them.
const maxQueues = 4

// queueText names the points at which the queue grows over the whole run, "" if there are none or
// no metric shown depends on it.
func queueText(r *experiments.Results, shown []string) string {
	points := growingQueues(r, shown)
	var where []string
	for _, i := range points {
		where = append(where, strings.Join(r.Points[i].Labels, " "))
	}
	under := " under " + strings.Join(where, ", ")
	switch {
	case points == nil:
		return ""
	case len(r.Points) == 1:
		under = ""
	case len(points) == len(r.Points):
		under = " at all points"
	case len(points) > maxQueues:
		under = fmt.Sprintf(" at %d of %d points", len(points), len(r.Points))
	}
	return "The queue grows over the whole run" + under + " (queue_growth): waits there depend on " +
		"the number of jobs."
}
