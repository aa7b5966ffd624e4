package report

import (
	"math"
	"slices"
	"testing"

	"contend/experiments"
	"contend/experiments/figure"
)

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
