package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/study"
	"contend/internal/input"
)

// rounding is a relative error that is none: files hold nine digits.
const rounding = 1e-9

// Deviation is the error of a run or a job against the reference, with its interval.
type Deviation struct {
	Off  float64 // relative to the reference
	Half float64 // half width of the interval, relative to the reference; NaN if not known
}

// Exact reports whether it was to be exact and is.
func (d *Deviation) Exact() bool { return d.Half == 0 && math.Abs(d.Off) <= rounding }

// Within reports whether the interval holds the value of the reference.
func (d *Deviation) Within() bool { return math.Abs(d.Off) <= d.Half+rounding }

// RunPair is a run and the run of the reference with the same draws.
type RunPair struct {
	Point, Reference, Replication int
	Name                          string
	Run                           bool // both were
}

// RunPairs lists the runs at other labels of an axis than the reference, each with its reference.
func RunPairs(r *experiments.Results, key, reference string, where map[string]any,
	names *config.Registry) (pairs []RunPair) {
	axis := slices.Index(r.AxisKeys(), key)
	for i := range r.Points {
		if axis < 0 || r.Points[i].Labels[axis] == reference ||
			!study.Matches(&r.Points[i], where) {
			continue
		}
		at, ok := r.Study.Sibling(r.Points, i, key, reference)
		if !ok {
			continue
		}
		for rep := range r.Study.Runs.Replications {
			pairs = append(pairs, RunPair{i, at, rep,
				fmt.Sprintf("%s, run %d", strings.Join(r.Points[i].Labels, " "), rep),
				rep < r.Replications(i) && rep < r.Replications(at)})
		}
	}
	return pairs
}

// RunValue returns a metric of a run, NaN where it has none.
func RunValue(r *experiments.Results, point, replication int, metric string) float64 {
	if x, ok := r.Runs[point][replication].Value(metric); ok {
		return x
	}
	return math.NaN()
}

// off returns the relative error of a value against a reference.
func off(of, reference float64) float64 {
	if of == reference { // also where both are 0
		return 0
	}
	return of/reference - 1
}

// RunDeviation compares two runs. It reports false if one of them does not have the metric. A run
// that prints no interval has one of no width: it takes what it prints for exact.
func RunDeviation(r *experiments.Results, p *RunPair, metric string) (Deviation, bool) {
	x := RunValue(r, p.Point, p.Replication, metric)
	y := RunValue(r, p.Reference, p.Replication, metric)
	half := RunValue(r, p.Point, p.Replication, study.CoverageErrors[metric]) / 100
	if math.IsNaN(half) {
		half = 0
	}
	if half != 0 {
		half *= x / y
	}
	return Deviation{off(x, y), half}, !math.IsNaN(x + y)
}

// JobDeviations compares the jobs of two runs that have the same nodes and start in both. It
// returns the number of all jobs that send messages too.
func JobDeviations(r *experiments.Results, p *RunPair) (list []Deviation, all int, err error) {
	read := func(point int) (*Part, error) {
		key := experiments.RunKey{Hash: r.Points[point].Hash, Replication: p.Replication}
		t, err := ReadPart(r, "jobs", key, "job", "start", "nodes", "messages", "service_time",
			"service_time_error")
		if t == nil && err == nil {
			err = &input.Error{Where: r.Folder.Dir, Problem: "the jobs of " + p.Name + " are not stored",
				Right: "run the study with --jobs-csv"}
		}
		return t, err
	}
	reference, err := read(p.Reference)
	if err != nil {
		return nil, 0, err
	}
	of, err := read(p.Point)
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
		list = append(list, Deviation{off(of.Number(i, "service_time"), service),
			of.Number(i, "service_time_error") / service})
	}
	return list, all, nil
}
