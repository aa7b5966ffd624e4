package report

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/figure"
	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
)

// recordedStudy is a small study that records all it can.
const recordedStudy = `
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

// record runs a study and keeps the given tables of rows.
func record(t *testing.T, text string, tables experiments.Tables) *experiments.Results {
	t.Helper()
	st := mustParseBuiltin(t, text)
	folder, err := experiments.OpenFolder(t.TempDir(), st, "test", spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	var sim cosim.Simulator
	r := experiments.Runner{Names: spec.BuiltinNames(), Run: sim.Run, Workers: 2, Folder: folder,
		Tables: tables, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	results, err := r.Study(context.Background(), st)
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.Finish(results); err != nil {
		t.Fatal(err)
	}
	return results
}

var everything = experiments.Tables{Jobs: true, Links: true, Series: true, Waits: true}

// draw collects a figure, and draws it in all formats at both widths of a paper.
func draw(t *testing.T, r *experiments.Results, f experiments.Figure) figure.Drawable {
	t.Helper()
	f.Name = f.Kind
	if f.Where == nil && f.OnePoint() {
		f.Where = map[string]any{"allocator": "random"}
	}
	if err := r.Study.CheckFigure(&f, r.Names); err != nil {
		t.Fatal(err)
	}
	for _, width := range []float64{figure.OneColumnMM, figure.TwoColumnMM} {
		f.WidthMM = width
		d, err := DrawRecorded(r, &f, r.Names)
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range figure.Formats() {
			if err := figure.Render(io.Discard, d, format); err != nil {
				t.Fatalf("%s, %s: %v", f.Kind, format, err)
			}
		}
	}
	d, err := DrawRecorded(r, &f, r.Names)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// rowsOf returns the rows of a part of a point's first replication by column.
func rowsOf(t *testing.T, r *experiments.Results, kind string, point int) []map[string]string {
	t.Helper()
	k := &recorded{results: r, figure: &experiments.Figure{Kind: "map"}, points: []int{point}}
	table, err := k.table(kind, point)
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for i := range table.rows {
		row := map[string]string{}
		for name := range table.columns {
			row[name] = table.text(i, name)
		}
		rows = append(rows, row)
	}
	return rows
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// A map shows, at a time, the nodes of the jobs that run then, and no others.
func TestMapShowsRunningJobs(t *testing.T) {
	r := record(t, recordedStudy, everything)
	jobs := rowsOf(t, r, "jobs", 1)
	at := number(t, jobs[9]["start"])
	want := map[string]string{} // job by node
	for _, j := range jobs {
		if number(t, j["start"]) <= at && at < number(t, j["end"]) {
			for _, part := range strings.Split(j["nodes"], ",") {
				from, to, ok := strings.Cut(part, "-")
				if !ok {
					to = from
				}
				for n := number(t, from); n <= number(t, to); n++ {
					want[strconv.Itoa(int(n))] = j["job"]
				}
			}
		}
	}
	s := draw(t, r, experiments.Figure{Kind: "map", Time: at}).(figure.Scene)
	if len(s.Table) != 49 || len(want) == 0 {
		t.Fatalf("%d rows, %d nodes in use", len(s.Table), len(want))
	}
	hued := 0
	for _, row := range s.Table[1:] {
		if row[1] != want[row[0]] {
			t.Errorf("node %s has job %q, want %q", row[0], row[1], want[row[0]])
		}
	}
	for _, tile := range s.Tiles {
		if tile.Fill == figure.Hued {
			hued++
		}
	}
	if hued != len(want) {
		t.Errorf("%d coloured nodes, %d in use", hued, len(want))
	}
	// Without a time, no other moment has more nodes in use.
	full := draw(t, r, experiments.Figure{Kind: "map"}).(figure.Scene)
	if free(full) > free(s) {
		t.Errorf("%d nodes are free at the default time, %d at another", free(full), free(s))
	}
	job, err := strconv.Atoi(jobs[9]["job"])
	if err != nil {
		t.Fatal(err)
	}
	if marked := draw(t, r, experiments.Figure{Kind: "map", Job: job}).(figure.Scene); fmt.Sprint(
		marked.Table) != fmt.Sprint(s.Table) {
		t.Error("the map of a job is not that of its start")
	}
}

// free counts the nodes of a map that no job has.
func free(s figure.Scene) (n int) {
	for _, row := range s.Table[1:] {
		if row[1] == "" {
			n++
		}
	}
	return n
}

// The rectangles of a Gantt chart have the area of the jobs and do not overlap.
func TestGanttHasTheAreaOfTheJobs(t *testing.T) {
	r := record(t, recordedStudy, everything)
	s := draw(t, r, experiments.Figure{Kind: "gantt"}).(figure.Scene)
	area, want := 0.0, 0.0
	for _, tile := range s.Tiles {
		area += (tile.X1 - tile.X0) * (tile.Y1 - tile.Y0)
	}
	for _, j := range rowsOf(t, r, "jobs", 1) {
		want += number(t, j["reserved"]) * (number(t, j["end"]) - number(t, j["start"]))
	}
	if math.Abs(area-want) > 1e-6*want || want == 0 {
		t.Errorf("the rectangles have an area of %v, the jobs %v", area, want)
	}
	for i, a := range s.Tiles {
		for _, b := range s.Tiles[:i] {
			if a.X0 < b.X1 && b.X0 < a.X1 && a.Y0 < b.Y1 && b.Y0 < a.Y1 {
				t.Fatalf("%+v and %+v overlap", a, b)
			}
		}
	}
}

// Every network channel is drawn with its value of links.csv, or of load.csv at a time.
func TestChannelsHaveTheirLoads(t *testing.T) {
	r := record(t, recordedStudy, everything)
	for _, at := range []float64{0, 2000} {
		s := draw(t, r, experiments.Figure{Kind: "channel-load", Time: at}).(figure.Scene)
		want := map[string]float64{}
		if at == 0 {
			for _, l := range rowsOf(t, r, "links", 1) {
				want[l["link"]] = number(t, l["utilization_percent"])
			}
		}
		for _, l := range rowsOf(t, r, "load", 1) {
			from := number(t, l["time"])
			if at > 0 && from <= at && at < from+number(t, l["duration"]) {
				want[l["link"]] = number(t, l["utilization_percent"])
			}
		}
		if n := 2 * (7*6 + 8*5); len(s.Table) != n+1 {
			t.Fatalf("%d channels, want %d", len(s.Table)-1, n)
		}
		sum, drawn := 0.0, 0.0
		for _, row := range s.Table[1:] {
			if row[3] != strconv.FormatFloat(want[row[0]], 'f', -1, 64) {
				t.Errorf("channel %s has %s, want %v", row[0], row[3], want[row[0]])
			}
			sum += want[row[0]]
		}
		for _, tile := range s.Tiles {
			if tile.Fill == figure.Valued {
				drawn += tile.Value
			}
		}
		if sum == 0 || math.Abs(sum-drawn) > 1e-6*sum {
			t.Errorf("at %v: the tiles have %v, the channels %v", at, drawn, sum)
		}
	}
}

// Every kind of machine can be drawn, with a tile for each node and each channel.
func TestMachinesAreDrawn(t *testing.T) {
	for name, machine := range map[string]string{
		"torus":     "topology = \"torus\"\ndims = [4, 3]",
		"layers":    "topology = \"torus\"\ndims = [3, 3, 3]",
		"ring of 2": "topology = \"torus\"\ndims = [4, 2]",
		"four":      "dims = [3, 3, 2, 2]",
		"hypercube": "topology = \"hypercube\"\ndims = [4]",
		"line":      "dims = [12]",
		"tree":      "topology = \"tree\"\narity = 4\nlevels = 3",
		"slim tree": "topology = \"tree\"\narity = 3\nlevels = 3\nup_ports = [2]\nnodes = 20",
		"nodes":     "dims = [4, 4]\nconcentration = 3",
	} {
		text := strings.Replace(recordedStudy, "dims = [8, 6]", machine, 1)
		text = strings.Replace(text, "min = 1, max = 4", "min = 1, max = 2", 1)
		text = strings.Replace(text, `["mbs", "random"]`, `["random"]`, 1)
		r := record(t, text, everything)
		nodes := draw(t, r, experiments.Figure{Kind: "map"}).(figure.Scene)
		plan := spectest.Plan(t, r.Points[0].Spec)
		inside := 0
		for _, tile := range nodes.Tiles {
			if tile.X0 < 0 || tile.Y0 < -1e-9 || tile.X1 > *nodes.X.Max+1e-9 || tile.Y1 > *nodes.Y.Max+1e-9 {
				t.Errorf("%s: %+v lies outside of %v x %v", name, tile, *nodes.X.Max, *nodes.Y.Max)
			}
			if tile.Fill == figure.Hued || tile.Fill == figure.Blank {
				inside++
			}
		}
		if inside != plan.Machine.Nodes() {
			t.Errorf("%s: %d nodes are drawn, the machine has %d", name, inside, plan.Machine.Nodes())
		}
		channels := 0
		for _, l := range rowsOf(t, r, "links", 0) {
			if l["kind"] == "network" {
				channels++
			}
		}
		switch d := draw(t, r, experiments.Figure{Kind: "channel-load"}).(type) {
		case figure.Scene:
			if len(d.Table) != channels+1 {
				t.Errorf("%s: %d channels, want %d", name, len(d.Table)-1, channels)
			}
			checkApart(t, name, d)
		case figure.Figure:
			cells := 0
			for _, s := range d.Series {
				for _, v := range s.Y {
					if !math.IsNaN(v) {
						cells++
					}
				}
			}
			if cells != channels {
				t.Errorf("%s: %d cells, want %d", name, cells, channels)
			}
		}
	}
}

// checkApart fails if two channels of a drawing overlap or one lies outside of it.
func checkApart(t *testing.T, name string, s figure.Scene) {
	t.Helper()
	var channels []figure.Tile
	for _, tile := range s.Tiles {
		if tile.Fill == figure.Valued {
			channels = append(channels, tile)
		}
	}
	const eps = 1e-9
	for i, a := range channels {
		if a.X0 < -eps || a.Y0 < -eps || a.X1 > *s.X.Max+eps || a.Y1 > *s.Y.Max+eps {
			t.Fatalf("%s: %+v lies outside", name, a)
		}
		for _, b := range channels[:i] {
			if a.X0 < b.X1-eps && b.X0 < a.X1-eps && a.Y0 < b.Y1-eps && b.Y0 < a.Y1-eps {
				t.Fatalf("%s: %+v and %+v overlap", name, a, b)
			}
		}
	}
}

// The lines of a series are the column over time, for each point.
func TestSeriesOverTime(t *testing.T) {
	r := record(t, recordedStudy, everything)
	for _, column := range experiments.RecordedColumns("series") {
		d := draw(t, r, experiments.Figure{Kind: "series", Metric: column}).(figure.Figure)
		if len(d.Series) != 2 || d.Series[0].Name != "mbs" || d.Series[1].Name != "random" {
			t.Fatalf("%s: %d series", column, len(d.Series))
		}
		for point, s := range d.Series {
			for i, row := range rowsOf(t, r, "series", point) {
				if s.Y[i] != number(t, row[column]) {
					t.Fatalf("%s: %v, want %s", column, s.Y[i], row[column])
				}
			}
		}
	}
}

// Distributions are those of the jobs of all replications.
func TestDistributionsOfJobs(t *testing.T) {
	r := record(t, recordedStudy, everything)
	var all []float64
	for replication := range 2 {
		k := &recorded{results: r, figure: &experiments.Figure{Kind: "ecdf"}}
		table, err := k.replication("jobs", 0, replication)
		if err != nil {
			t.Fatal(err)
		}
		for i := range table.rows {
			all = append(all, table.number(i, "service_time"))
		}
	}
	slices.Sort(all)
	d := draw(t, r, experiments.Figure{Kind: "ecdf", Metric: "service_time"}).(figure.Figure)
	s := d.Series[0]
	for i, x := range s.X {
		below := 0
		for _, v := range all {
			if v <= x {
				below++
			}
		}
		if i%2 == 1 && math.Abs(s.Y[i]-100*float64(below)/float64(len(all))) > 1e-9 {
			t.Errorf("%v%% of jobs up to %v, want %d of %d", s.Y[i], x, below, len(all))
		}
	}
	if last := len(s.X) - 1; s.X[last] != all[len(all)-1] || s.Y[last] != 100 {
		t.Errorf("the line ends at %v, %v%%", s.X[last], s.Y[last])
	}
	b := draw(t, r, experiments.Figure{Kind: "box", Metric: "service_time"}).(figure.Figure)
	middle := (all[23] + all[24]) / 2 // 48 jobs
	if b.Categories[0] != "mbs" || math.Abs(b.Series[0].Y[0]-middle) > 1e-9*middle {
		t.Errorf("the median of %s is %v, want %v", b.Categories[0], b.Series[0].Y[0], middle)
	}
	quarter := all[11] + 0.75*(all[12]-all[11])
	if got := b.Series[0].Quartiles.Lower[0]; math.Abs(got-quarter) > 1e-9*quarter {
		t.Errorf("the lower quartile is %v, want %v", got, quarter)
	}
}

// The matrix of waits has the cycles of waits.csv.
func TestWaitsOfPairs(t *testing.T) {
	r := record(t, recordedStudy, everything)
	d := draw(t, r, experiments.Figure{Kind: "waits"}).(figure.Figure)
	got, foreign := map[string]float64{}, 0.0
	for _, s := range d.Series {
		for i, v := range s.Y {
			if !math.IsNaN(v) {
				got[s.Name+" "+d.Categories[i]] = v
			}
		}
	}
	for _, row := range rowsOf(t, r, "waits", 1) {
		cycles := number(t, row["cycles"])
		if v := got[row["job"]+" "+row["for_job"]]; row["job"] != row["for_job"] {
			foreign += cycles
			if v != cycles {
				t.Errorf("job %s waits %v cycles for job %s, want %v", row["job"], v, row["for_job"], cycles)
			}
		}
	}
	if foreign == 0 {
		t.Error("no job waits for another")
	}
}

// What the runs have not recorded is an error that names the flag, and so are points that a
// figure cannot tell apart.
func TestRecordedFiguresSayWhatIsMissing(t *testing.T) {
	r := record(t, recordedStudy, experiments.Tables{})
	for kind, flag := range map[string]string{"map": "--jobs-csv", "gantt": "--jobs-csv",
		"channel-load": "--links-csv", "waits": "--waits-csv", "series": "--series-csv",
		"ecdf": "--jobs-csv", "box": "--jobs-csv"} {
		f := experiments.Figure{Kind: kind, Name: kind, Where: map[string]any{"allocator": "mbs"}}
		_, err := DrawRecorded(r, &f, r.Names)
		spectest.MustBeInput(t, err)
		if !strings.Contains(err.Error(), flag) || !strings.Contains(err.Error(), "mbs") {
			t.Errorf("%s: %v", kind, err)
		}
	}
	f := experiments.Figure{Kind: "map", Name: "map"}
	_, err := DrawRecorded(r, &f, r.Names)
	spectest.MustBeInput(t, err)
	if !strings.Contains(err.Error(), "--where allocator=mbs") {
		t.Error(err)
	}
}

// A study that lists such figures records what they are drawn from.
func TestStudyRecordsWhatItsFiguresNeed(t *testing.T) {
	text := recordedStudy
	for _, kind := range experiments.RecordedKinds {
		text += fmt.Sprintf("[[figures]]\nname = %q\nkind = %q\nwhere = { allocator = \"mbs\" }\n",
			kind, kind)
	}
	r := record(t, text, experiments.Tables{})
	if err := DrawFigures(r, r.Folder.Dir, FigureOptions{}, r.Names); err != nil {
		t.Fatal(err)
	}
	for _, kind := range experiments.RecordedKinds {
		for _, end := range []string{"svg", "png", "pdf", "csv"} {
			path := filepath.Join(r.Folder.Dir, "figures", kind+"."+end)
			if info, err := os.Stat(path); err != nil || info.Size() == 0 {
				t.Errorf("there is no %s: %v", path, err)
			}
		}
	}
}

// Neighbours have different colours where eight suffice, and the shortest borders have equal
// ones where they do not.
func TestNeighboursDiffer(t *testing.T) {
	const side = 9
	at := func(x, y int) int { return x + side*y }
	planar := make(borders, side*side)
	for x := range side {
		for y := range side {
			for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}} {
				if x+d[0] < side && y+d[1] < side {
					planar.add(at(x, y), at(x+d[0], y+d[1]))
				}
			}
		}
	}
	hues := planar.hues()
	for i, neighbours := range planar {
		for j := range neighbours {
			if hues[i] == hues[j] {
				t.Errorf("areas %d and %d have the colour %d", i, j, hues[i])
			}
		}
	}
	complete := make(borders, figure.Hues+1)
	for i := range complete {
		for j := range i {
			for range 1 + 10*(i+j) { // the last one's shortest border is that with the first
				complete.add(i, j)
			}
		}
	}
	if hues := complete.hues(); hues[figure.Hues] != hues[0] {
		t.Errorf("nine areas that all touch have the colours %v", hues)
	}
}
