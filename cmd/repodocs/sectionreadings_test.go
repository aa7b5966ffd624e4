package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/study"
	"contend/internal/must"

	"github.com/google/go-cmp/cmp"
)

// readingsStudy has two readings of two patterns; the second one changes fft alone.
const readingsStudy = `
name = "paper-readings"
title = "Two readings"
doc = "What they are."
primary = ["finish_time"]
notes = ["A note."]
[machine]
dims = [4, 4]
[[variants]]
name = "as taken"
[[variants]]
name = "lowest"
[[axes]]
key = "variant"
values = ["as taken", "lowest"]
[[axes]]
key = "job.pattern"
values = ["ring", "fft"]
[[axes]]
key = "allocator"
values = ["mbs", "random"]
[[overrides]]
when = { "job.pattern" = "fft", variant = "lowest" }
set = { "job.bits" = "lowest-first" }
[table]
metrics = ["finish_time"]
[published]
csv = """
job.pattern,allocator,finish_time
ring,mbs,100
ring,random,200
fft,mbs,100
fft,random,100
"""
`

// readingResults returns results of readingsStudy with two runs a point.
func readingResults(t *testing.T) *experiments.Results {
	t.Helper()
	st := must.Have(study.Parse("s.toml", readingsStudy, config.Builtin()))
	f := experiments.NewMemory("")
	r := must.Have(f.Results(st, config.Builtin()))
	finish := [][]float64{{104, 104}, {150, 250}, {150, 150}, {50, 50}, {104, 104}, {150, 250},
		{100, 100}, {25, 25}}
	for i, values := range finish {
		r.Runs[i] = nil
		for _, x := range values {
			r.Runs[i] = append(r.Runs[i], metrics.Result{Metrics: []metrics.Metric{{Name: "finish_time",
				Value: x}}})
		}
	}
	return r
}

// A reading has a row for all cells, and one for each pattern that it changes. Errors are geometric
// means: of 1.04, 1, 1.5 and 0.5 all four, of 1 and 0.25 the two of fft.
func TestReadings(t *testing.T) {
	p := newPage("paper")
	readingsSection(p, readingResults(t))
	text := p.String()
	for _, want := range []string{"\n## Readings\n\nTwo readings.\n\nWhat they are.", "2 replications",
		"\n- A note.",
		"| as taken |                     33% | 2 of 4 | 0.50 fft random |",
		"| lowest   |                     43% | 3 of 4 | 0.25 fft random |",
		"[errors by pattern, 5 rows](paper/readings.csv)",
		"[ratios of finish_time, 4 rows](paper/readings-finish_time.csv)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	wantErrors := [][]string{{"pattern", "reading", "finish_time: mean error", "met", "worst cell"},
		{"all", "as taken", "33%", "2 of 4", "0.50 fft random"},
		{"all", "lowest", "43%", "3 of 4", "0.25 fft random"},
		{"ring", "as taken", "2.0%", "2 of 2", "1.04 ring mbs"}, // which lowest does not change
		{"fft", "as taken", "73%", "0 of 2", "0.50 fft random"},
		{"fft", "lowest", "100%", "1 of 2", "0.25 fft random"}}
	if diff := cmp.Diff(wantErrors, p.files["readings.csv"]); diff != "" {
		t.Error(diff)
	}
	if got := p.files["readings-finish_time.csv"]; !slices.Equal(got[1],
		[]string{"ring", "mbs", "1.04*", ""}) || !slices.Equal(got[4],
		[]string{"fft", "random", "0.50", "0.25"}) {
		t.Errorf("ratios %v", got)
	}
}

// The tables of readings stand at the end of the page before their ending, which stays as it is if
// its study was not run again; written twice they are the same.
func TestReadingsStandOnThePage(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "paper.md")
	must.Have(0, os.WriteFile(page, []byte("# paper\n\ntext\n"), 0o666))
	folders := []validationFolder{{"other", nil}, {"paper" + readingsOf, readingResults(t)}}
	pages, readings := splitReadings(folders)
	if len(pages) != 1 || pages[0].Name != "other" || readings["paper"] == nil {
		t.Fatalf("pages %v, readings %v", pages, readings)
	}
	var before string
	for range 2 {
		if err := replaceReadings(dir, "paper", readings["paper"]); err != nil {
			t.Fatal(err)
		}
		text := string(must.Have(os.ReadFile(page)))
		if !strings.HasPrefix(text, "# paper\n\ntext\n\n## Readings\n") ||
			before != "" && before != text {
			t.Errorf("the page is\n%s", text)
		}
		before = text
	}
}
