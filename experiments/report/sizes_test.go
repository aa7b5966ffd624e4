package report

import (
	"context"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/report/tables"
	"contend/experiments/sim"
	"contend/experiments/study"
)

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
	st, err := study.Parse("x.toml", sizesStudy, config.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	plain, dir := *st, t.TempDir()
	plain.Figures = nil
	s := &sim.Simulator{}
	var results *experiments.Results
	for _, study := range []*study.Study{&plain, st} {
		folder, err := experiments.OpenFolder(dir, study, "test", config.Builtin())
		if err != nil {
			t.Fatal(err)
		}
		r := experiments.Runner{Names: config.Builtin(), Run: s.Run, Workers: 2, Folder: folder,
			Log: slog.New(slog.DiscardHandler)}
		if results, err = r.Study(context.Background(), study); err != nil {
			t.Fatal(err)
		}
	}
	jobs, sums := jobsBySize(t, s, results)
	bySize, _ := sizesDrawing(results, st.Figures[2], config.Builtin())
	got := map[float64]float64{}
	for i, x := range bySize.Series[0].X {
		got[x] = bySize.Series[0].Y[i]
	}
	if diff := cmp.Diff(jobs, got); diff != "" {
		t.Errorf("jobs by size (-want +got)\n%s", diff)
	}
	byRank, ok := sizesDrawing(results, st.Figures[1], config.Builtin())
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
		_, err := configtest.Run(context.Background(), s.Run, results.Points[i].Spec, 0, extra)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range extra.JobRows {
			k, _ := strconv.ParseFloat(row[4], 64)
			pairwise, _ := strconv.ParseFloat(row[16], 64)
			sums[i][k] += pairwise * k * (k - 1) / 2
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
	st, err := study.Parse("x.toml", sizesStudy, config.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	r := experimentstest.Stored(t, st, config.Builtin(), func(i int,
		_ *study.Point) []metrics.Result { // mc1x1 is not measured
		return experimentstest.OfMetric("sum_pairwise_distance", [][]float64{{200}, {}, {150}}[i]...)
	})
	d, ok := drawing(r, st.Figures[0], config.Builtin())
	if !ok || len(d.Series) != 2 || d.Series[0].Name != "mc1x1" || d.Series[0].Published[0] != 25 ||
		!math.IsNaN(d.Series[0].Y[0]) || d.Series[1].Y[0] != 25 {
		t.Errorf("%v: %+v", ok, d.Series)
	}
	table := tables.Markdown(r)
	for _, want := range []string{"| allocator | dims   | run   |",
		"| gen-alg   | [8, 8] | fixed |"} {
		if !strings.Contains(table, want) {
			t.Errorf("%q is not in\n%s", want, table)
		}
	}
	for text, says := range map[string]string{
		`x = "rank"`:                            `figures[1].x is "allocator": there are size, rank`,
		`metric = "jobs"`:                       `is "wait_time": there are sum_pairwise_distance, jobs`,
		`keys = ["machine.dims",`:               "unknown key machine.dim",
		"relative_to = \"random\"\nwhere = { a": "has no series or no relative_to",
	} {
		with := map[string]string{`x = "rank"`: `x = "allocator"`,
			`metric = "jobs"`:         `metric = "wait_time"`,
			`keys = ["machine.dims",`: `keys = ["machine.dim",`}[text]
		if with == "" {
			with = "where = { a"
		}
		if _, err := study.Parse("x.toml", strings.Replace(sizesStudy, text, with, 1),
			config.Builtin()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", with, err)
		}
	}
}
