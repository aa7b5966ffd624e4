package tables

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/stats"
	"contend/internal/decimal"
	"contend/internal/must"
)

// mustCompareBy compares the finish times given, see compared.
func mustCompareBy(t *testing.T, key string, finish [][]float64) *PairedComparison {
	t.Helper()
	c := must.Have(CompareBy(experimentstest.Compared(t, finish), key))
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
		for _, p := range c.pairsOf("finish_time") {
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
var sixPoints = [][]float64{{90, 110}, {200, 212}, {180, 220}, {112, 116}, {112, 116}, {95, 130}}

// Holm's family are all pairs and groups of one metric, not of several, and
// pairs without a test are none of them.
func TestFamilyOfTests(t *testing.T) {
	c := mustCompareBy(t, "allocator", sixPoints)
	var p, adjusted []float64
	for _, pair := range c.pairsOf("finish_time") {
		p, adjusted = append(p, pair.P), append(adjusted, pair.Adjusted)
	}
	if diff := cmp.Diff(stats.Holm(p), adjusted, tiny, cmpopts.EquateNaNs()); diff != "" ||
		len(p) != 6 {
		t.Errorf("%d pairs: %s", len(p), diff)
	}
	if second := c.pairsOf("finish_time")[1]; !math.IsNaN(second.P) || second.Note != noteNoChance {
		t.Errorf("90 and 180, 110 and 220: %+v", second)
	}
	if fourth := c.pairsOf("finish_time")[3]; fourth.P != 1 || fourth.Note != "" {
		t.Errorf("112 and 112, 116 and 116: %+v", fourth)
	}
	for _, pair := range c.pairsOf("utilization") { // 45 plus the point's number, always
		if !math.IsNaN(pair.P) || pair.Note != noteNoChance {
			t.Errorf("no chance: %+v", pair)
		}
	}
}

func TestDrawsOfPairs(t *testing.T) {
	point := func(text string) *config.Spec {
		return &experimentstest.MustParse(t,
			"name = \"x\"\n"+text).Base
	}
	torus := point("[machine]\ntopology = \"torus\"\n")
	base, windows := point("[runs]\nseed = 1\n"), "[workload]\nsource = \"lublin\"\nwindow = 100\n"
	for _, c := range []struct {
		name   string
		a, b   *config.Spec
		differ []string
		known  bool
		want   draws
	}{
		{"allocators", base, point("[allocator]\nname = \"mbs\""), nil, false, drawsJobs},
		{"allocators, recorded", base, point("[allocator]\nname = \"mbs\""), nil, true, drawsJobs},
		{"seeds", base, point("[runs]\nseed = 2"), nil, true, drawsApart},
		{"placements", point("[workload]\nsource = \"together\""),
			point("[workload]\nsource = \"together\"\nplacement = \"random\""), nil, false, drawsCommon},
		{"windows", point(windows), point(windows + "[allocator]\nname = \"mbs\""), nil, true,
			drawsWindows},
		{"machines, not recorded", base, torus, nil, false, drawsCommon},
		{"machines, the same jobs", base, torus, nil, true, drawsJobs},
		{"machines, other sizes", base, torus, []string{"sizes"}, true, drawsCommon},
		{"patterns", base, point("[job]\npattern = \"ring\""), nil, true, drawsCommon},
	} {
		if got := drawsOf(c.a, c.b, c.differ, c.known); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

var tiny = cmpopts.EquateApprox(0, 1e-6)

// Five windows whose times differ twentyfold, mbs in each a seventh faster than random: the
// differences vary with the windows, the ratios do not. By hand, of the logarithms of the ratios:
// mean -0.144280, deviation 0.007868, so with t 2.776 of 4 degrees of freedom the ratio is 0.8656
// and its interval 0.8572 to 0.8741; t is 41.0.
func TestRatioIsTested(t *testing.T) {
	c := windowsCompared(t, 860, 17300, 2630, 1290, 7800)
	p := c.pairsOf("finish_time")[0]
	if p.Difference.Half < math.Abs(p.Difference.Mean) {
		t.Errorf("the interval of the difference is %v, and would do for a test", p.Difference)
	}
	grid := c.grid("finish_time", terminal).Cells
	got := strings.Join(grid[0], "|") + "\n" + strings.Join(grid[1], "|")
	want := "A|B|pairs|A - B (cycles)|A / B|p of A / B|p (Holm)|significant\n" +
		"mbs|random|5|-920 ± 1300|0.8656 (0.8572 to 0.8741)|< 0.0001|< 0.0001|yes"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// windowsCompared compares the finish times given, of mbs, with those of random over five windows
// whose times differ twentyfold and have a mean of 6900.
func windowsCompared(t *testing.T, mbs ...float64) *PairedComparison {
	t.Helper()
	finish := [3][]float64{nil, mbs, {1000, 20000, 3000, 1500, 9000}}
	c := must.Have(CompareBy(differed(t, "", finish), "allocator"))
	return c
}

// Where a pair has a value of 0 its p is of the difference, and the table says so in each row.
func TestTestsOfBothKinds(t *testing.T) {
	finish := [][]float64{{90, 110}, {0, 212}, {101, 120}, nil, nil, nil}
	c := mustCompareBy(t, "allocator", finish)
	grid := c.grid("finish_time", terminal).Cells
	var got []string
	for _, row := range grid {
		got = append(got, row[5]+"|"+row[6])
	}
	want := []string{"A / B|test of", "0.94340|A - B", "0.904 (0.76 to 1.08)|A / B",
		"0.95928|A - B"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var csv strings.Builder
	must.Have(0, c.writeCSV(&csv, []string{"finish_time"}))
	for i, test := range []string{"test", "difference", "ratio", "difference"} {
		if line := strings.Split(csv.String(), "\n")[i]; !strings.Contains(line, ","+test+",") {
			t.Errorf("row %d is %s, want %s", i, line, test)
		}
	}
}

// By hand: the logarithms of the ratios have a deviation of 0.0685, and 345 is a twentieth of the
// mean of random. Eleven windows have half an interval of 2.2281 · 0.0685 / sqrt(11) = 0.0460, ten
// of 2.2622 · 0.0685 / sqrt(10) = 0.0490, and ln 1.05 is 0.0488.
func TestApartIsOfTheSameTest(t *testing.T) {
	c := windowsCompared(t, 860, 17000, 2900, 1200, 7800)
	c.Apart = 345
	if text := c.Tables([]string{"finish_time"})[0].Heading; !strings.Contains(text,
		"to tell 345 cycles apart: about 11 replications") {
		t.Error(text)
	}
}

// A terminal has the table of each metric, with the names that commands take.
func TestTerminalHasPairs(t *testing.T) {
	text := mustCompareBy(t, "allocator", sixPoints).Terminal([]string{"finish_time"})
	for _, want := range []string{"finish_time", "mbs", "paging:1", "ring", "fft"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in\n%s", want, text)
		}
	}
}
