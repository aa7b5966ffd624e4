package report

import (
	"math"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/report/tables"
	"contend/internal/input"
)

// An interval ends at the least value possible wherever its ends are written or
// drawn, and the table says that it is no longer what stands behind the sign.
func TestIntervalsEndAtTheLeastValue(t *testing.T) {
	for _, k := range []struct {
		metric, low, half string
		values            []float64
	}{
		{"wait_time", "0", "12.7", []float64{0, 2}}, // 1 ± 12.7
		// 2 ± 12.7, and no job has less than one
		{"components", "1", "12.7", []float64{1, 3}},
		{"wait_time", "8.729", "1.27", []float64{9.9, 10.1}}, // as long to both sides
	} {
		values := func(int, []string) []float64 { return k.values }
		r := stored(t, "name = \"i\"\nprimary = [\""+k.metric+
			"\"]\n[[figures]]\nname = \"i\"\nkind = \"bars\"\n"+
			"x = \"workload.jobs\"\nmetric = \""+k.metric+"\"\n[[axes]]\nkey = "+
			"\"workload.jobs\"\nvalues = [10]\n", k.metric, values)
		var b strings.Builder
		if err := tables.WriteSummary(r, &b); err != nil {
			t.Fatal(err)
		}
		row := strings.Split(strings.Split(b.String(), "\n")[1], ",")
		low, high := row[len(row)-2], row[len(row)-1]
		if !strings.HasPrefix(low, k.low) || !strings.HasPrefix(row[4], k.half) {
			t.Errorf("%s %v: summary.csv has %v", k.metric, k.values, row)
		}
		c := cellOf(r, 0, r.Study.Figures[0])
		if !strings.HasPrefix(input.InUnit("time", c.low), k.low) || math.Abs(c.high-c.y) < 1 ||
			!strings.HasPrefix(input.InUnit("time", c.high), high[:4]) {
			t.Errorf("%s %v: the figure has %+v, summary.csv %s to %s", k.metric, k.values, c, low,
				high)
		}
		if said := strings.Contains(tables.Markdown(r),
			"Intervals are cut off"); said != (k.low != "8.729") {
			t.Errorf("%s %v: the caption says so: %v", k.metric, k.values, said)
		}
	}
}

// A share does not exceed 100%, an error may.
func TestIntervalsEndAtTheGreatestValue(t *testing.T) {
	for _, k := range []struct {
		metric, high, said string
		values             []float64
	}{
		{"utilization", "100", "at the largest possible value", []float64{95, 99}},
		{"utilization", "100", "at the smallest and the largest", []float64{3, 97}},
		{"rate_error", "122.4", "", []float64{95, 99}},
	} {
		values := func(int, []string) []float64 { return k.values }
		r := stored(t, "name = \"i\"\nprimary = [\""+k.metric+"\"]\n[workload]\njobs = 10\n"+
			"[table]\nmetrics = [\""+k.metric+"\"]\n", k.metric, values)
		var b strings.Builder
		if err := tables.WriteSummary(r, &b); err != nil {
			t.Fatal(err)
		}
		row := strings.Split(strings.Split(b.String(), "\n")[1], ",")
		if high := row[len(row)-1]; !strings.HasPrefix(high, k.high) || strings.HasPrefix(high, "1000") {
			t.Errorf("%s %v: summary.csv has %v", k.metric, k.values, row)
		}
		text := tables.Markdown(r)
		if said := strings.Contains(text, "Intervals are cut off"); said != (k.said != "") ||
			!strings.Contains(text, k.said) {
			t.Errorf("%s %v: the caption is %s", k.metric, k.values, text)
		}
	}
}

// Values of compared cases vary together with the draw of the jobs; their differences do not.
func TestDifferencesArePaired(t *testing.T) {
	values := func(i int, _ []string) []float64 {
		return [][]float64{{100, 200, 300}, {109, 210, 311}}[i]
	}
	r := stored(t, "name = \"d\"\n[[axes]]\nkey = \"allocator\"\nvalues = [\"mbs\", \"random\"]\n"+
		"[[figures]]\nname = \"d\"\nkind = \"difference\"\nx = \"allocator\"\n"+
		"relative_to = \"mbs\"\nmetric = \"wait_time\"\n", "wait_time", values)
	f := &r.Study.Figures[0]
	d, ok := drawingOf(r, f, config.Builtin())
	if !ok || len(d.Categories) != 1 || d.Y.Label != "Wait time − MBS (cycles)" {
		t.Fatalf("drawn %v: %v, label %q", ok, d.Categories, d.Y.Label)
	}
	s := d.Series[0]
	if s.Y[0] != 10 || s.Low[0] < 7 || s.High[0] > 13 {
		t.Errorf("%v from %v to %v, want 10 within 3", s.Y, s.Low, s.High)
	}
	c := captionOf(r, f, &d, config.Builtin())
	if !strings.Contains(c.title()+c.body(), "paired difference of wait time from its value for MBS") {
		t.Errorf("caption %s %s", c.title(), c.body())
	}
}
