package report

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/study"
)

const scatterStudy = `
name = "scatter"
[workload]
jobs = 30
system_load = 3
[job]
run = "fixed"
[runs]
replications = 2
[[axes]]
key = "allocator"
values = ["mbs", "random"]
[[figures]]
name = "interference"
kind = "scatter"
x = "job"
x_scale = 10
x_label = "Job, times 10"
series = "allocator"
metric = "wait_time"
processors = PROCESSORS
`

// scatterOf runs the study and returns the lines of the figure's CSV.
func scatterOf(t *testing.T, text string) []string {
	t.Helper()
	r := experimentstest.Recorded(t, text, experiments.Tables{})
	if err := DrawFigures(r, r.Folder.Dir, FigureOptions{Formats: []string{"svg"}},
		config.Builtin()); err != nil {
		t.Fatal(err)
	}
	csv, err := os.ReadFile(filepath.Join(r.Folder.Dir, "figures", "interference.csv"))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(csv)), "\n")[1:]
}

// A figure of jobs has a mark for each job of the first replication, without
// anybody having asked for jobs.csv; or for those of one size only.
func TestScatterHasAMarkForEachJob(t *testing.T) {
	all := scatterOf(t, strings.Replace(scatterStudy, "PROCESSORS", "0", 1))
	if len(all) != 2*30 {
		t.Fatalf("%d marks for 30 jobs under two allocators", len(all))
	}
	marks := strings.Join(all, "\n")
	for _, want := range []string{"mbs,10,", "mbs,300,", "random,10,", "random,300,"} {
		if !strings.Contains(marks, want) {
			t.Errorf("no mark %s in\n%s", want, marks)
		}
	}
	st, _ := study.Parse("", strings.Replace(scatterStudy, "PROCESSORS", "0", 1),
		config.Builtin())
	points, _ := st.Points()
	_, jobs := runJobs(t, points[0].Spec)
	size, of := jobs[0]["processors"], 0
	for _, j := range jobs {
		if j["processors"] == size {
			of++
		}
	}
	if some := scatterOf(t, strings.Replace(scatterStudy, "PROCESSORS", fmt.Sprint(size), 1)); len(
		some) != 2*of {
		t.Errorf("%d marks for %d jobs of %v processors under two allocators", len(some), of, size)
	}
	if none := scatterOf(t, strings.Replace(scatterStudy, "PROCESSORS", "4000", 1)); none != nil {
		t.Errorf("marks %v without jobs of that size", none)
	}
}

// Somebody may have emptied a file: its jobs are missing, and no more.
func TestScatterWithoutJobs(t *testing.T) {
	r := experimentstest.Recorded(t, strings.Replace(scatterStudy, "PROCESSORS", "0", 1),
		experiments.Tables{})
	f := &study.Figure{X: "job", Metric: "wait_time"}
	if n := len(jobsOf(r, f, 0).Rows); n != 30 {
		t.Fatalf("%d jobs, want 30", n)
	}
	if err := os.WriteFile(r.Folder.Part("jobs",
		experiments.RunKey{Hash: r.Points[0].Hash, Replication: 0}), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if rows := jobsOf(r, f, 0).Rows; rows != nil {
		t.Errorf("%d jobs of an empty file", len(rows))
	}
}

func TestScatterRefusesOtherColumns(t *testing.T) {
	for from, want := range map[string]string{
		`x = "job"`:            `figures[0].x is "pattern": there are job, submit, `,
		`metric = "wait_time"`: `figures[0].metric is "pattern": there are job, submit, `,
	} {
		key, _, _ := strings.Cut(from, " ")
		text := strings.Replace(strings.Replace(scatterStudy, "PROCESSORS", "0", 1), from,
			key+` = "pattern"`, 1)
		if _, err := study.Parse("scatter.toml", text,
			config.Builtin()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// runJobs runs a spec and returns the numbers of its jobs by column too.
func runJobs(t *testing.T, s config.Spec) (metrics.Result, []map[string]float64) {
	t.Helper()
	var simulator sim.Simulator
	extra := &sim.Extra{Records: metrics.Records{Jobs: true}}
	r, err := configtest.Run(context.Background(), simulator.Run, s, 0, extra)
	if err != nil {
		t.Fatal(err)
	}
	return r, configtest.Rows(metrics.JobTable.Names(), extra.JobRows)
}
