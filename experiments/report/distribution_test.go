package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/study"
	"contend/internal/must"
)

// The lines of a series are the column over time, for each point.
func TestSeriesOverTime(t *testing.T) {
	r := everything()
	for _, column := range (&study.Figure{Kind: "series"}).MetricColumns() {
		if slices.Contains(metrics.PairColumns(), column) {
			continue
		}
		d := draw(t, r, study.Figure{Kind: "series", Metric: column}).(plot.Figure)
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

// pairStudy chooses two pairs under two controls.
const pairStudy = `name = "pairs"
primary = ["latency"]
[machine]
dims = [4]
[network]
source_queues = "destination"
[workload]
source = "list"
list = ["pattern = all-to-one; processes = 4; iterations = 60"]
[runs]
replications = 1
series_pairs = ["1:2>0", "3>0"]
[[axes]]
key = "network.congestion_control"
values = ["throttle:outstanding=4,senders=2", "ib-cca:threshold=0"]
[labels]
"throttle:outstanding=4,senders=2" = "held"
"ib-cca:threshold=0" = "cut"
`

// Lines of what is known of pairs are a line for each pair of each point, and the rows of pairs are
// in no line of the machine.
func TestSeriesOfPairs(t *testing.T) {
	r := ran(t, pairStudy, experiments.Tables{})
	for column, lines := range map[string]int{"rate": 4, "notifications": 4, "queue_flits": 4,
		"link_utilization_percent": 2} {
		d := draw(t, r, study.Figure{Kind: "series", Metric: column}).(plot.Figure)
		if len(d.Series) != lines {
			t.Fatalf("%s: %d series", column, len(d.Series))
		}
		for n, s := range d.Series {
			pair, point := "", n
			if lines == 4 {
				pair, point = []string{"1:2>0", "3>0"}[n%2], n/2
				if want := []string{"held", "cut"}[point] + ", " + pair; d.Labels[s.Name] != want {
					t.Errorf("%s: line %d is %q, printed %q", column, n, s.Name, d.Labels[s.Name])
				}
			}
			i := 0
			for _, row := range rowsOf(t, r, "series", point) {
				if row["pair"] != pair {
					continue
				}
				if y := number(t, row[column]); s.Y[i] != y {
					t.Fatalf("%s of %q: %v, want %v", column, s.Name, s.Y[i], y)
				}
				i++
			}
			if i != len(s.Y) || i < 200 {
				t.Errorf("%s of %q: %d values, want %d", column, s.Name, len(s.Y), i)
			}
		}
	}
}

// Of the values 1 to 21 a box has the median 11, the quartiles 6 and 16, and whiskers to 2 and 20:
// a twentieth of the values lies beyond each. Of 0 and 10 all lie between the values.
func TestBoxesByHand(t *testing.T) {
	var values []float64
	for i := range 21 {
		values = append(values, float64(i+1))
	}
	s := plot.Series{Quartiles: &plot.Quartiles{}}
	for _, list := range [][]float64{values, {0, 10}} {
		addBox(&s, boxPercentiles(list))
	}
	for name, k := range map[string]struct{ got, want []float64 }{
		"lower whiskers":  {s.Low, []float64{2, 0.5}},
		"lower quartiles": {s.Quartiles.Lower, []float64{6, 2.5}},
		"medians":         {s.Y, []float64{11, 5}},
		"upper quartiles": {s.Quartiles.Upper, []float64{16, 7.5}},
		"upper whiskers":  {s.High, []float64{20, 9.5}},
	} {
		if !slices.EqualFunc(k.got, k.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("%s are %v, want %v", name, k.got, k.want)
		}
	}
}

// The line of a distribution goes up at each value by its share of the jobs, in percent.
func TestStepsOfDistributionsByHand(t *testing.T) {
	s := steps([]float64{1, 2, 2, 8})
	if !slices.Equal(s.X, []float64{1, 1, 2, 2, 8, 8}) ||
		!slices.Equal(s.Y, []float64{0, 25, 25, 75, 75, 100}) {
		t.Errorf("the steps are at %v, %v%%", s.X, s.Y)
	}
	d := draw(t, everything(), study.Figure{Kind: "ecdf", Metric: "service_time"}).(plot.Figure)
	if d.Y.Label != "Share of jobs (%)" || *d.Y.Min != 0 || *d.Y.Max != 100 {
		t.Errorf("the axis of shares is %+v", d.Y)
	}
}

// On a logarithmic axis, which has no 0, shares and percentiles are still those of all jobs.
func TestZerosCountOnLogarithmicAxes(t *testing.T) {
	r := experimentstest.Recorded(t, strings.Replace(experimentstest.RecordedStudy, "mean = 300",
		"mean = 60", 1), experimentstest.Everything)
	zeros, jobs := 0, 0
	k := &drawing{results: r, figure: &study.Figure{Kind: "ecdf"}}
	for replication := range 2 {
		table := must.Have(k.replication("jobs", 0, replication))
		for i := range table.Rows {
			if jobs++; table.Number(i, "wait_time") == 0 {
				zeros++
			}
		}
	}
	if zeros == 0 || zeros == jobs {
		t.Fatalf("%d of %d jobs do not wait: the study tests nothing", zeros, jobs)
	}
	lines := study.Figure{Kind: "ecdf", Metric: "wait_time", LogX: true}
	s := draw(t, r, lines).(plot.Figure).Series[0]
	share := 100 * float64(zeros) / float64(jobs)
	if s.X[0] <= 0 || math.Abs(s.Y[0]-share) > 1e-9 {
		t.Errorf("the line begins at %v, %v%%, want %v%%", s.X[0], s.Y[0], share)
	}
	box := study.Figure{Kind: "box", Metric: "wait_time"}
	linear := draw(t, r, box).(plot.Figure).Series[0]
	box.LogY = true
	logarithmic := draw(t, r, box).(plot.Figure).Series[0]
	if !slices.Equal(linear.Y, logarithmic.Y) || !slices.Equal(linear.High, logarithmic.High) ||
		!slices.Equal(linear.Quartiles.Upper, logarithmic.Quartiles.Upper) {
		t.Errorf("the scale of the axis changes percentiles: %v and %v", linear, logarithmic)
	}
}

// The matrix of waits has the cycles of interference.csv.
func TestWaitsOfPairs(t *testing.T) {
	r := everything()
	d := draw(t, r, study.Figure{Kind: "interference"}).(plot.Figure)
	got, foreign := map[string]float64{}, 0.0
	for _, s := range d.Series {
		for i, v := range s.Y {
			if !math.IsNaN(v) {
				got[s.Name+" "+d.Categories[i]] = v
			}
		}
	}
	for _, s := range d.Series {
		if v, ok := got[s.Name+" "+s.Name]; ok {
			t.Errorf("job %s waits %v cycles for itself", s.Name, v)
		}
	}
	want := map[string]float64{}
	for _, row := range rowsOf(t, r, "interference", 1) {
		if row["job"] != row["for_job"] && row["for_job"] != "" {
			cycles := number(t, row["held_cycles"]) + number(t, row["behind_cycles"])
			want[row["job"]+" "+row["for_job"]] += cycles
			foreign += cycles
		}
	}
	for pair, cycles := range want {
		if got[pair] != cycles {
			t.Errorf("jobs %s wait %v cycles, want %v", pair, got[pair], cycles)
		}
	}
	pairs := draw(t, r, study.Figure{Kind: "interference-pairs"}).(plot.Figure)
	for i, name := range pairs.Categories {
		if v := pairs.Series[0].Y[i]; want[strings.Replace(name, "<", " ", 1)] != v {
			t.Errorf("%s: %v cycles, want %v", name, v, want[name])
		}
	}
	if foreign == 0 {
		t.Error("no job waits for another")
	}
}

// The matrix of slowdowns has those of slowdowns.csv, from 1; by pattern their means.
func TestMatrixOfSlowdowns(t *testing.T) {
	r := everything()
	d := draw(t, r, study.Figure{Kind: "slowdowns"}).(plot.Figure)
	got := map[string]float64{}
	for _, s := range d.Series {
		for i, v := range s.Y {
			if !math.IsNaN(v) {
				got[s.Name+" "+d.Categories[i]] = v
			}
		}
	}
	rows, sum, above := rowsOf(t, r, "slowdowns", 1), 0.0, 0
	for _, row := range rows {
		v := number(t, row["slowdown"])
		if pair := row["job"] + " " + row["by_job"]; got[pair] != v {
			t.Errorf("%s: drawn %v, want %v", pair, got[pair], v)
		}
		if sum += v; v > 1 {
			above++
		}
	}
	if len(got) != len(rows) || above == 0 || !(*d.Colour.Min <= 1) {
		t.Errorf("%d cells of %d rows, %d above 1, from %v", len(got), len(rows), above, *d.Colour.Min)
	}
	by := draw(t, r, study.Figure{Kind: "slowdowns", X: "pattern"}).(plot.Figure)
	if mean := sum / float64(len(rows)); len(by.Series) != 1 || len(by.Series[0].Y) != 1 ||
		math.Abs(by.Series[0].Y[0]-mean) > 1e-9 {
		t.Errorf("by pattern %v, the mean is %v", by.Series, mean)
	}
}

// Boxes over the size of jobs have the jobs of each class, from a power of two to the next.
func TestBoxesBySizeOfJobs(t *testing.T) {
	r := everything()
	var jobs [][2]float64 // size, service time
	k := &drawing{results: r, figure: &study.Figure{Kind: "box"}}
	for replication := range 2 {
		table := must.Have(k.replication("jobs", 0, replication))
		for i := range table.Rows {
			jobs = append(jobs, [2]float64{table.Number(i, "processors"), table.Number(i, "service_time")})
		}
	}
	d := draw(t, r, study.Figure{Kind: "box", Metric: "service_time", X: study.SizeClass,
		Series: "allocator"}).(plot.Figure)
	counted := 0
	for c, name := range d.Categories {
		least, most := 0.0, 0.0
		if n, _ := fmt.Sscanf(name, "%f–%f", &least, &most); n < 2 {
			most = least
		}
		var values []float64
		for _, j := range jobs {
			if least <= j[0] && j[0] <= most {
				values = append(values, j[1])
			}
		}
		slices.Sort(values)
		counted += len(values)
		if len(values) == 0 {
			continue // the other allocator alone has such jobs
		}
		if got, want := d.Series[0].Y[c], quantile(values, 0.5); got != want {
			t.Errorf("%s processors: median %v, want %v", name, got, want)
		}
	}
	if counted != len(jobs) || len(d.Categories) < 2 {
		t.Errorf("%d of %d jobs are in the classes %q", counted, len(jobs), d.Categories)
	}
}
