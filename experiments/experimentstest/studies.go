package experimentstest

import (
	"math"
	"slices"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/experiments/study"
	"contend/internal/must"
)

// Jumped returns results of a run with 40 audits, in which errors exceed the tolerance in beyond
// percent of the time.
func Jumped(beyond float64) *experiments.Results {
	s := config.DefaultSpec()
	s.FastForward = 0.05
	return &experiments.Results{Study: &study.Study{Name: "x"},
		Points: []study.Point{{Spec: s}},
		Runs: [][]metrics.Result{{{Metrics: []metrics.Metric{{Name: "time_jumped", Value: 99.5},
			{Name: "service_time_error", Value: 1.25}, {Name: "service_time_bias", Value: 0.75},
			{Name: "largest_jump_error", Value: 7.5}, {Name: "jumps_beyond", Value: beyond},
			{Name: "jams", Value: 3}, {Name: "jumps_audited", Value: 40}}}}}}
}

// MustParse returns the study of a text with the names of tests.
func MustParse(t *testing.T, text string) *study.Study {
	t.Helper()
	st, err := study.Parse("test.toml", text, config.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// Stored returns the results of a study with the runs that a function returns for each of
// its points, by replication. No function means no runs.
func Stored(t testing.TB, st *study.Study, names *config.Registry,
	runs func(i int, p *study.Point) []metrics.Result) *experiments.Results {
	t.Helper()
	points, err := st.Points()
	if err != nil {
		t.Fatal(err)
	}
	f := experiments.NewMemory("test")
	for i := range points {
		if runs == nil {
			break
		}
		for replication, result := range runs(i, &points[i]) {
			key := experiments.RunKey{Hash: points[i].Hash, Replication: replication}
			f.Records[key] = experiments.Record{Hash: key.Hash, Replication: replication,
				Version: f.Version, Metrics: result}
		}
	}
	r, err := f.Results(st, names)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Filled returns the results of a built-in study with three runs at each point, whose metrics in
// tables have five digits before the point.
func Filled(t testing.TB, name string) *experiments.Results {
	t.Helper()
	names := metrics.Builtin()
	st := must.Have(study.Load(name, names))
	st.Runs.Replications = 3
	return Stored(t, st, names, func(i int, _ *study.Point) []metrics.Result {
		runs := make([]metrics.Result, 3)
		for rep := range runs {
			for k, name := range append(slices.Clone(st.Primary), st.Table.Metrics...) {
				if _, twice := runs[rep].Value(name); !twice {
					runs[rep].Metrics = append(runs[rep].Metrics, metrics.Metric{Name: name,
						Value: 12345.67*float64(1+i%7) + 500*float64((rep+i+k)%3)})
				}
			}
		}
		return runs
	})
}

// OfMetric returns runs of one metric with these values.
func OfMetric(metric string, values ...float64) (runs []metrics.Result) {
	for _, v := range values {
		runs = append(runs, metrics.Result{Metrics: []metrics.Metric{{Name: metric, Value: v}}})
	}
	return runs
}

// Compared returns results with finish times as given, by point, and a
// utilization of 45 plus the point's number.
func Compared(t *testing.T, finish [][]float64) *experiments.Results {
	t.Helper()
	st := MustParse(t, configtest.CompareStudy)
	return Stored(t, st, config.Builtin(), func(i int, _ *study.Point) []metrics.Result {
		runs := OfMetric("finish_time", finish[i]...)
		for k := range runs {
			runs[k].Metrics = append(runs[k].Metrics,
				metrics.Metric{Name: "utilization", Value: 45 + float64(i)},
				metrics.Metric{Name: "latency", Value: math.NaN()})
		}
		return runs
	})
}

// RecordedStudy is a small study that records all it can.
const RecordedStudy = `
name = "recorded"
[machine]
dims = [8, 6]
[workload]
jobs = 24
interarrival.mean = 300
side = { distribution = "uniform", min = 1, max = 4 }
[job]
pattern = "all-to-all"
quota = { distribution = "fixed", messages = 200 }
[runs]
replications = 2
[[axes]]
key = "allocator"
values = ["mbs", "random"]
`

// Recorded runs a study and keeps the given tables of rows.
func Recorded(t *testing.T, text string, tables experiments.Tables) *experiments.Results {
	t.Helper()
	results, err := Record(t.TempDir(), text, tables)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// Everything has all tables of rows of jobs.
var Everything = experiments.Tables{Jobs: true, Links: true, Series: true, Interference: true,
	Slowdowns: true}
