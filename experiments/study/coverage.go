package study

import (
	"slices"

	"contend/experiments/metrics"
	"contend/internal/input"
)

// The rules that judge jumps over time against the simulation of every flit.
const (
	// CoverageRule requires that the intervals of points contain the value of the reference.
	CoverageRule = "coverage"
	// JobCoverageRule requires it of the intervals of jobs.
	JobCoverageRule = "job-coverage"
	// CostRule requires that no run simulates many more flits than its reference.
	CostRule = "cost"
)

// Covers reports whether the rule judges jumps over time.
func (t *Tolerance) Covers() bool {
	return slices.Contains([]string{CoverageRule, JobCoverageRule, CostRule}, t.Rule)
}

// checkCoverage tests the keys of a rule about jumps over time.
func (t *Tolerance) checkCoverage(at string) *input.Error {
	known := map[string][]string{CoverageRule: metrics.JumpErrorNames(),
		JobCoverageRule: {"service_time"}, CostRule: {"simulated_flit_hops"}}[t.Rule]
	shares := t.Rule == CoverageRule || t.Rule == JobCoverageRule
	switch {
	case shares && !(t.Share > 0 && t.Share <= 1):
		return input.Bad(at+".share", "give a number above 0 and at most 1",
			"%s.share is %g", at, t.Share)
	case t.EachShare < 0 || t.EachShare > t.Share:
		return input.Bad(at+".each_share", "give a number from 0 to share", "%s.each_share is %g", at,
			t.EachShare)
	case !shares && t.Share != 0:
		return input.Bad(at+".share", "leave it out", "%s.rule is %s, which has no share", at, t.Rule)
	case !t.Covers():
		return nil
	case t.Relative == "" || !(t.Within > 0) || t.Interval || t.Offset != 0 || t.AtLeast != 0:
		return input.Bad(at+".relative_to",
			"give relative_to and within, and none of interval, offset and at_least",
			"%s.rule is %s: it compares each run with a reference", at, t.Rule)
	}
	return oneOf(at+".metric", t.Metric, known)
}
