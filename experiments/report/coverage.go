package report

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/report/tables"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/decimal"
)

// coverageTally counts what a rule about jumps over time judges.
type coverageTally struct {
	held           held      // deviations that are not exact, and those within their intervals
	errors         []float64 // of the judged deviations
	halves         []float64 // half widths of their intervals
	unknown        int       // judged deviations without an interval
	exact          int       // deviations of 0 that were to be exact: no evidence about intervals
	missing        int       // runs that were not made or read
	jobs, compared int       // of runs, and those with the same nodes and start in both
	kinds          map[string]*held
}

// held counts intervals, and those that hold the value of the reference.
type held struct{ judged, within int }

// share returns the share of intervals that hold, 1 of none.
func (h *held) share() float64 {
	if h.judged == 0 {
		return 1
	}
	return float64(h.within) / float64(h.judged)
}

// add counts the deviations of a mean or of jobs, for the kinds of cases that they are of. It
// returns the number of those outside of their intervals.
func (c *coverageTally) add(list []deviation, kinds []string) (outside int) {
	for _, d := range list {
		within := false
		switch {
		case d.isExact():
			c.exact++
			continue
		case d.isWithin():
			within = true
		case math.IsNaN(d.Half):
			c.unknown++
		default:
			outside++
		}
		for _, h := range append([]*held{&c.held}, c.of(kinds)...) {
			if h.judged++; within {
				h.within++
			}
		}
		c.errors = append(c.errors, d.Off)
		if !math.IsNaN(d.Half) {
			c.halves = append(c.halves, d.Half)
		}
	}
	return outside
}

// of returns the counts of kinds of cases.
func (c *coverageTally) of(kinds []string) (list []*held) {
	for _, kind := range kinds {
		if c.kinds[kind] == nil {
			c.kinds[kind] = &held{}
		}
		list = append(list, c.kinds[kind])
	}
	return list
}

// summary states the counts, in runs or jobs.
func (c *coverageTally) summary(what string) string {
	text := fmt.Sprintf("%d of %d %s within", c.held.within, c.held.judged, what)
	if c.held.judged > 0 {
		text += fmt.Sprintf(", %.1f%%; median half width %s%%, errors %s%% (root mean square)",
			100*c.held.share(), tables.Significant(100*median(c.halves), 2),
			tables.Significant(100*rootMeanSquare(c.errors), 2))
	}
	if c.unknown > 0 {
		text += fmt.Sprintf("; %d have no interval", c.unknown)
	}
	if c.exact > 0 {
		text += fmt.Sprintf("; %d more are exact", c.exact)
	}
	if c.jobs > 0 {
		text += fmt.Sprintf("; %d of %d jobs have the same nodes and start in both", c.compared, c.jobs)
	}
	return text
}

// median returns the median of numbers, 0 of none.
func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	return stats.Percentile(slices.Sorted(slices.Values(list)), 50)
}

// rootMeanSquare returns the root of the mean of squares, 0 of no numbers.
func rootMeanSquare(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x * x
	}
	return math.Sqrt(sum / float64(max(1, len(list))))
}

// judgeCoverage judges whether intervals hold the values of the reference often enough, in all
// cases and in each kind of them, and whether the median one is not much wider than the errors.
func judgeCoverage(v *Verdict, r *experiments.Results, t *study.Tolerance) {
	c := coverageTally{kinds: map[string]*held{}}
	for _, p := range runPairs(r, t.AmongKey(r.Study), t.Relative, t.Where) {
		if t.Rule == study.CoverageRule && p.Replication > 0 && p.Run {
			continue // the first one stands for the point
		}
		list, err := c.deviations(r, t, &p)
		if err != nil {
			c.missing++
			v.Details = append(v.Details, err.Error())
		} else if outside := c.add(list, kindsOf(r, t, p.Point)); outside > 0 {
			v.Details = append(v.Details, outsideText(r, t, &p, list, outside))
		}
	}
	widest := t.Within * rootMeanSquare(c.errors)
	v.Pass = c.missing == 0 && c.held.judged+c.exact > 0 && median(c.halves) <= widest+rounding &&
		c.held.share() >= t.Share
	v.Summary = c.summary(coverageUnit(t))
	if t.EachShare == 0 {
		return
	}
	kinds, few := slices.Sorted(maps.Keys(c.kinds)), []string{}
	for _, kind := range kinds {
		if h := c.kinds[kind]; h.share() < t.EachShare {
			few = append(few, fmt.Sprintf("%s %d of %d", kind, h.within, h.judged))
		}
	}
	v.Pass = v.Pass && len(few) == 0
	v.Summary += fmt.Sprintf("; %d of %d kinds of cases have at least %s", len(kinds)-len(few),
		len(kinds), percentOf(t.EachShare))
	if len(few) > 0 {
		v.Summary += ", not " + strings.Join(few, ", ")
	}
}

// kindsOf returns the kinds of cases that a point is of: its labels of the other axes than that of
// the rule.
func kindsOf(r *experiments.Results, t *study.Tolerance, point int) (list []string) {
	for i, key := range r.AxisKeys() {
		if key != t.AmongKey(r.Study) {
			list = append(list, r.Points[point].Labels[i])
		}
	}
	return list
}

// deviations returns the deviation of a mean from its reference, or those of the jobs of a run.
func (c *coverageTally) deviations(r *experiments.Results, t *study.Tolerance,
	p *runPair) ([]deviation, error) {
	switch {
	case !p.Run:
		return nil, errors.New(p.Name + ": not run")
	case t.Rule == study.JobCoverageRule:
		list, all, err := jobDeviations(r, p)
		if err == nil {
			c.jobs, c.compared = c.jobs+all, c.compared+len(list)
		}
		return list, err
	}
	if d, ok := meanDeviation(r, p, t.Metric); ok {
		return []deviation{d}, nil
	}
	return nil, nil
}

// coverageUnit names what a rule about coverage counts.
func coverageUnit(t *study.Tolerance) string {
	if t.Rule == study.JobCoverageRule {
		return "jobs"
	}
	return "means"
}

// outsideText names a point that lies outside of its interval, or counts its jobs that do.
func outsideText(r *experiments.Results, t *study.Tolerance, p *runPair, list []deviation,
	outside int) string {
	if t.Rule == study.JobCoverageRule {
		return fmt.Sprintf("%s: %d of %d jobs", p.Name, outside, len(list))
	}
	return fmt.Sprintf("%s: %s%%, interval ±%s%%", strings.Join(r.Points[p.Point].Labels, " "),
		decimal.Signed(100*list[0].Off), tables.Significant(100*list[0].Half, 2))
}

// judgeCost judges whether no run simulates more flits than its reference times a factor.
func judgeCost(v *Verdict, r *experiments.Results, t *study.Tolerance) {
	within, of, worst := 0, 0, 0.0
	for _, p := range runPairs(r, t.AmongKey(r.Study), t.Relative, t.Where) {
		of++
		if !p.Run {
			v.Details = append(v.Details, p.Name+": not run")
			continue
		}
		cost := runValue(r, p.Point, p.Replication, t.Metric) /
			runValue(r, p.Reference, p.Replication, "flit_hops")
		worst = max(worst, cost)
		if cost <= t.Within {
			within++
		} else {
			v.Details = append(v.Details, fmt.Sprintf("%s: %s times", p.Name,
				tables.Significant(cost, 3)))
		}
	}
	v.Pass = of > 0 && within == of
	v.Summary = fmt.Sprintf("%d of %d runs, all wanted; the dearest takes %s times", within, of,
		tables.Significant(worst, 3))
}

// describeCost states what a rule about the cost of jumps over time requires.
func describeCost(t *study.Tolerance) string {
	return fmt.Sprintf("%s of each run: at most %g times the flit_hops of %s", t.Metric, t.Within,
		t.Relative)
}

// describeCoverage states what a rule about the coverage of intervals requires.
func describeCoverage(t *study.Tolerance) string {
	each := ""
	if t.EachShare > 0 {
		each = ", and for " + percentOf(t.EachShare) + " in every kind of case"
	}
	return fmt.Sprintf("%s of %s: that of %s is within the interval for at least %s of them%s; the "+
		"median half width is at most %g times the errors", t.Metric, coverageUnit(t),
		t.Relative, percentOf(t.Share), each, t.Within)
}

// jumpVerdict judges the jumps over time by audits. It reports false if there was none.
func jumpVerdict(r *experiments.Results) (Verdict, bool) {
	j := tables.JumpsOf(r)
	return Verdict{
		Rule: fmt.Sprintf("times of jobs are within %s in at least 95%% of the time that is jumped over",
			config.FieldFastForward),
		Why:  "the tolerance that the study asks for (runs.audits says how many jumps are audited)",
		Pass: j.Kept(),
		Summary: fmt.Sprintf("%s%% as %d audits have seen it, the largest error %s%%",
			tables.Significant(100-j.Beyond.Value(), 3), j.Audits, tables.Significant(j.Largest, 2)),
	}, j.Audits > 0
}
