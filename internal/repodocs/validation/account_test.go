package validation

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/cosim/metrics"
	"contend/experiments/experimentstest"
	"contend/experiments/spec/spectest"
	"contend/experiments/study"
)

// accountStudy has a number of each kind: within, failed, one that others are
// divided by, one whose log is nowhere, one of another study.
const accountStudy = `
name = "account"
cites = "Adams, Brown and Cole, A paper, 2003, Table 7"
[job]
run = "fixed"
[runs]
replications = 1
[[variants]]
name = "here"
[[variants]]
name = "log"
set = { "workload.source" = "swf", "workload.trace" = "Nowhere-1999-1.swf", "workload.jobs" = 0 }
[[axes]]
key = "variant"
values = ["here", "log"]
[[axes]]
key = "allocator"
values = ["mbs", "random", "paging:1"]
[published]
elsewhere = { allocator = "paging:1", "workload.source" = "swf" }
csv = """
workload.source,allocator,finish_time,utilization
synthetic,mbs,100,
synthetic,random,200,40
synthetic,paging:1,300,
swf,random,7.50,
swf,paging:1,9,
"""
[[tolerances]]
rule = "ratio"
metric = "finish_time"
relative_to = "mbs"
within = 0.1
[[tolerances]]
rule = "ratio"
metric = "utilization"
within = 0.1
`

// accounted returns results of accountStudy at the points without a log.
func accounted(t *testing.T) *experiments.Results {
	t.Helper()
	st := experimentstest.MustParse(t, accountStudy)
	return experimentstest.Stored(t, st, spectest.Names(), func(i int,
		_ *study.Point) []metrics.Result {
		if i >= 3 {
			return nil
		}
		return []metrics.Result{{Metrics: []metrics.Metric{
			{Name: "finish_time", Value: []float64{100, 205, 450}[i]},
			{Name: "utilization", Value: 48}}}}
	})
}

func TestAccountOfPrintedNumbers(t *testing.T) {
	text := Validation([]*experiments.Results{accounted(t)}, spectest.Names(), nil)
	for _, want := range []string{
		"| paper | printed numbers | run here | within tolerance | failed | mean error |",
		"| Adams et al. 2003, Table 7 |               5 |        4 |                1 |      2 | " +
			"       23% | " +
			"50% (here paging:1, finish_time relative to mbs: 4.5000 for a printed 3.0000) | 1: " +
			"log Nowhere-1999-1 is not available |",
		"Of 5 numbers that the papers print for the studies here 4 are run: 1 are as near as the " +
			"paper's own precision allows, " +
			"2 are not, and 1 only divides others. 1 are not run (1: log Nowhere-1999-1 is not " +
			"available).\n",
		"- Adams et al. 2003, Table 7: 4 of 5 run, 1 within, 2 failed; mean error 23%, worst " +
			"cell 50% (here paging:1, " +
			"finish_time relative to mbs: 4.5000 for a printed 3.0000).\n",
		"### Known gaps\n\n1 printed numbers have no run here.",
		"| log random | finish_time | log Nowhere-1999-1 is not available |      7.50 |",
	} {
		if !strings.Contains(squeezed(text), squeezed(want)) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Index(text, "| Adams") > strings.Index(text, "## account") {
		t.Error("the table does not come first")
	}
}

// squeezed has one space where there are several.
func squeezed(s string) string {
	for strings.Contains(s, "  ") {
		s = strings.ReplaceAll(s, "  ", " ")
	}
	return s
}

// A study whose flags changed it has nothing to say about printed numbers.
func TestChangedStudiesAreNotCounted(t *testing.T) {
	r := accounted(t)
	r.Study.Changed = []string{"--quick"}
	if text := Validation([]*experiments.Results{r}, spectest.Names(), nil); strings.Contains(text,
		"printed numbers") {
		t.Errorf("it is counted in\n%s", text)
	}
}

func TestCopyAccuracy(t *testing.T) {
	from := Validation([]*experiments.Results{accounted(t)}, spectest.Names(), nil)
	readme := "# a\n" + accuracyBegins + "\nold\n" + accuracyEnds + "\nb\n"
	got, err := CopyAccuracy(from, readme)
	if err != nil || accuracyIn(got) != accuracyIn(from) || !strings.HasPrefix(got, "# a\n") ||
		!strings.HasSuffix(got, "\nb\n") {
		t.Errorf("%v, %s", err, got)
	}
	for _, bad := range [][2]string{{"", readme}, {from, "no marks"}, {from, accuracyBegins}} {
		if _, err := CopyAccuracy(bad[0], bad[1]); experiments.Cause(err) == nil {
			t.Errorf("%v for %q", err, bad)
		}
	}
}

// README states the accuracy of VALIDATION, and none if VALIDATION states
// nothing.
func TestReadmeSaysWhatValidationSays(t *testing.T) {
	var blocks [2]string
	for i, path := range []string{"README.md", filepath.Join("docs", "VALIDATION.md")} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", path))
		if err != nil {
			t.Fatal(err)
		}
		blocks[i] = accuracyIn(string(text))
	}
	if blocks[1] == "" {
		blocks[1] = accuracyBegins + "\n" + accuracyEnds
	}
	if blocks[0] != blocks[1] {
		t.Errorf("README has\n%s\nVALIDATION has\n%s\nrun: make docs",
			blocks[0], blocks[1])
	}
}

// The figures of published numbers have a point for each that is run, and the document shows
// them.
func TestValidationFigures(t *testing.T) {
	all := []*experiments.Results{accounted(t)}
	scatter, ratio, ok := validationFigures(all, spectest.Names())
	if !ok || len(scatter.Series) != 1 || scatter.Series[0].Name != "Adams et al. 2003" {
		t.Fatalf("%v, %d series", ok, len(scatter.Series))
	}
	got := map[[2]float64]bool{}
	for i, x := range scatter.Series[0].X {
		got[[2]float64{x, scatter.Series[0].Y[i]}] = true
		if r := ratio.Series[0].Y[i]; math.Abs(r-scatter.Series[0].Y[i]/x) > 1e-12 {
			t.Errorf("the ratio of %v to %v is %v", scatter.Series[0].Y[i], x, r)
		}
	}
	if want := accountOf(all[0], spectest.Names(), nil).run; len(got) != want || want == 0 {
		t.Errorf("%d points for %d numbers that are run: %v", len(got), want, got)
	}
	if !got[[2]float64{100, 100}] || scatter.Diagonal != validationBand {
		t.Errorf("%v, band %v", got, scatter.Diagonal)
	}
	dir := t.TempDir()
	readme := filepath.Join(dir, "README.md")
	old := "# a\n" + accuracyBegins + "\nold\n" + accuracyEnds + "\n"
	if err := os.WriteFile(readme, []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, all, spectest.Names(), nil); err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile(filepath.Join(dir, "docs", "VALIDATION.md"))
	if err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(readme); err != nil || accuracyIn(string(now)) == "" ||
		accuracyIn(string(now)) != accuracyIn(string(document)) {
		t.Errorf("%v, %s", err, now)
	}
	for _, name := range []string{"validation.svg", "validation-ratio.svg"} {
		if _, err := os.Stat(filepath.Join(dir, "docs", "figures", name)); err != nil {
			t.Error(err)
		}
		if !strings.Contains(string(document), "(figures/"+name+")") {
			t.Errorf("the document does not show %s", name)
		}
	}
}
