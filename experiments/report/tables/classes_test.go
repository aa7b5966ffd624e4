package tables

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/study"
)

// classed are results of one point with replications of the given metrics.
func classed(t *testing.T, text string, runs ...map[string]float64) *experiments.Results {
	t.Helper()
	st := experimentstest.MustParse(t, text)
	return experimentstest.Stored(t, st, config.Builtin(), func(i int,
		_ *study.Point) (all []metrics.Result) {
		if i > 0 {
			return nil
		}
		for _, values := range runs {
			var r metrics.Result
			for _, name := range slices.Sorted(maps.Keys(values)) {
				r.Metrics = append(r.Metrics, metrics.Metric{Name: name, Value: values[name]})
			}
			all = append(all, r)
		}
		return all
	})
}

// classes.csv by hand: waits of 10 and 14 have mean 12 and half width 12.706205 times
// sqrt(8)/sqrt(2) = 25.412, which the interval has above only; a class that one replication
// lacks has no interval.
func TestClassesFile(t *testing.T) {
	r := classed(t, "name = \"s\"\n[runs]\nreplications = 2\nsize_classes = true\n"+
		"[[axes]]\nkey = \"allocator\"\nvalues = [\"mbs\"]\n",
		map[string]float64{"wait_time": 9, "wait_time_size_4": 10, "jobs_size_4": 3},
		map[string]float64{"wait_time": 9, "wait_time_size_4": 14, "jobs_size_4": 3,
			"wait_time_size_131072": 7, "wait_time_size_1": 2})
	var b bytes.Buffer
	if err := WriteClasses(r, &b); err != nil {
		t.Fatal(err)
	}
	want := `allocator,least_processors,most_processors,metric,unit,mean,ci_half_width,` +
		`replications,ci_low,ci_high
mbs,1,1,wait_time,cycles,2,,1,,
mbs,4,7,jobs,jobs,3,,2,,
mbs,4,7,wait_time,cycles,12,25.412,2,0,37.412
mbs,131072,,wait_time,cycles,7,,1,,
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// Captions of tables state the trim; a study without one says nothing.
func TestCaptionsStateTheTrim(t *testing.T) {
	const text = "name = \"s\"\n[runs]\nreplications = 2\nwarmup_jobs = 100\ncooldown_jobs = 50\n"
	const note = "Metrics of jobs leave out the first 100 and the last 50 jobs submitted in each " +
		"run (runs.warmup_jobs, runs.cooldown_jobs)."
	metrics := map[string]float64{"finish_time": 3}
	r := classed(t, text, metrics, metrics)
	if notes := TableNotes(r); !slices.Contains(notes, note) {
		t.Errorf("the notes do not state it: %q", notes)
	}
	r = classed(t, "name = \"s\"\n[workload]\njobs = 10\n", metrics)
	if notes := TableNotes(r); slices.Contains(notes, note) {
		t.Errorf("nothing is trimmed: %q", notes)
	}
	r = classed(t, text+"[[axes]]\nkey = \"runs.warmup_jobs\"\nvalues = [10, 20]\n", metrics)
	if got := Markdown(r); !strings.Contains(got, "differs from point to point") {
		t.Errorf("an axis of trims is not stated:\n%s", got)
	}
}
