package report

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/config/configtest"
	"contend/experiments/experimentstest"
	"contend/experiments/plot"
	"contend/experiments/report/floor"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/must"
	"contend/internal/table"
)

// A map shows, at a time, the nodes of the jobs that run then, and no others.
func TestMapShowsRunningJobs(t *testing.T) {
	r := everything()
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
	s := draw(t, r, study.Figure{Kind: "map", Time: at}).(plot.Scene)
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
		if tile.Fill == plot.Hued {
			hued++
		}
	}
	if hued != len(want) {
		t.Errorf("%d coloured nodes, %d in use", hued, len(want))
	}
	// Without a time, no other moment has more nodes in use.
	full := draw(t, r, study.Figure{Kind: "map"}).(plot.Scene)
	if free(full) > free(s) {
		t.Errorf("%d nodes are free at the default time, %d at another", free(full), free(s))
	}
	job := must.Have(strconv.Atoi(jobs[9]["job"]))
	if marked := draw(t, r, study.Figure{Kind: "map", Job: job}).(plot.Scene); fmt.Sprint(
		marked.Table) != fmt.Sprint(s.Table) {
		t.Error("the map of a job is not that of its start")
	}
}

// free counts the nodes of a map that no job has.
func free(s plot.Scene) (n int) {
	for _, row := range s.Table[1:] {
		if row[1] == "" {
			n++
		}
	}
	return n
}

// The rectangles of a Gantt chart have the area of the jobs and do not overlap.
func TestGanttHasTheAreaOfTheJobs(t *testing.T) {
	r := everything()
	s := draw(t, r, study.Figure{Kind: "gantt"}).(plot.Scene)
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

// Every network channel is drawn with its column of links.csv, or with its load of load.csv at a
// time.
func TestChannelsHaveTheirValues(t *testing.T) {
	r := everything()
	check := func(column string, at float64, want map[string]float64) {
		s := draw(t, r, study.Figure{Kind: "channel-load", Metric: column, Time: at}).(plot.Scene)
		if n := 2 * (7*6 + 8*5); len(s.Table) != n+1 {
			t.Fatalf("%d channels, want %d", len(s.Table)-1, n)
		}
		if strings.Contains(column, "foreign") != strings.Contains(s.Colour.Label, "other jobs") {
			t.Errorf("%s: the scale is labelled %q", column, s.Colour.Label)
		}
		sum, drawn := 0.0, 0.0
		for _, row := range s.Table[1:] {
			if row[3] != strconv.FormatFloat(want[row[0]], 'f', -1, 64) {
				t.Errorf("%s: channel %s has %s, want %v", column, row[0], row[3], want[row[0]])
			}
			sum += want[row[0]]
		}
		for _, tile := range s.Tiles {
			if tile.Fill == plot.Valued {
				drawn += tile.Value
			}
		}
		if sum == 0 || math.Abs(sum-drawn) > 1e-6*sum {
			t.Errorf("%s at %v: the tiles have %v, the channels %v", column, at, drawn, sum)
		}
	}
	for _, column := range (&study.Figure{Kind: "channel-load"}).MetricColumns() {
		want := map[string]float64{}
		for _, l := range rowsOf(t, r, "links", 1) {
			want[l["link"]] = number(t, l[column])
		}
		check(column, 0, want)
	}
	want := map[string]float64{}
	for _, l := range rowsOf(t, r, "load", 1) {
		if from := number(t, l["time"]); from <= 2000 && 2000 < from+number(t, l["duration"]) {
			want[l["link"]] = number(t, l["utilization_percent"])
		}
	}
	check("utilization_percent", 2000, want)
}

// Nodes that the machine does not have, as another machine may have had them, are an error, in any
// order.
func TestNodesBesideTheMachine(t *testing.T) {
	r := experimentstest.Recorded(t, experimentstest.RecordedStudy, experimentstest.Everything)
	point := slices.IndexFunc(r.Points, func(p study.Point) bool {
		return p.Labels[0] == "random"
	})
	key := experiments.RunKey{Hash: r.Points[point].Hash, Replication: 0}
	part := must.Have(tables.ReadPart(r, "jobs", key))
	nodes := slices.Index(part.Header, "nodes")
	for i := range part.Rows {
		if part.Rows[i][nodes].String() == "3,25" {
			part.Rows[i][nodes] = table.Text("99,25")
		}
	}
	must.Have(0, r.Folder.WritePart("jobs", key, part.Header, func(write func(...table.Value) error) {
		for _, row := range part.Rows {
			write(row...)
		}
	}))
	for _, kind := range []string{"map", "gantt"} {
		f := study.Figure{Kind: kind, Name: kind, Where: map[string]any{"allocator": "random"}}
		_, err := DrawRecorded(r, &f)
		configtest.MustBeInput(t, err)
		if !strings.Contains(err.Error(), "job 1 has node 99, and the machine 48 nodes") {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// A chart of too many jobs to tell apart shows those about the middle, or about the marked job.
func TestGanttOfManyJobsChoosesAWindow(t *testing.T) {
	var jobs []floor.Job
	for i := range 20000 {
		jobs = append(jobs, floor.Job{Number: fmt.Sprint(i), Start: float64(10 * i),
			End: float64(10*i + 25)})
	}
	k := &drawing{figure: &study.Figure{}}
	for mark, want := range map[int][2]float64{-1: {98500, 101500}, 19999: {197000, 200015},
		3: {0, 3000}} {
		begin, end, err := k.window(jobs, mark)
		if err != nil || begin != want[0] || end != want[1] {
			t.Errorf("mark %d: from %v to %v, %v, want %v", mark, begin, end, err, want)
		}
	}
	k.figure.XLimits = []float64{0, 50}
	if begin, end, _ := k.window(jobs, -1); begin != 0 || end != 50 {
		t.Errorf("limits of the abscissa: from %v to %v", begin, end)
	}
}

// A study that lists such figures records what they are drawn from.
func TestStudyRecordsWhatItsFiguresNeed(t *testing.T) {
	text := experimentstest.RecordedStudy
	kinds := slices.DeleteFunc(study.KindsWith("", true), func(kind string) bool {
		return kind == "coverage" // it compares two runs: see TestCoverageMarks
	})
	for _, kind := range kinds {
		text += fmt.Sprintf("[[figures]]\nname = %q\nkind = %q\nwhere = { allocator = \"mbs\" }\n",
			kind, kind)
	}
	// The load at a time is drawn from another table than that of the whole run.
	text += "[[figures]]\nname = \"timed\"\nkind = \"channel-load\"\ntime_percent = 50.0\n" +
		"where = { allocator = \"mbs\" }\n"
	r := experimentstest.Recorded(t, text, experiments.Tables{})
	must.Have(0, DrawFigures(r, r.Folder.Out, FigureOptions{}))
	for _, kind := range append(kinds, "timed") {
		for _, end := range []string{"svg", "png", "pdf", "csv"} {
			path := filepath.Join(r.Folder.Dir, "figures", kind+"."+end)
			if info, err := os.Stat(path); err != nil || info.Size() == 0 {
				t.Errorf("there is no %s: %v", path, err)
			}
		}
	}
}
