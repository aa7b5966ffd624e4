package tables

import (
	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/input"
	"fmt"
	"math"
	"slices"
)

// TableNotes lists what a reader of the table must know, a sentence or two each.
func TableNotes(r *experiments.Results) []string {
	return NonEmpty(missingText(r), precisionText(r), relativeText(r), saturatedText(r),
		queueText(r, tableMetrics(r)), lostText(r), jumpText(r), jobsText(r), trimText(r), cutText(r),
		PublishedText(r))
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

// precisionText describes the intervals of a table.
func precisionText(r *experiments.Results) string {
	if n := r.Study.Runs; n.Replications == 1 && n.MaxRelativeError == 0 &&
		!r.Study.Sequential() {
		return "One replication, so there are no confidence intervals."
	}
	once := study.OnceText(r.Points)
	if once != "" && !slices.ContainsFunc(r.Points, func(p study.Point) bool {
		return !p.Once
	}) {
		return input.UpperFirst(once) + "."
	}
	text := fmt.Sprintf("Means with %g%% confidence intervals over the replications.",
		100*r.Study.Runs.Confidence)
	if r.Study.Runs.MaxRelativeError > 0 {
		text += " Replications were added until the primary metrics were precise, " +
			"so intervals hold the mean slightly less often than stated " +
			"(runs.max_relative_error says by how much)."
	}
	if r.Study.Sequential() {
		text += " Replications were added until differences were clear or precise, so the number " +
			"of replications depends on the results."
	}
	if once != "" {
		text += " " + input.UpperFirst(once) + "."
	}
	if overlap := r.Study.OverlapText(r.Points); overlap != "" {
		text += " " + input.UpperFirst(overlap) + "."
	}
	if slices.ContainsFunc(r.Points, func(p study.Point) bool {
		return p.Spec.Workload.HasTrace() && p.Spec.Workload.Window == 0 && !p.Once
	}) {
		text += " All replications have the jobs of the same log, so intervals hold the chance of " +
			"what is drawn, and not how much other jobs would differ."
	}
	return text
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
