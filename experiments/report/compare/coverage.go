package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/export"
	"contend/experiments/report/tables"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
	"contend/experiments/study"
)

// rounding is a relative error that is none: files hold nine digits.
const rounding = 1e-9

// deviation is how far a run or a job is off that of the reference, and how far it may be.
type deviation struct {
	Point int     // of the run
	Name  string  // labels and replication
	Off   float64 // relative to the reference
	Half  float64 // half width of the interval, relative to the reference; NaN if not known
}

// exact reports whether it was to be exact and is.
func (d *deviation) exact() bool { return d.Half == 0 && math.Abs(d.Off) <= rounding }

// within reports whether the interval holds the value of the reference.
func (d *deviation) within() bool { return math.Abs(d.Off) <= d.Half+rounding }

// runPair is a run and that of the reference which has the same draws.
type runPair struct {
	point, reference, replication int
	name                          string
	run                           bool // both were
}

// runPairs lists the runs that a rule compares with a reference.
func runPairs(r *experiments.Results, t *study.Tolerance, names spec.Names) (pairs []runPair) {
	axis := slices.Index(r.AxisKeys(), among(r, t))
	for i := range r.Points {
		if axis < 0 || r.Points[i].Labels[axis] == t.Relative ||
			!study.Matches(&r.Points[i], t.Where, names) {
			continue
		}
		at, ok := tables.Sibling(r, i, among(r, t), t.Relative)
		if !ok {
			continue
		}
		for rep := range r.Study.Runs.Replications {
			pairs = append(pairs, runPair{i, at, rep,
				fmt.Sprintf("%s, run %d", strings.Join(r.Points[i].Labels, " "), rep),
				rep < r.Replications(i) && rep < r.Replications(at)})
		}
	}
	return pairs
}

// value returns a metric of a run, NaN where it has none.
func value(r *experiments.Results, point, replication int, metric string) float64 {
	if x, ok := r.Runs[point][replication].Value(metric); ok {
		return x
	}
	return math.NaN()
}

// off returns by how much a value is off, relative to a reference.
func off(of, reference float64) float64 {
	if of == reference { // also where both are 0
		return 0
	}
	return of/reference - 1
}

// runDeviation compares two runs. It reports false if one of them does not have the metric. A run
// that prints no interval has one of no width: it takes what it prints for exact.
func runDeviation(r *experiments.Results, p *runPair, metric string) (deviation, bool) {
	x, y := value(r, p.point, p.replication, metric), value(r, p.reference, p.replication, metric)
	half := value(r, p.point, p.replication, study.CoverageErrors[metric]) / 100
	if math.IsNaN(half) {
		half = 0
	}
	if half != 0 {
		half *= x / y
	}
	return deviation{p.point, p.name, off(x, y), half}, !math.IsNaN(x + y)
}

// jobDeviations compares the jobs of two runs that have the same nodes and start in both. It
// returns the number of all jobs that send messages too.
func jobDeviations(r *experiments.Results, p *runPair) (list []deviation, all int, err error) {
	read := func(point int) (*export.Part, error) {
		key := experiments.RunKey{Hash: r.Points[point].Hash, Replication: p.replication}
		t, err := export.ReadPart(r, "jobs", key, "job", "start", "nodes", "messages", "service_time",
			"service_time_error")
		if t == nil && err == nil {
			err = &input.Error{Where: r.Folder.Dir, Problem: "the jobs of " + p.name + " are not stored",
				Right: "run the study with --jobs-csv"}
		}
		return t, err
	}
	reference, err := read(p.reference)
	if err != nil {
		return nil, 0, err
	}
	of, err := read(p.point)
	if err != nil {
		return nil, 0, err
	}
	rows := map[string]int{}
	for i := range reference.Rows {
		rows[reference.Text(i, "job")] = i
	}
	for i := range of.Rows {
		if of.Number(i, "messages") == 0 {
			continue
		}
		all++
		k, ok := rows[of.Text(i, "job")]
		if !ok || of.Text(i, "start") != reference.Text(k, "start") ||
			of.Text(i, "nodes") != reference.Text(k, "nodes") {
			continue
		}
		service := reference.Number(k, "service_time")
		list = append(list, deviation{p.point, p.name, off(of.Number(i, "service_time"), service),
			of.Number(i, "service_time_error") / service})
	}
	return list, all, nil
}

// compareCoverage tests whether intervals hold the values of the reference often enough, and
// whether they are not much wider than the errors. What is not off and was to be exact is left
// out: it says nothing about intervals.
func compareCoverage(v *Verdict, r *experiments.Results, t *study.Tolerance, names spec.Names) {
	var judged []deviation
	exact, missing, jobs, compared, unknown := 0, 0, 0, 0, 0
	for _, p := range runPairs(r, t, names) {
		var list []deviation
		if !p.run {
			missing++
			v.Outside = append(v.Outside, p.name+": not run")
			continue
		}
		if t.Rule == study.JobCoverageRule {
			of, all, err := jobDeviations(r, &p)
			if err != nil {
				missing++
				v.Outside = append(v.Outside, err.Error())
				continue
			}
			list, jobs, compared = of, jobs+all, compared+len(of)
		} else if d, ok := runDeviation(r, &p, t.Metric); ok {
			list = []deviation{d}
		}
		outside := 0
		for _, d := range list {
			switch {
			case d.exact():
				exact++
				continue
			case math.IsNaN(d.Half):
				unknown++
			case !d.within():
				outside++
			}
			judged = append(judged, d)
		}
		if outside > 0 {
			v.Outside = append(v.Outside, outsideText(t, &p, list, outside))
		}
	}
	within, offs, halves := 0, meanSquare{}, meanSquare{}
	for _, d := range judged {
		if d.within() {
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
func outsideText(t *study.Tolerance, p *runPair, list []deviation, outside int) string {
	if t.Rule == study.JobCoverageRule {
		return fmt.Sprintf("%s: %d of %d jobs", p.name, outside, len(list))
	}
	return fmt.Sprintf("%s: %s%%, interval ±%s%%", p.name, input.Signed(100*list[0].Off),
		tables.Significant(100*list[0].Half, 2))
}

// compareCost tests whether no run simulates more flits than its reference times a factor.
func compareCost(v *Verdict, r *experiments.Results, t *study.Tolerance, names spec.Names) {
	within, of, worst := 0, 0, 0.0
	for _, p := range runPairs(r, t, names) {
		of++
		if !p.run {
			v.Outside = append(v.Outside, p.name+": not run")
			continue
		}
		cost := value(r, p.point, p.replication, t.Metric) /
			value(r, p.reference, p.replication, "flit_hops")
		worst = max(worst, cost)
		if cost <= t.Within {
			within++
		} else {
			v.Outside = append(v.Outside, fmt.Sprintf("%s: %s times", p.name,
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
	return fmt.Sprintf("%s of %s: that of %s is within the interval for at least %s of them, and half "+
		"widths are at most %g times the errors", t.Metric, of, t.Relative, percent(t.Share), t.Within)
}
