package report

import (
	"fmt"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/study"
	"contend/internal/must"
	"contend/internal/table"
)

const coverageStudy = `
name = "coverage"
[runs]
replications = 1
[[axes]]
key = "workload.jobs"
values = [1, 2, 3, 4]
[[axes]]
key = "runs.fast_forward"
values = [0, 0.02]
[[tolerances]]
rule = "coverage"
metric = "service_time"
relative_to = "0"
share = 0.75
within = 3
[[tolerances]]
rule = "job-coverage"
metric = "service_time"
relative_to = "0"
share = 0.75
within = 3
[[tolerances]]
rule = "cost"
metric = "simulated_flit_hops"
relative_to = "0"
within = 1.1
`

// plantedRun is a run with jumps of which the full one has a service time of 1000 and 1000
// flit-hops, in the runs and in their only job.
type plantedRun struct{ service, half, hops float64 }

// planted returns the results of up to four such runs, each at a point of its own.
func planted(t *testing.T, runs []plantedRun, start string) *experiments.Results {
	t.Helper()
	st := experimentstest.MustParse(t, coverageStudy)
	r := experimentstest.Stored(t, st, config.Builtin(),
		func(i int, _ *study.Point) []metrics.Result {
			if i/2 >= len(runs) {
				return nil
			}
			p := runs[i/2]
			of := []metrics.Metric{{Name: "service_time", Value: 1000}, {Name: "flit_hops", Value: 1000}}
			if i%2 == 1 {
				of = []metrics.Metric{{Name: "service_time", Value: p.service},
					{Name: "service_time_error", Value: 100 * p.half / p.service},
					{Name: "simulated_flit_hops", Value: p.hops}}
			}
			return []metrics.Result{{Metrics: of}}
		})
	r.Folder.Dir = t.TempDir()
	columns := []string{"job", "start", "nodes", "messages", "service_time", "service_time_error"}
	for k, p := range runs {
		for i, row := range [][]string{{"1", "5", "0-3", "9", "1000", ""},
			{"1", start, "0-3", "9", fmt.Sprint(p.service), fmt.Sprint(p.half)}} {
			key := experiments.RunKey{Hash: r.Points[2*k+i].Hash}
			must.Have(0, r.Folder.WritePart("jobs", key, columns, table.TextRows([][]string{row})))
		}
	}
	return r
}

// Intervals have to hold the true values often enough without being too wide, and no run may cost
// too much. The verdicts are those of runs, jobs and cost.
func TestCoverage(t *testing.T) {
	good := []plantedRun{{1010, 20, 900}, {990, 20, 1100}, {1020, 20, 50}, {985, 20, 50}}
	for _, c := range []struct {
		name    string
		runs    []plantedRun
		start   string
		verdict string
		says    string // in the verdicts
	}{
		{"good", good, "5", "pass pass pass",
			"4 of 4 means within, 100.0%; median half width 2.0%, errors 1.4% (root mean square)"},
		{"one outside in four", append([]plantedRun{{1030, 20, 900}}, good[1:]...), "5",
			"pass pass pass", "1 0.02: +3%, interval ±2.0%"},
		{"two outside in four", append([]plantedRun{{1030, 20, 900}, {970, 20, 900}}, good[2:]...), "5",
			"FAIL FAIL pass", "2 of 4 means within, 50.0%"},
		{"too narrow", []plantedRun{{1010, 5, 9}, {990, 5, 9}, {1020, 5, 9}, {985, 5, 9}}, "5",
			"FAIL FAIL pass", "0 of 4 jobs within, 0.0%"},
		{"too wide", []plantedRun{{1010, 60, 9}, {990, 60, 9}, {1020, 60, 9}, {985, 60, 9}}, "5",
			"FAIL FAIL pass", "4 of 4 jobs within, 100.0%; median half width 6.0%, errors 1.4%"},
		{"exact ones prove no interval", []plantedRun{{1000, 0, 9}, {1000, 0, 9}, {1000, 0, 9}, {1010, 5,
			9}}, "5", "FAIL FAIL pass", "0 of 1 means within, 0.0%"},
		{"exact", []plantedRun{{1000, 0, 9}, {1000, 0, 9}, {1000, 0, 9}, {1000, 0, 9}}, "5",
			"pass pass pass", "0 of 0 means within; 4 more are exact"},
		{"not exact", []plantedRun{{1001, 0, 9}, {1000, 0, 9}, {1000, 0, 9}, {1000, 0, 9}}, "5",
			"FAIL FAIL pass", "1 0.02: +0.1%, interval ±0%"},
		{"dear", append([]plantedRun{{1010, 20, 1101}}, good[1:]...), "5", "pass pass FAIL",
			"3 of 4 runs, all wanted; the dearest takes 1.10 times"},
		{"other schedules", good, "6", "pass FAIL pass",
			"0 of 4 jobs have the same nodes and start in both"},
		{"not run", good[:3], "5", "FAIL FAIL FAIL", "4 0.02, run 0: not run"},
	} {
		var words, texts []string
		for _, v := range Compare(planted(t, c.runs, c.start)) {
			words = append(words, v.String()[:4])
			texts = append(texts, v.String())
		}
		text := strings.Join(texts, "")
		if got := strings.Join(words, " "); got != c.verdict || !strings.Contains(text, c.says) {
			t.Errorf("%s: %s, want %s and %q in\n%s", c.name, got, c.verdict, c.says, text)
		}
	}
}

// Jobs whose intervals no run has stored, and runs without stored jobs, fail.
func TestCoverageOfUnknownIntervals(t *testing.T) {
	r := planted(t, []plantedRun{{1010, 20, 9}, {990, 20, 9}, {1020, 20, 9}, {985, 20, 9}}, "5")
	columns := []string{"job", "start", "nodes", "messages", "service_time", "service_time_error"}
	for k := range 2 {
		key := experiments.RunKey{Hash: r.Points[2*k+1].Hash}
		row := []string{"1", "5", "0-3", "9", "1010", ""}
		must.Have(0, r.Folder.WritePart("jobs", key, columns, table.TextRows([][]string{row})))
	}
	if v := Compare(r)[1]; v.Pass || !strings.Contains(v.Summary, "2 of 4 jobs") ||
		!strings.Contains(v.Summary, "2 have no interval") {
		t.Error(v)
	}
	r.Folder.Dir = t.TempDir()
	if v := Compare(r)[1]; v.Pass || len(v.Details) != 4 ||
		!strings.Contains(v.Details[0], "--jobs-csv") {
		t.Error(v)
	}
}

// Each mean with jumps over time has a mark: the half width that is printed over the true error.
func TestCoverageMarks(t *testing.T) {
	fast := "[[axes]]\nkey = \"runs.fast_forward\"\nvalues = [0, 0.05]\n"
	text := experimentstest.RecordedStudy + fast +
		"[[figures]]\nname = \"x\"\nkind = \"coverage\"\n"
	r := experimentstest.Recorded(t, text, experiments.Tables{})
	for i := range r.Points {
		for k := range r.Runs[i] {
			of := r.Runs[i][k].Metrics
			for m := range of {
				switch of[m].Name {
				case "service_time":
					of[m].Value = 1000 + 10*float64(i)
				case "service_time_error", "service_time_bias":
					of[m].Value = 2 * float64(k)
				}
			}
		}
	}
	drawing := must.Have(DrawRecorded(r, &r.Study.Figures[0]))
	d := drawing.(plot.Figure)
	means := d.Series[len(d.Series)-1]
	if means.Name != "means" || len(means.X) != 2 || !strings.Contains(d.Description,
		"2 of 2 means lie within") {
		t.Errorf("%+v: %s", means, d.Description)
	}
	r = experimentstest.Recorded(t, experimentstest.RecordedStudy, experiments.Tables{Jobs: true})
	_, err := DrawRecorded(r, &study.Figure{Name: "x", Kind: "coverage"})
	if err == nil || !strings.Contains(err.Error(), "runs.fast_forward") {
		t.Error(err)
	}
}
