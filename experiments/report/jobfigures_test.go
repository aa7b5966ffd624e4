package report

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/report/tables"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/must"
	"contend/internal/written"

	"github.com/google/go-cmp/cmp"
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
	must.Have(0, DrawFigures(r, r.Folder.Out, FigureOptions{Formats: []string{"svg"}}))
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
	r := experimentstest.Recorded(t, strings.Replace(scatterStudy, "PROCESSORS", "0", 1),
		experiments.Tables{})
	jobs := rowsOf(t, r, "jobs", 0)
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
	if n := len((&drawing{results: r, figure: f}).storedJobs(0).Rows); n != 30 {
		t.Fatalf("%d jobs, want 30", n)
	}
	must.Have(0, os.WriteFile(r.Folder.PartPath("jobs",
		experiments.RunKey{Hash: r.Points[0].Hash, Replication: 0}), nil, 0o666))
	if rows := (&drawing{results: r, figure: f}).storedJobs(0).Rows; rows != nil {
		t.Errorf("%d jobs of an empty file", len(rows))
	}
}

const sizesStudy = `
name = "sizes"
[machine]
dims = [8, 8]
[workload]
source = "lublin"
jobs = 150
[job]
run = "fixed"
[runs]
replications = 1
[[axes]]
key = "allocator"
values = ["random", "mc1x1", "gen-alg"]
[table]
metrics = ["sum_pairwise_distance"]
keys = ["machine.dims", "job.run"]
[[figures]]
name = "gain"
kind = "bars"
x = "scheduler.policy"
series = "allocator"
metric = "sum_pairwise_distance"
relative_to = "random"
gain = true
published = true
[[figures]]
name = "by-rank"
kind = "sizes"
x = "rank"
series = "allocator"
metric = "sum_pairwise_distance"
relative_to = "random"
where = { allocator = "mc1x1" }
[[figures]]
name = "by-size-jobs"
kind = "sizes"
x = "size"
series = "allocator"
metric = "jobs"
relative_to = "random"
where = { allocator = "mc1x1" }
[published]
csv = "allocator,sum_pairwise_distance\nrandom,400\nmc1x1,300\n"
`

// What figures by size of the jobs show agrees with the rows of jobs.csv, and a
// folder without the tables of sizes gets them by running again.
func TestFiguresBySize(t *testing.T) {
	st := must.Have(study.Parse("x.toml", sizesStudy, config.Builtin()))
	plain, dir := *st, t.TempDir()
	plain.Figures = nil
	s := &sim.Simulator{}
	var results *experiments.Results
	for _, study := range []*study.Study{&plain, st} {
		folder := must.Have(experiments.OpenFolder(written.In(dir), study, "test", config.Builtin()))
		r := experiments.Runner{Names: config.Builtin(), Run: s.Run, Workers: 2, Folder: folder,
			Log: slog.New(slog.DiscardHandler)}
		results = must.Have(r.Study(context.Background(), study))
	}
	jobs, sums := jobsBySize(t, s, results)
	bySize, _ := figureOf(results, &st.Figures[2])
	got := map[float64]float64{}
	for i, x := range bySize.Series[0].X {
		got[x] = bySize.Series[0].Y[i]
	}
	if diff := cmp.Diff(jobs, got); diff != "" {
		t.Errorf("jobs by size (-want +got)\n%s", diff)
	}
	byRank, ok := figureOf(results, &st.Figures[1])
	if !ok || len(byRank.Series) != 1 || len(byRank.Series[0].Y) != len(jobs) {
		t.Fatalf("%v, %d series", ok, len(byRank.Series))
	}
	gains := sizeGains(results.Folder.SizesOf(results.Points[1].Hash),
		results.Folder.SizesOf(results.Points[0].Hash))
	for _, g := range gains {
		k := float64(g.processors)
		want := 100 * (1 - sums[1][k]/sums[0][k])
		if math.Abs(g.percent-want) > 1e-6 && // rows have nine digits
			!(k == 1 && math.IsNaN(g.percent)) {
			t.Errorf("%v processors: %v%%, want %v%%", k, g.percent, want)
		}
	}
	for i, y := range byRank.Series[0].Y[1:] {
		if a, b := jobs[rankedSize(gains, byRank.Series[0].Y[i])],
			jobs[rankedSize(gains, y)]; a < b && !math.IsNaN(y) &&
			!math.IsNaN(byRank.Series[0].Y[i]) {
			t.Errorf("rank %d has %v jobs, the next %v", i+1, a, b)
		}
	}
}

func rankedSize(gains []sizeGain, percent float64) float64 {
	for _, g := range gains {
		if g.percent == percent {
			return float64(g.processors)
		}
	}
	return 0
}

// jobsBySize returns the number of jobs of each size of the first point, and the sums of
// pairwise distances of each size of the first two points.
func jobsBySize(
	t *testing.T, s *sim.Simulator, results *experiments.Results,
) (jobs map[float64]float64, sums [2]map[float64]float64) {
	t.Helper()
	jobs, sums = map[float64]float64{}, [2]map[float64]float64{{}, {}}
	for i := range 2 {
		extra := &sim.Extra{Records: metrics.Records{Jobs: true}}
		must.Have(configtest.Run(context.Background(), s.Run, results.Points[i].Spec, 0, extra))
		for _, job := range configtest.Rows(metrics.JobTable.Columns,
			metrics.JobTable.Rows(&extra.Records)) {
			k := job["processors"]
			sums[i][k] += job["mean_pairwise_distance"] * k * (k - 1) / 2
			if i == 0 {
				jobs[k]++
			}
		}
	}
	return jobs, sums
}

// A gain is drawn in percent, not for what it is relative to; published ones
// stand there also where nothing is measured.
func TestGainsAndTableKeys(t *testing.T) {
	st := must.Have(study.Parse("x.toml", sizesStudy, config.Builtin()))
	r := experimentstest.Stored(t, st, config.Builtin(), func(i int,
		_ *study.Point) []metrics.Result { // mc1x1 is not measured
		return experimentstest.OfMetric("sum_pairwise_distance", [][]float64{{200}, {}, {150}}[i]...)
	})
	d, ok := figureOf(r, &st.Figures[0])
	if !ok || len(d.Series) != 2 || d.Series[0].Name != "mc1x1" || d.Series[0].Published[0] != 25 ||
		!math.IsNaN(d.Series[0].Y[0]) || d.Series[1].Y[0] != 25 {
		t.Errorf("%v: %+v", ok, d.Series)
	}
	table := tables.Terminal(r)
	for _, want := range []string{"| allocator | dims   | run   |",
		"| gen-alg   | [8, 8] | fixed |"} {
		if !strings.Contains(table, want) {
			t.Errorf("%q is not in\n%s", want, table)
		}
	}

}
