package tables

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/input"
)

// TableNotes lists what a reader of the table must know, a sentence or two each.
func TableNotes(r *experiments.Results) []string {
	return NonEmpty(missingText(r), absentText(r), precisionText(r), relativeText(r), saturatedText(r),
		queueText(r, tableMetrics(r)), lostText(r), marksText(r), jumpText(r), jobsText(r), trimText(r),
		cutText(r), PublishedText(r))
}

// missingText counts the runs that a study lacks which has not ended, "" if it has.
func missingText(r *experiments.Results) string {
	if r.Folder == nil {
		return ""
	}
	if done, all := r.Wanted(); done < all {
		return fmt.Sprintf("The study has not ended: %d of its %d runs are missing.", all-done, all)
	}
	return ""
}

// absentText names the metrics of the table that no run has, "" if there are none.
func absentText(r *experiments.Results) string {
	shown := tableMetrics(r)
	absent := slices.DeleteFunc(slices.Clone(r.Study.Table.Metrics),
		func(m string) bool { return slices.Contains(shown, m) })
	if len(absent) == 0 || len(r.Metrics()) == 0 {
		return ""
	}
	remedy := cmp.Or(remedyOfUnits(r, absent), " contend list metrics says of which runs each is.")
	return "No run has " + strings.Join(absent, ", ") + "." + remedy
}

// remedyOfUnits says how to get metrics in real units that no run has: from the length of a cycle,
// or under the name of those that have that unit already.
func remedyOfUnits(r *experiments.Results, absent []string) (text string) {
	hasCycle := func(p study.Point) bool { return p.Spec.Network.Cycle != "" }
	without := !slices.ContainsFunc(r.Points, hasCycle)
	for _, m := range absent {
		base := metrics.InModelUnit(m)
		switch {
		case base == m || !slices.Contains(r.Metrics(), base):
		case without:
			return fmt.Sprintf(" Metrics in real units need the length of a cycle: give %s or "+
				"network.preset.", config.FieldCycle)
		default:
			text += fmt.Sprintf(" %s has the unit %s already.", base,
				metrics.UnitOf(base, &r.Points[0].Spec))
		}
	}
	return text
}

// precisionText describes the intervals of a table.
func precisionText(r *experiments.Results) string {
	if oneReplication(r) {
		if jumpsKnown(r) {
			return fmt.Sprintf("One replication: intervals (%g%%) are of the error of jumps over time.",
				100*max(r.Study.Runs.Confidence, 0.95))
		}
		return "One replication, so there are no confidence intervals."
	}
	once := study.OnceText(r.Points)
	if once != "" && !slices.ContainsFunc(r.Points, func(p study.Point) bool {
		return !p.Once
	}) {
		return input.UpperFirst(once) + "."
	}
	text := fmt.Sprintf("Means with %g%% confidence intervals over the replications",
		100*r.Study.Runs.Confidence)
	if jumpsKnown(r) {
		text += ", with the error of jumps over time"
	}
	text += "."
	_, _, most := r.Study.Looks()
	if r.Study.Runs.MaxRelativeError > 0 {
		text += fmt.Sprintf(" Replications were added, up to %d, until the primary metrics were precise, "+
			"so intervals hold the mean slightly less often than stated "+
			"(runs.max_relative_error says by how much).", most)
	}
	if r.Study.Sequential() {
		text += fmt.Sprintf(" Replications were added, up to %d, until differences were clear or precise, "+
			"so the number of replications depends on the results.", most)
	}
	if once != "" {
		text += " " + input.UpperFirst(once) + "."
	}
	if overlap := r.Study.OverlapText(r.Points); overlap != "" {
		text += " " + input.UpperFirst(overlap) + "."
	}
	if log := sameLogText(r); log != "" {
		text += " " + log
	}
	return text
}

// jumpsKnown reports whether some interval of the table has the error of jumps over time.
func jumpsKnown(r *experiments.Results) bool {
	return r.Jumps() && slices.ContainsFunc(AllPoints(r), func(i int) bool {
		return slices.ContainsFunc(tableMetrics(r), func(m string) bool {
			e, ok := r.Estimate(i, m)
			return ok && e.Shared > 0
		})
	})
}

// oneReplication reports whether the study asks for one replication and never adds to it.
func oneReplication(r *experiments.Results) bool {
	n := r.Study.Runs
	return n.Replications == 1 && n.MaxRelativeError == 0 && !r.Study.Sequential()
}

// sameLogText states that replications have the jobs of one part of a log, "" if none do.
func sameLogText(r *experiments.Results) string {
	if oneReplication(r) || !slices.ContainsFunc(r.Points, func(p study.Point) bool {
		w := &p.Spec.Workload
		return w.HasTrace() && w.Window == 0 && !w.Snapshots && !p.Once
	}) {
		return ""
	}
	return "All replications have the jobs of the same log, so intervals hold the chance of what is " +
		"drawn, and not how much other jobs would differ."
}

// relativeText describes the ratios of the relative column and their intervals, "" where there are
// no intervals. Published ratios are of means, so these are.
func relativeText(r *experiments.Results) string {
	for _, c := range RelativeCells(r) {
		if !math.IsNaN(c.Measured.Half) {
			return fmt.Sprintf("Ratios to %s are of the means, with first-order intervals; contend "+
				"compare --by %s tests ratios pair by pair.", r.Study.Table.Relative, r.RelativeAxis())
		}
	}
	return ""
}

// trimText states which jobs metrics leave out, "" if they leave out none.
func trimText(r *experiments.Results) string {
	type trim struct{ first, last int }
	var all []trim
	for _, p := range r.Points {
		if t := (trim{p.Spec.WarmupJobs, p.Spec.CooldownJobs}); !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	switch {
	case len(all) == 1 && all[0] == trim{}:
		return ""
	case len(all) > 1:
		return "Metrics of jobs leave out the first and last jobs submitted, how many differs " +
			"from point to point (runs.warmup_jobs, runs.cooldown_jobs)."
	}
	return fmt.Sprintf("Metrics of jobs leave out the first %d and the last %d jobs submitted "+
		"in each run (runs.warmup_jobs, runs.cooldown_jobs).", all[0].first, all[0].last)
}

// cutText states that some interval of the table is shorter on one side of the mean than
// its half width says, "" if none is.
func cutText(r *experiments.Results) string {
	below, above := false, false
	for _, m := range tableMetrics(r) {
		bounds := metrics.BoundsOf(m, &r.Study.Base)
		for i := range r.Points {
			if e, ok := r.Estimate(i, m); ok {
				b, a := e.Cut(bounds)
				below, above = below || b, above || a
			}
		}
	}
	switch {
	case below && above:
		return "Intervals are cut off at the smallest and the largest possible value."
	case below:
		return "Intervals are cut off at the smallest possible value."
	case above:
		return "Intervals are cut off at the largest possible value."
	}
	for _, c := range RelativeCells(r) {
		if below, _ := c.Measured.Cut(stats.AtLeast(0)); below {
			return "Intervals of ratios are cut off at 0."
		}
	}
	return ""
}

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

// fewMarks is the share of marked packets, in percent, below which a congestion control hardly
// acts.
const fewMarks = 0.1

// marksText counts the points at which routers hardly mark packets, "" if there are none.
func marksText(r *experiments.Results) string {
	controlled, few := 0, 0
	for i := range r.Points {
		if e, ok := r.Estimate(i, "marked_packets"); ok {
			if controlled++; e.Mean < fewMarks {
				few++
			}
		}
	}
	if few == 0 {
		return ""
	}
	return fmt.Sprintf("At %d of %s with network.congestion_control that marks, routers marked fewer "+
		"than %g%% of the packets: there the control hardly acts.", few,
		input.Plural(controlled, "point"), fewMarks)
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

// jumps sums the metrics about jumps over time. Shares and errors are in percent.
type jumps struct {
	runs         int          // runs that may jump
	low, high    float64      // least and greatest runs.fast_forward
	Share        metrics.Mean // of the service time that was jumped over
	Audits, Jams int
	Largest      float64      // largest error of the time of a job in an audited jump
	Beyond       metrics.Mean // by audits: shares of the jumped time beyond the tolerance
	bias         metrics.Mean
}

// JumpsOf sums the metrics about jumps of all runs in which time may be jumped over.
func JumpsOf(r *experiments.Results) (j jumps) {
	for i, p := range r.Points {
		if p.Spec.FastForward == 0 {
			continue
		}
		for _, run := range r.Runs[i] {
			if j.runs++; j.runs == 1 {
				j.low = p.Spec.FastForward
			}
			j.low, j.high = min(j.low, p.Spec.FastForward), max(j.high, p.Spec.FastForward)
			for metric, mean := range map[string]*metrics.Mean{"time_jumped": &j.Share,
				"service_time_bias": &j.bias} {
				if x, ok := run.Value(metric); ok {
					mean.Add(x)
				}
			}
			value := func(metric string) float64 { x, _ := run.Value(metric); return x }
			n := int(value("jumps_audited"))
			j.Audits += n
			if beyond, ok := run.Value("jumps_beyond"); ok {
				j.Beyond.Sum, j.Beyond.N = j.Beyond.Sum+beyond*float64(n), j.Beyond.N+n
			}
			j.Jams += int(value("jams"))
			j.Largest = max(j.Largest, value("largest_jump_error"))
		}
	}
	return j
}

// Kept reports whether jobs are off by more than runs.fast_forward in at most 5% of the time of
// jumps.
func (j *jumps) Kept() bool { return j.Beyond.N == 0 || j.Beyond.Value() <= 5 }

// jumpText states in sentences how much time was jumped over, and what audits have seen. It is ""
// for runs in which every flit is simulated.
func jumpText(r *experiments.Results) string {
	j := JumpsOf(r)
	if j.runs == 0 {
		return ""
	}
	tolerance := fmt.Sprint(j.low)
	if j.high > j.low {
		tolerance += " to " + fmt.Sprint(j.high)
	}
	text := fmt.Sprintf("Time was jumped over (%s = %s): %s%% of the service time of jobs.",
		config.FieldFastForward, tolerance, Significant(j.Share.Value(), 3))
	if j.Audits == 0 {
		return text + " No jump was audited."
	}
	text += fmt.Sprintf(" %d audits: service times are off by %s%% in the mean, and times of jobs in "+
		"jumps by %s%% at most; these errors exceed %s in %s%% of the time.", j.Audits,
		Significant(j.bias.Value(), 2),
		Significant(j.Largest, 2), config.FieldFastForward, Significant(j.Beyond.Value(), 2))
	if j.Jams > 0 {
		text += fmt.Sprintf(" In %d of them jobs came to take another time than was foreseen, and were "+
			"simulated on until that had settled anew (jams).", j.Jams)
	}
	if !j.Kept() {
		text += " That is more than 5%: the tolerance is not kept."
	}
	return text
}
