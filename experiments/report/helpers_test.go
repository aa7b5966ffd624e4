package report

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/cosim/metrics"
	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
	"contend/experiments/study"
)

// runJobs runs a spec and returns the numbers of its jobs by column too.
func runJobs(t *testing.T, s spec.Spec) (cosim.Result, []map[string]float64) {
	t.Helper()
	var sim cosim.Simulator
	extra := &cosim.Extra{Records: metrics.Records{Jobs: true}}
	r, err := spectest.Run(context.Background(), sim.Run, s, 0, extra)
	if err != nil {
		t.Fatal(err)
	}
	return r, spectest.Rows(cosim.JobColumns(), extra.JobRows)
}

func mustParseBuiltin(t *testing.T, text string) *study.Study {
	t.Helper()
	st, err := study.Parse("x.toml", text, spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

var tiny = cmpopts.EquateApprox(0, 1e-6)

func mustParse(t *testing.T, text string) *study.Study {
	t.Helper()
	st, err := study.Parse("test.toml", text, spectest.Names())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// stored returns the results of a study with the runs that a function returns for each of
// its points, by replication. No function means no runs.
func stored(t testing.TB, st *study.Study, names spec.Names,
	runs func(i int, p *study.Point) []cosim.Result) *experiments.Results {
	t.Helper()
	points, err := st.Points(names)
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

// ofMetric returns runs of one metric with these values.
func ofMetric(metric string, values ...float64) (runs []cosim.Result) {
	for _, v := range values {
		runs = append(runs, cosim.Result{Metrics: []cosim.Metric{{Name: metric, Value: v}}})
	}
	return runs
}
