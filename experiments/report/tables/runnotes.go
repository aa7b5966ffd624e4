package tables

import (
	"contend/experiments"
	"contend/experiments/metrics"
	"contend/internal/input"
	"fmt"
	"slices"
	"strings"
)

// PublishedText states to which runs the published figures belong if flags
// changed the study or its log, "" if they did not.
func PublishedText(r *experiments.Results) string {
	if r.Study.Changed == nil || r.Study.Published.CSV == "" {
		return ""
	}
	whose := "the whole study, unchanged"
	if logs := publishedLogs(r); logs != nil {
		whose += ", on " + strings.Join(logs, ", ")
	}
	about := "; these runs have %s."
	if !slices.ContainsFunc(r.PublishedValues, func(row map[string]float64) bool {
		return row != nil
	}) {
		about = "; none is about these runs (%s)."
	}
	return "The published figures are of " + whose +
		fmt.Sprintf(about, strings.Join(r.Study.Changed, " "))
}

// publishedLogs lists the logs of the published values.
func publishedLogs(r *experiments.Results) []string {
	var logs []string
	for _, row := range r.Study.Published.Rows() {
		if name, ok := row.Where["workload.trace"].(string); ok {
			logs = append(logs, name)
		}
	}
	return Unique(logs)
}

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

// maxQueues is the largest number of points that a note names.
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

// lostText counts the points at which failures have made jobs lost, "" if there are none.
func lostText(r *experiments.Results) string {
	points := 0
	for i := range r.Points {
		if e, ok := r.Estimate(i, "jobs_lost"); ok && e.Mean > 0 {
			points++
		}
	}
	if points == 0 {
		return ""
	}
	return fmt.Sprintf("At %d of %s failures killed jobs more than scheduler.max_restarts times: "+
		"they never finished (jobs_lost), and means over jobs leave them out.", points,
		input.Plural(len(r.Points), "point"))
}

// jobsText states for each axis along which the machine changes whether its values have the same
// jobs, "" if there is no such axis. Where sides are drawn in other bounds for a machine, or sizes
// are rounded for it, a comparison is one of jobs as well as of machines.
func jobsText(r *experiments.Results) string {
	var texts []string
	for axis := range r.Study.Axes {
		couples := slices.DeleteFunc(couplesOf(r, axis), func(at [2]int) bool {
			a, b := &r.Points[at[0]].Spec, &r.Points[at[1]].Spec
			return a.MachineKeys() == b.MachineKeys()
		})
		if text := jobsAlong(r, axis, couples); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, " ")
}

// jobsAlong states whether pairs of points along an axis have the same jobs, and names the first
// pair of values whose jobs differ. It returns "" if the runs have recorded no jobs.
func jobsAlong(r *experiments.Results, axis int, couples [][2]int) string {
	key := r.Study.Axes[axis].Key
	var first, what []string
	others := map[string]bool{}
	for _, at := range couples {
		differ, known := r.JobsDiffer(at[0], at[1])
		if !known {
			return ""
		}
		a, b := &r.Points[at[0]].Spec, &r.Points[at[1]].Spec
		if a.ProgramKeys() != b.ProgramKeys() {
			differ = append(differ, "what they do")
		}
		if differ == nil {
			continue
		}
		pair := []string{r.Points[at[0]].Labels[axis], r.Points[at[1]].Labels[axis]}
		if first == nil {
			first, what = pair, differ
		}
		if !slices.Equal(pair, first) {
			others[strings.Join(pair, "\x00")] = true
		}
	}
	switch {
	case len(couples) == 0:
		return ""
	case first == nil:
		return fmt.Sprintf("All values of %s have the same jobs.", key)
	}
	more := ""
	if n := len(others); n > 0 {
		more = fmt.Sprintf("; so do those of %s", input.Plural(n, "other pair"))
	}
	return fmt.Sprintf("Jobs differ between %s = %s and %s, in %s%s.", key, first[0],
		first[1], strings.Join(what, ", "), more)
}

// saturatedText counts the points at which a network under traffic was saturated, "" if there are
// none. Packets then wait in queues that grow for the whole measurement window.
func saturatedText(r *experiments.Results) string {
	n := SaturatedPoints(r, AllPoints(r))
	if n == 0 {
		return ""
	}
	points := slices.DeleteFunc(AllPoints(r), r.BeyondCurve)
	return fmt.Sprintf("At %d of %s the network was saturated: latencies and waits there grow with "+
		"the measurement window (workload.window_cycles).", n, input.Plural(len(points), "point"))
}

// SaturatedPoints counts the points with a run in which the network was saturated.
func SaturatedPoints(r *experiments.Results, points []int) (n int) {
	for _, i := range points {
		if e, ok := r.Estimate(i, "saturated"); ok && e.Mean > 0 {
			n++
		}
	}
	return n
}
