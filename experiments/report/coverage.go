package report

import (
	"errors"
	"fmt"
	"math"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/fastforward"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/input"
)

// coverageTally counts what a rule about jumps over time judges.
type coverageTally struct {
	judged, within int        // deviations that are not exact, and those within their intervals
	errors, halves meanSquare // of the judged deviations: errors and half widths of intervals
	unknown        int        // judged deviations without an interval
	exact          int        // deviations of 0 that were to be exact: no evidence about intervals
	missing        int        // runs that were not made or read
	jobs, compared int        // of runs, and those with the same nodes and start in both
}

// add counts the deviations of a run or of its jobs. It returns the number of those outside of
// their intervals.
func (c *coverageTally) add(list []deviation) (outside int) {
	for _, d := range list {
		switch {
		case d.isExact():
			c.exact++
			continue
		case d.isWithin():
			c.within++
		case math.IsNaN(d.Half):
			c.unknown++
		default:
			outside++
		}
		c.judged++
		c.errors.add(d.Off)
		c.halves.add(d.Half)
	}
	return outside
}

// summary states the counts, in runs or jobs.
func (c *coverageTally) summary(what string) string {
	text := fmt.Sprintf("%d of %d %s within", c.within, c.judged, what)
	if c.judged > 0 {
		text += fmt.Sprintf(", %.0f%%; half widths %s%% and errors %s%%, root mean squares",
			100*float64(c.within)/float64(c.judged), tables.Significant(100*c.halves.root(), 2),
			tables.Significant(100*c.errors.root(), 2))
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

// judgeCoverage judges whether intervals hold the values of the reference often enough, and
// whether they are not much wider than the errors.
func judgeCoverage(v *Verdict, r *experiments.Results, t *study.Tolerance) {
	var c coverageTally
	for _, p := range runPairs(r, t.AmongKey(r.Study), t.Relative, t.Where) {
		list, err := c.deviations(r, t, &p)
		if err != nil {
			c.missing++
			v.Details = append(v.Details, err.Error())
		} else if outside := c.add(list); outside > 0 {
			v.Details = append(v.Details, outsideText(t, &p, list, outside))
		}
	}
	v.Pass = c.missing == 0 && c.judged+c.exact > 0 && c.halves.root() <= t.Within*c.errors.root() &&
		float64(c.within) >= t.Share*float64(c.judged)
	v.Summary = c.summary(coverageUnit(t))
}

// deviations returns the deviation of a run from its reference, or those of its jobs.
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
	if d, ok := runDeviation(r, p, t.Metric); ok {
		return []deviation{d}, nil
	}
	return nil, nil
}

// coverageUnit names what a rule about coverage counts.
func coverageUnit(t *study.Tolerance) string {
	if t.Rule == study.JobCoverageRule {
		return "jobs"
	}
	return "runs"
}

// meanSquare accumulates the mean of the squares of numbers. It leaves out NaN.
type meanSquare struct {
	sum float64
	n   int
}

// add adds a number.
func (m *meanSquare) add(x float64) {
	if !math.IsNaN(x) {
		m.sum, m.n = m.sum+x*x, m.n+1
	}
}

// root returns the root mean square, 0 of no numbers.
func (m *meanSquare) root() float64 { return math.Sqrt(m.sum / float64(max(1, m.n))) }

// outsideText names a run that lies outside of its interval, or counts its jobs that do.
func outsideText(t *study.Tolerance, p *runPair, list []deviation,
	outside int) string {
	if t.Rule == study.JobCoverageRule {
		return fmt.Sprintf("%s: %d of %d jobs", p.Name, outside, len(list))
	}
	return fmt.Sprintf("%s: %s%%, interval ±%s%%", p.Name, input.Signed(100*list[0].Off),
		tables.Significant(100*list[0].Half, 2))
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
	return fmt.Sprintf("%s of %s: that of %s is within the interval for at least %s of them, and "+
		"half widths are at most %g times the errors", t.Metric, coverageUnit(t), t.Relative,
		percentOf(t.Share), t.Within)
}

// jumpVerdict judges the jumps over time by full simulations of some of them. It reports false if
// none was checked.
func jumpVerdict(r *experiments.Results) (Verdict, bool) {
	j := tables.JumpsOf(r)
	summary := fmt.Sprintf("%d of %d rates within, 95%% wanted, less what chance explains",
		j.Checked-j.Wrong, j.Checked)
	if j.Differ > 0 {
		summary += fmt.Sprintf("; %d of %d jobs of exact jumps differ", j.Differ, j.Same+j.Differ)
	}
	return Verdict{
		Rule: fmt.Sprintf("rates of jobs that jump over time are within %s of those of full "+
			"simulations", config.FieldFastForward),
		Why:     "the 95% interval of each rate is that narrow (runs.check_jumps draws the jumps)",
		Pass:    j.Differ == 0 && fastforward.Trusted(j.Wrong, j.Checked),
		Summary: summary,
	}, j.Checked > 0 || j.Differ > 0
}
