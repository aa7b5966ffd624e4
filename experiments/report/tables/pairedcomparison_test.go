package tables

import (
	"encoding/csv"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"contend/experiments"
	"contend/experiments/experimentstest"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
	"contend/experiments/stats"
	"contend/internal/decimal"
)

// mustCompareBy compares the finish times given, see compared.
func mustCompareBy(t *testing.T, key string, finish [][]float64) *PairedComparison {
	t.Helper()
	c, err := CompareBy(experimentstest.Compared(t, finish), key)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Of two patterns and three allocators, the axis in front or behind: the pairs
// are of points that differ in it alone, in the order of its values.
func TestPairsOfAnAxis(t *testing.T) {
	finish := [][]float64{{90, 110}, {200, 212}, {290}, {112, 116}, {395, 405}, nil}
	for key, want := range map[string][]string{
		"allocator": {
			"ring mbs random: 2 pairs, -106", "ring mbs paging:1: 1 pairs, -200",
			"ring random paging:1: 1 pairs, -90", "fft mbs random: 2 pairs, -286"},
		"job.pattern": {"mbs ring fft: 2 pairs, -14", "random ring fft: 2 pairs, -194"},
	} {
		c := mustCompareBy(t, key, finish)
		var got []string
		for _, p := range c.of("finish_time") {
			got = append(got, strings.Join(append(p.Group, p.A, p.B), " ")+": "+
				decimal.Number(float64(p.Difference.N))+" pairs, "+decimal.Number(
				p.Difference.Mean))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("by %s: %s", key, diff)
		}
	}
}

// sixPoints are finish times of three allocators under ring, then under fft.
var sixPoints = [][]float64{{90, 110}, {200, 212}, {100, 120}, {112, 116}, {112, 116}, {95, 130}}

// Holm's family are all pairs and groups of one metric, not of several, and
// pairs without a test are none of them.
func TestFamilyOfTests(t *testing.T) {
	c := mustCompareBy(t, "allocator", sixPoints)
	var p, adjusted []float64
	for _, pair := range c.of("finish_time") {
		p, adjusted = append(p, pair.P), append(adjusted, pair.Adjusted)
	}
	if diff := cmp.Diff(stats.Holm(p), adjusted, tiny, cmpopts.EquateNaNs()); diff != "" ||
		len(p) != 6 {
		t.Errorf("%d pairs: %s", len(p), diff)
	}
	if second := c.of("finish_time")[1]; !math.IsNaN(second.P) || second.Note != noteNoChance {
		t.Errorf("100 and 90, 120 and 110: %+v", second)
	}
	if fourth := c.of("finish_time")[3]; fourth.P != 1 || fourth.Note != "" {
		t.Errorf("112 and 112, 116 and 116: %+v", fourth)
	}
	for _, pair := range c.of("utilization") { // 45 plus the point's number, always
		if !math.IsNaN(pair.P) || pair.Note != noteNoChance {
			t.Errorf("no chance: %+v", pair)
		}
	}
}

func TestCompareByRefuses(t *testing.T) {
	none := experimentstest.Compared(t, make([][]float64, 6))
	some := experimentstest.Compared(t, [][]float64{{1, 2}, nil, nil, {3, 4}, nil, nil})
	one := experimentstest.Compared(t, [][]float64{{1, 2}, nil, nil, nil, nil, nil})
	one.Study.Axes[0].Values = one.Study.Axes[0].Values[:1]
	bare := experimentstest.Compared(t, make([][]float64, 6))
	bare.Study.Axes = nil
	for _, c := range []struct {
		r         *experiments.Results
		key, want string
	}{
		{none, "allocator", " has no finished runs: contend run makes them"},
		{some, "allocater", `--by allocater: "allocater" is no axis of the study compare: ` +
			`did you mean "allocator"? (there are job.pattern, allocator)`},
		{some, "allocator", "no two values of allocator have finished runs " +
			"of the same replication: contend run resumes the study"},
		{one, "job.pattern", "--by job.pattern: the axis job.pattern has one value: give it two " +
			"or more"},
		{bare, "allocator", "--by allocator: the study compare has no axes: " +
			"give some in [[axes]] or with contend run --axis"},
	} {
		_, err := CompareBy(c.r, c.key)
		var bad *input.Error
		if !errors.As(err, &bad) || err.Error() != c.want {
			t.Errorf("by %s: %v, want %s", c.key, err, c.want)
		}
	}
}

func TestChoiceOfMetrics(t *testing.T) {
	c := mustCompareBy(t, "allocator", [][]float64{{1, 2}, {1, 3}, {4, 1}, nil, nil, nil})
	for _, choice := range []struct{ wanted, want []string }{
		{nil, []string{"finish_time"}}, // that of [table]
		{[]string{"all"}, []string{"finish_time", "utilization"}},
		{[]string{"utilization"}, []string{"utilization"}},
	} {
		got, err := c.Metrics(choice.wanted)
		if diff := cmp.Diff(choice.want, got); diff != "" || err != nil {
			t.Errorf("%v: %v %s", choice.wanted, err, diff)
		}
	}
	if _, err := c.Metrics([]string{"latency"}); err == nil { // NaN in all runs
		t.Error("a metric that no run has is accepted")
	}
}

// The files hold what the comparison holds: the CSV all of it, at full precision.
func TestComparisonFiles(t *testing.T) {
	c := mustCompareBy(t, "allocator", sixPoints)
	dir := filepath.Join(t.TempDir(), "new", "folder")
	if err := c.WriteFiles(dir, []string{"finish_time"}); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(filepath.Join(dir, "comparison-allocator.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"ring", "finish_time", "cycles", "allocator", "mbs", "random",
		"2", "100", "206", "-106",
		input.InUnit("cycles", c.Pairs[0].Difference.Half), decimal.Number(
			100.0 / 206), decimal.Number(c.Pairs[0].Ratio.Half),
		decimal.Number(c.Pairs[0].P), decimal.Number(c.Pairs[0].Adjusted), "no", ""}
	if diff := cmp.Diff(want, rows[1]); diff != "" {
		t.Error(diff)
	}
	if len(rows) != 1+2*6 {
		t.Errorf("%d rows, want all pairs of two metrics", len(rows))
	}
	for _, ending := range []string{".md", ".tex"} {
		text, err := os.ReadFile(filepath.Join(dir, "comparison-allocator"+ending))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "5 tests") ||
			strings.Contains(string(text), "utilization") {
			t.Errorf("comparison-allocator%s:\n%s", ending, text)
		}
	}
}

const pairedStudy = `
name = "paired"
primary = ["wait_time"]
[machine]
dims = [8, 8]
[workload]
jobs = 200
system_load = 0.9
[job]
run = "fixed"
[runs]
replications = 10
[[axes]]
key = "allocator"
values = ["first-fit", "best-fit"]
`

// What chance adds to both goes out of the difference: by its own interval each
// allocator's wait may be the other's, and paired they are told apart several
// times as finely.
func TestPairingNarrowsIntervals(t *testing.T) {
	r := experimentstest.Recorded(t, pairedStudy, experiments.Tables{})
	c, err := CompareBy(r, "allocator")
	if err != nil {
		t.Fatal(err)
	}
	first, _ := r.Estimate(0, "wait_time")
	best, _ := r.Estimate(1, "wait_time")
	pair := c.of("wait_time")[0]
	if math.Abs(first.Mean-best.Mean) > first.Half+best.Half {
		t.Errorf("%+v and %+v do not overlap", first, best)
	}
	if apart := math.Hypot(first.Half, best.Half); !(pair.Difference.Half < apart/5) {
		t.Errorf("paired ± %v, unpaired ± %v", pair.Difference.Half, apart)
	}
	if math.Abs(pair.Difference.Mean-(first.Mean-best.Mean)) > 1e-9 {
		t.Errorf("the difference is %v, that of the means %v", pair.Difference.Mean,
			first.Mean-best.Mean)
	}
	if c.draws != drawsJobs {
		t.Errorf("allocators are compared on draws %v", c.draws)
	}
}

func TestDrawsOfPairs(t *testing.T) {
	point := func(text string) *spec.Spec {
		return &experimentstest.MustParse(t,
			"name = \"x\"\n"+text).Base
	}
	base, windows := point("[runs]\nseed = 1\n"), "[workload]\nsource = \"lublin\"\nwindow = 100\n"
	for _, c := range []struct {
		name string
		a, b *spec.Spec
		want draws
	}{
		{"allocators", base, point("[allocator]\nname = \"mbs\""), drawsJobs},
		{"seeds", base, point("[runs]\nseed = 2"), drawsApart},
		{"placements", point("[workload]\nsource = \"together\""),
			point("[workload]\nsource = \"together\"\nplacement = \"random\""), drawsCommon},
		{"windows", point(windows), point(windows + "[allocator]\nname = \"mbs\""), drawsWindows},
	} {
		if got := drawsOf(c.a, c.b); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

var tiny = cmpopts.EquateApprox(0, 1e-6)
