package experiments

import (
	"context"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
keys = ["machine.dims", "allocator.name"]
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
	st, err := ParseStudy("x.toml", sizesStudy, BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	plain, dir := *st, t.TempDir()
	plain.Figures = nil
	s := &Simulator{}
	var results *Results
	for _, study := range []*Study{&plain, st} {
		folder, err := OpenFolder(dir, study, "test", BuiltinNames())
		if err != nil {
			t.Fatal(err)
		}
		r := Runner{Names: BuiltinNames(), Run: s.Run, Workers: 2, Folder: folder, Log: slog.New(slog.DiscardHandler)}
		if results, err = r.Study(context.Background(), study); err != nil {
			t.Fatal(err)
		}
	}
	jobs, sums := map[float64]float64{}, [2]map[float64]float64{{}, {}}
	for i := range 2 {
		extra := &Extra{Jobs: true}
		if _, err := s.Run(context.Background(), results.Points[i].Spec, 0, extra); err != nil {
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
	bySize, _ := results.sizesDrawing(st.Figures[2], FigureOptions{}, BuiltinNames())
	got := map[float64]float64{}
	for i, x := range bySize.Series[0].X {
		got[x] = bySize.Series[0].Y[i]
	}
	if diff := cmp.Diff(jobs, got); diff != "" {
		t.Errorf("jobs by size (-want +got)\n%s", diff)
	}
	byRank, ok := results.sizesDrawing(st.Figures[1], FigureOptions{}, BuiltinNames())
	if !ok || len(byRank.Series) != 1 || len(byRank.Series[0].Y) != len(jobs) {
		t.Fatalf("%v, %d series", ok, len(byRank.Series))
	}
	gains := sizeGains(results.folder.sizesOf(results.Points[1].Hash), results.folder.sizesOf(results.Points[0].Hash))
	for _, g := range gains {
		k := float64(g.processors)
		want := 100 * (1 - sums[1][k]/sums[0][k])
		if math.Abs(g.percent-want) > 1e-6 && // rows have nine digits
			!(k == 1 && math.IsNaN(g.percent)) {
			t.Errorf("%v processors: %v%%, want %v%%", k, g.percent, want)
		}
	}
	for i, y := range byRank.Series[0].Y[1:] {
		if a, b := jobs[rankedSize(gains, byRank.Series[0].Y[i])], jobs[rankedSize(gains, y)]; a < b && !math.IsNaN(y) && !math.IsNaN(byRank.Series[0].Y[i]) {
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

// A gain is drawn in percent, not for what it is relative to; published ones
// stand there also where nothing is measured.
func TestGainsAndTableKeys(t *testing.T) {
	st, err := ParseStudy("x.toml", sizesStudy, BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	points, err := st.Points(BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	rows := st.Published.mustRows()
	r := &Results{Study: st, Points: points, folder: &Folder{}, runs: make([][]Result, len(points))}
	for i := range points {
		r.published = append(r.published, publishedAt(rows, &points[i], BuiltinNames()))
	}
	for i, v := range []float64{200, 0, 150} { // mc1x1 is not measured
		if v > 0 {
			r.runs[i] = []Result{{Metrics: []Metric{{"sum_pairwise_distance", v}}}}
		}
	}
	d, ok := r.drawing(st.Figures[0], FigureOptions{}, BuiltinNames())
	if !ok || len(d.Series) != 2 || d.Series[0].Name != "mc1x1" || d.Series[0].Published[0] != 25 || !math.IsNaN(d.Series[0].Y[0]) || d.Series[1].Y[0] != 25 {
		t.Errorf("%v: %+v", ok, d.Series)
	}
	table := r.Markdown()
	for _, want := range []string{"| allocator | dims   | name    |", "| gen-alg   | [8, 8] | gen-alg |"} {
		if !strings.Contains(table, want) {
			t.Errorf("%q is not in\n%s", want, table)
		}
	}
	for text, says := range map[string]string{
		`x = "rank"`:                            `figures[1].x is "allocator": give size or rank`,
		`metric = "jobs"`:                       `is "wait_time", which is not known by size`,
		`keys = ["machine.dims",`:               "unknown key machine.dim",
		"relative_to = \"random\"\nwhere = { a": "compares with nothing",
	} {
		with := map[string]string{`x = "rank"`: `x = "allocator"`, `metric = "jobs"`: `metric = "wait_time"`, `keys = ["machine.dims",`: `keys = ["machine.dim",`}[text]
		if with == "" {
			with = "where = { a"
		}
		if _, err := ParseStudy("x.toml", strings.Replace(sizesStudy, text, with, 1), BuiltinNames()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", with, err)
		}
	}
}

// The same log under another path, compressed or not, is the same for what a
// study says of it.
func TestLogsMatchByName(t *testing.T) {
	p := Point{Spec: DefaultSpec()}
	p.Spec.Workload.Trace = "/some/where/KTH-SP2-1996-2.swf.gz"
	for name, want := range map[string]bool{"KTH-SP2-1996-2.swf": true, "x/KTH-SP2-1996-2.swf.gz": true, "KTH-SP2-1996-2": true, "other.swf": false} {
		if got := matches(&p, map[string]any{"workload.trace": name}, BuiltinNames()); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// Estimates below the run time are raised to it; others stay.
func TestRaisedEstimates(t *testing.T) {
	log := filepath.Join(t.TempDir(), "x.swf")
	lines := "1 0 0 50 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1 -1\n2 5 0 30 4 -1 -1 4 90 -1 1 1 1 1 1 1 -1 -1\n"
	if err := os.WriteFile(log, []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	spec := TuneStudy(log, "easy", "sum_pairwise_distance").Base
	for choice, want := range map[string][]float64{"extend": {20, 90}, "kill": {20, 90}, "raise": {50, 90}} {
		spec.Scheduler.OnOverrun = choice
		machine, err := newMachine(&spec.Machine)
		if err != nil {
			t.Fatal(err)
		}
		w, err := (&Simulator{}).newWork(&spec, machine, 0)
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		for j, err := w.source.Next(); err == nil; j, err = w.source.Next() {
			got = append(got, j.Estimate)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", choice, diff)
		}
	}
}

// A table of job sizes that is read back has the means and counts it was written
// with.
func TestSizesAreReadBack(t *testing.T) {
	var sizes sizeMeans
	for i, processors := range []int{4, 1, 4, 9, 4, 9} {
		sizes.add(processors, int64(10*i))
	}
	f := &Folder{Dir: t.TempDir()}
	if err := os.MkdirAll(filepath.Join(f.Dir, "sizes.d"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := f.writePart("sizes", runKey{"x", 0}, SizeColumns(), sizes.rows()); err != nil {
		t.Fatal(err)
	}
	got := f.sizesOf("x")
	for processors, want := range map[int]mean{1: {10, 1}, 4: {0 + 20 + 40, 3}, 9: {30 + 50, 2}} {
		if m := got[processors]; m.n != want.n || math.Abs(m.sum-want.sum) > 1e-9 || len(got) != 3 {
			t.Errorf("%d processors: %v, want %v", processors, got[processors], want)
		}
	}
}
