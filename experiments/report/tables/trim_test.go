package tables

import (
	"contend/experiments/cosim/metrics"
	"slices"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/experimentstest"
	"contend/experiments/spec/spectest"
)

// classed are results of one point with two replications of the given metrics.
func classed(t *testing.T, study string, runs ...map[string]float64) *experiments.Results {
	t.Helper()
	st := experimentstest.MustParse(t, study)
	folder := experiments.NewMemory("")
	results, err := folder.Results(st, spectest.Names())
	if err != nil {
		t.Fatal(err)
	}
	for i, names := range runs {
		var r metrics.Result
		for _, info := range metrics.MetricInfos() {
			if v, ok := names[info.Name]; ok {
				r.Metrics = append(r.Metrics, metrics.Metric{Name: info.Name, Value: v})
			}
		}
		key := experiments.RunKey{Hash: results.Points[0].Hash, Replication: i}
		folder.Records[key] = experiments.Record{Hash: key.Hash, Replication: i, Metrics: r}
	}
	if results, err = folder.Results(st, spectest.Names()); err != nil {
		t.Fatal(err)
	}
	return results
}

// Captions of tables state the trim; a study without one says nothing.
func TestCaptionsStateTheTrim(t *testing.T) {
	const study = "name = \"s\"\n[runs]\nreplications = 2\nwarmup_jobs = 100\ncooldown_jobs = 50\n"
	const text = "Metrics of jobs leave out the first 100 and the last 50 jobs submitted in each " +
		"run (runs.warmup_jobs, runs.cooldown_jobs)."
	metrics := map[string]float64{"finish_time": 3}
	r := classed(t, study, metrics, metrics)
	if got := Markdown(r); !strings.Contains(got, "\n"+text+"\n") {
		t.Errorf("the Markdown does not state it:\n%s", got)
	}
	if notes := TableNotes(r); !slices.Contains(notes, text) { // of the page
		t.Errorf("the notes do not state it: %q", notes)
	}
	if got := TeX(r); !strings.Contains(got, "% "+text+"\n") {
		t.Errorf("the LaTeX does not state it:\n%s", got)
	}
	r = classed(t, "name = \"s\"\n[workload]\njobs = 10\n", metrics)
	if got := Markdown(r) + TeX(r); strings.Contains(got, "leave out") {
		t.Errorf("nothing is trimmed:\n%s", got)
	}
	r = classed(t, study+"[[axes]]\nkey = \"runs.warmup_jobs\"\nvalues = [10, 20]\n", metrics)
	if got := Markdown(r); !strings.Contains(got, "differs from point to point") {
		t.Errorf("an axis of trims is not stated:\n%s", got)
	}
}
