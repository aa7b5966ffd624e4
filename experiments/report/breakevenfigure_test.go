package report

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/must"
)

// figuresEvenStudy compares three allocators over the load, in messages of two lengths.
const figuresEvenStudy = `
name = "even"
[workload]
source = "cplant-stream"
[job]
quota.per_second = 1
[runs]
replications = 2
[[axes]]
key = "allocator"
values = ["mbs", "random", "first-fit"]
[[axes]]
key = "job.flits"
values = [4, 8]
[[axes]]
key = "workload.system_load"
values = [1.0, 2.0, 10.0]
[[break_even]]
name = "wait"
metric = "wait_time"
along = "workload.system_load"
against = "mbs"
[[figures]]
name = "f"
kind = "break-even"
metric = "wait"
x = "job.flits"
series = "allocator"
`

// A mark is where a line crosses that of the reference. Where it never does there is none, and an
// interval ends at the last value tried.
func TestFigureOfBreakEvensByHand(t *testing.T) {
	r := stored(t, figuresEvenStudy, "wait_time", func(_ int, at []string) []float64 {
		allocator, flits, load := at[0], at[1], at[2]
		switch {
		case allocator == "mbs":
			return []float64{2, 2}
		case allocator == "first-fit" && flits == "8": // never
			return []float64{3, 3}
		case allocator == "first-fit" && load == "10": // never in the second replication
			return []float64{1, 2.5}
		case load == "10":
			return []float64{1, 1}
		}
		return []float64{4, 4}
	})
	st := r.Study
	d, any := figureOf(r, &st.Figures[0])
	if !any || len(d.Series) != 2 || d.Series[0].Name != "random" || d.Series[1].Name != "first-fit" {
		t.Fatalf("%v: %+v", any, d)
	}
	random, fit := d.Series[0], d.Series[1]
	for i := range 2 {
		if math.Abs(random.Y[i]-6) > 1e-12 || random.Low[i] != random.Y[i] ||
			random.High[i] != random.Y[i] {
			t.Errorf("random at %g flits: %g, %g to %g, want 6", random.X[i], random.Y[i],
				random.Low[i], random.High[i])
		}
	}
	// the means 4 and 1.75 over 2 cross where the logarithms of their ratios do
	up, down := math.Log(4./2), math.Log(1.75/2)
	if want := 2 + 8*up/(up-down); math.Abs(fit.Y[0]-want) > 1e-12 || fit.High[0] != 10 {
		t.Errorf("first-fit at 4 flits: %g to %g, want %g to 10", fit.Y[0], fit.High[0], want)
	}
	if !math.IsNaN(fit.Y[1]) {
		t.Errorf("first-fit at 8 flits: %g, want no mark", fit.Y[1])
	}
}

// The table states that a crossing at the least value tried may lie below it.
func TestBreakEvenAtTheLeastValueTried(t *testing.T) {
	r := stored(t, figuresEvenStudy, "wait_time", func(_ int, at []string) []float64 {
		wait := map[string]float64{"mbs": 2, "random": 1, "first-fit": 3}[at[0]]
		return []float64{wait, wait}
	})
	table := tables.Terminal(r)
	for _, want := range []string{"| random    | 4     |     at most 1.00 | at most 1.00 |",
		"| first-fit | 8     |            never |        never |"} {
		if !strings.Contains(table, want) {
			t.Errorf("%q is not in\n%s", want, table)
		}
	}
}

// Under random the wait falls from 4 at load 1 to 1 at load 10, beside 2 under mbs: its logarithm
// crosses at half of the distance, 5.5. With 1.75, the mean of 1 and 2.5, it crosses at
// 1 + 9 ln 2 / (ln 2 - ln 0.875) = 8.546; with 2.5 alone, as under paging:1, never.
func TestBoundsOfABreakEven(t *testing.T) {
	const rule = "\n[[tolerances]]\nname = \"pays\"\nrule = \"bounds\"\nmetric = \"it pays\"\n" +
		"among = \"allocator\"\n"
	for _, c := range []struct {
		name, rule string
		second     float64
		want       string
	}{
		{"within", "of = \"random\"\nmin = 5\nmax = 6", 1,
			"pass  pays: it pays of random: from 5 to 6 (1 of 1 groups within, at least 1 wanted)\n" +
				"      random: 5.500 (5.500 to 5.500)\n"},
		{"the whole interval", "of = \"random\"\nmin = 5\nmax = 9\ninterval = true", 2.5,
			"FAIL  pays: it pays of random: from 5 to 9, with its interval (0 of 1 groups within, at " +
				"least 1 wanted)\n      random: 8.546 (5.500 to never), outside\n"},
		{"all lines", "min = 5\nat_least = 2", 1,
			"pass  pays: it pays: at least 5 (2 of 2 groups within, at least 2 wanted)\n" +
				"      random: 5.500 (5.500 to 5.500)\n      paging:1: never (never to never)\n"},
	} {
		st := experimentstest.MustParse(t, compareEvenStudy+rule+c.rule)
		r := experimentstest.Stored(t, st, config.Builtin(), func(_ int,
			p *study.Point) []metrics.Result {
			switch {
			case p.Labels[0] == "mbs":
				return experimentstest.OfMetric("wait_time", 2, 2)
			case p.Labels[0] == "random" && p.Labels[1] == "10":
				return experimentstest.OfMetric("wait_time", 1, c.second)
			}
			return experimentstest.OfMetric("wait_time", 4, 4)
		})
		if diff := cmp.Diff(c.want, Compare(r)[0].String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

const compareEvenStudy = `
name = "even"
[runs]
replications = 2
[[axes]]
key = "allocator"
values = ["mbs", "random", "paging:1"]
[[axes]]
key = "workload.interarrival.mean"
values = [1.0, 10.0]
[[break_even]]
name = "it pays"
metric = "wait_time"
along = "workload.interarrival.mean"
against = "mbs"
`

// Random takes 4 beside 2 at the first mean and 1 beside 2 at the second: the logarithms of the
// ratios are ln 2 and -ln 2, which cross at 5.5. An error of 10% of a time under random moves both
// by up to -ln 0.9, and the crossing by 4.5 · ln 0.9 / ln 2 = 0.684 to either side, in each
// resample. A metric whose error is unknown has a mark in place of it.
func TestBreakEvenHasTheErrorOfJumps(t *testing.T) {
	jumping := func(metric string, percent, second float64, runs int) *experiments.Results {
		st := experimentstest.MustParse(t, strings.NewReplacer("wait_time", metric, "[runs]",
			"[runs]\nfast_forward = 0.05", `, "paging:1"`, "").Replace(compareEvenStudy)+`
[[tolerances]]
name = "pays"
rule = "bounds"
metric = "it pays"
among = "allocator"
of = "random"
min = 4.9
max = 6.1
interval = true
[[figures]]
name = "f"
kind = "break-even"
metric = "it pays"
x = "allocator"
`)
		st.Runs.Replications = runs
		return experimentstest.Stored(t, st, config.Builtin(), func(_ int,
			p *study.Point) (list []metrics.Result) {
			values, of := []float64{2, 2}, 0.0
			if p.Labels[0] == "random" {
				of = percent
				if values = []float64{4, 4}; p.Labels[1] == "10" {
					values = []float64{1, second}
				}
			}
			for _, v := range values[:runs] {
				list = append(list, metrics.Result{Metrics: []metrics.Metric{{Name: metric, Value: v},
					{Name: "service_time_error", Value: of}}})
			}
			return list
		})
	}
	all := func(r *experiments.Results) string {
		var b strings.Builder
		must.Have(0, tables.WriteCrossings(r, &b))
		f := &r.Study.Figures[0]
		d, _ := figureOf(r, f)
		c := captionOf(r, f, &d)
		return tables.Markdown(r) + b.String() + c.body() + Compare(r)[0].String()
	}
	for _, runs := range []int{1, 2} {
		page := all(jumping("service_time", 10, 1, runs))
		pageHas(t, page, " 5.50 | 4.82 to 6.18 |", ",published_high,jumps\n",
			",5.5,10,4.81598608,6.18401392,,,included\n", "random: 5.500 (4.816 to 6.184), outside")
		hasNot(t, page, "‡", "unknown")
	}
	pageHas(t, all(jumping("service_time", 10, 1, 1)), "of the error of jumps over time; one run shows",
		"95% intervals of the error of jumps over time; one")
	pageHas(t, all(jumping("service_time", 10, 2.5, 2)), "4.82 to never", "95% bootstrap intervals",
		"Each end of an interval is that with the error of jumps over time at its bound.",
		"replications, whose ends have the error of jumps over time at its bounds; one")

	for _, runs := range []int{1, 2} {
		unknown := all(jumping("finish_time", 10, 1, runs))
		pageHas(t, unknown, " 5.50‡ |", tables.JumpNote, ",unknown\n", "with an unknown error of jumps",
			"The error that jumps over time leave in finish time is unknown at all points")
		hasNot(t, unknown, "4.81", "6.18", "included")
		hasNot(t, all(jumping("finish_time", 0, 1, runs)), "‡", "unknown", "included", "4.81")
	}
}
