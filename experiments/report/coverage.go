package report

import (
	"fmt"
	"math"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/fastforward"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/input"
)

// compareCoverage tests whether intervals hold the values of the reference often enough, and
// whether they are not much wider than the errors. What is not off and was to be exact is left
// out: it says nothing about intervals.
func compareCoverage(v *Verdict, r *experiments.Results, t *study.Tolerance, names config.Names) {
	var judged []tables.Deviation
	exact, missing, jobs, compared, unknown := 0, 0, 0, 0, 0
	for _, p := range tables.RunPairs(r, t.AmongKey(r.Study), t.Relative, t.Where, names) {
		var list []tables.Deviation
		if !p.Run {
			missing++
			v.Details = append(v.Details, p.Name+": not run")
			continue
		}
		if t.Rule == study.JobCoverageRule {
			of, all, err := tables.JobDeviations(r, &p)
			if err != nil {
				missing++
				v.Details = append(v.Details, err.Error())
				continue
			}
			list, jobs, compared = of, jobs+all, compared+len(of)
		} else if d, ok := tables.RunDeviation(r, &p, t.Metric); ok {
			list = []tables.Deviation{d}
		}
		outside := 0
		for _, d := range list {
			switch {
			case d.Exact():
				exact++
				continue
			case math.IsNaN(d.Half):
				unknown++
			case !d.Within():
				outside++
			}
			judged = append(judged, d)
		}
		if outside > 0 {
			v.Details = append(v.Details, outsideText(t, &p, list, outside))
		}
	}
	within, offs, halves := 0, meanSquare{}, meanSquare{}
	for _, d := range judged {
		if d.Within() {
			within++
		}
		offs.add(d.Off)
		halves.add(d.Half)
	}
	what := "runs"
	if t.Rule == study.JobCoverageRule {
		what = "jobs"
	}
	narrow := halves.root() <= t.Within*offs.root()
	v.Pass = missing == 0 && len(judged)+exact > 0 && narrow &&
		float64(within) >= t.Share*float64(len(judged))
	v.Summary = fmt.Sprintf("%d of %d %s within", within, len(judged), what)
	if len(judged) > 0 {
		v.Summary += fmt.Sprintf(", %.0f%%; half widths %s%% and errors %s%%, root mean squares",
			100*float64(within)/float64(len(judged)), tables.Significant(100*halves.root(), 2),
			tables.Significant(100*offs.root(), 2))
	}
	if unknown > 0 {
		v.Summary += fmt.Sprintf("; %d have no interval", unknown)
	}
	if exact > 0 {
		v.Summary += fmt.Sprintf("; %d more are exact", exact)
	}
	if jobs > 0 {
		v.Summary += fmt.Sprintf("; %d of %d jobs have the same nodes and start in both", compared, jobs)
	}
}

// meanSquare is a mean of squares of numbers that are known.
type meanSquare struct {
	sum float64
	n   int
}

func (m *meanSquare) add(x float64) {
	if !math.IsNaN(x) {
		m.sum, m.n = m.sum+x*x, m.n+1
	}
}

// root returns the root mean square, 0 of no numbers.
func (m *meanSquare) root() float64 { return math.Sqrt(m.sum / float64(max(1, m.n))) }

// outsideText says which run, or how many jobs of it, lie outside of their intervals.
func outsideText(t *study.Tolerance, p *tables.RunPair, list []tables.Deviation,
	outside int) string {
	if t.Rule == study.JobCoverageRule {
		return fmt.Sprintf("%s: %d of %d jobs", p.Name, outside, len(list))
	}
	return fmt.Sprintf("%s: %s%%, interval ±%s%%", p.Name, input.Signed(100*list[0].Off),
		tables.Significant(100*list[0].Half, 2))
}

// compareCost tests whether no run simulates more flits than its reference times a factor.
func compareCost(v *Verdict, r *experiments.Results, t *study.Tolerance, names config.Names) {
	within, of, worst := 0, 0, 0.0
	for _, p := range tables.RunPairs(r, t.AmongKey(r.Study), t.Relative, t.Where, names) {
		of++
		if !p.Run {
			v.Details = append(v.Details, p.Name+": not run")
			continue
		}
		cost := tables.RunValue(r, p.Point, p.Replication, t.Metric) /
			tables.RunValue(r, p.Reference, p.Replication, "flit_hops")
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

// describeCoverage returns in words what a rule about jumps over time requires.
func describeCoverage(t *study.Tolerance) string {
	if t.Rule == study.CostRule {
		return fmt.Sprintf("%s of each run: at most %g times the flit_hops of %s", t.Metric, t.Within,
			t.Relative)
	}
	of := "runs"
	if t.Rule == study.JobCoverageRule {
		of = "jobs"
	}
	return fmt.Sprintf("%s of %s: that of %s is within the interval for at least %s of them, and "+
		"half widths are at most %g times the errors", t.Metric, of, t.Relative,
		percentOf(t.Share), t.Within)
}

// jumpVerdict tests the jumps over time against full simulations of some of them. It reports
// false if none was checked.
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
