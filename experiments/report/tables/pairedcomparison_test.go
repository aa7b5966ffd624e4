package tables

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"contend/experiments/experimentstest"
	"contend/experiments/spec"
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
