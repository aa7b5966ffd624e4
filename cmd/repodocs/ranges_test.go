package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/internal/must"

	"github.com/google/go-cmp/cmp"
)

// ratioTableOf returns a table of ratios from 1 on, with two names a row, of which the first has
// some labels in turn.
func ratioTableOf(title string, rows int, labels ...string) ratioTable {
	t := ratioTable{title: title + " (s)", metric: title, names: 2, below: "\nbelow " + title + "\n",
		grid: [][]string{{"machine", "case", "ratio"}}, errors: []string{"2%", "9%"}}
	for i := range rows {
		r := shown{float64(1 + i), fmt.Sprint(1 + i)}
		t.ratios = append(t.ratios, r)
		t.grid = append(t.grid, []string{labels[i%len(labels)], fmt.Sprint(i), r.text})
	}
	return t
}

// A page shows short tables of ratios whole, and of long ones the lowest and the highest ratio of
// each group of rows.
func TestRatiosOfPages(t *testing.T) {
	p := newPage("study")
	p.writeRatios("Ratios", []ratioTable{ratioTableOf("a", wholeRows, "x", "y")})
	if text := p.String(); !strings.HasPrefix(text, "\n## a (s)\n") ||
		!strings.HasSuffix(text, "\nbelow a\n") || len(p.files) > 0 {
		t.Errorf("a short table: %s", text)
	}
	p = newPage("study")
	long, short := ratioTableOf("a", 20, "x", "y"), ratioTableOf("b", 1, "x")
	short.errors = nil
	p.writeRatios("Ratios", []ratioTable{long, short})
	const want = `
## Ratios, lowest to highest

| machine       |       a |  b |
| ------------- | ------: | -: |
| x             | 1 to 19 |  1 |
| y             | 2 to 20 |    |
| mean error    |      2% |    |
| largest error |      9% |    |

All rows: [a, 20 rows](study/a-s.csv), [b, 1 rows](study/b-s.csv).
`
	if diff := cmp.Diff(want, p.String()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(long.grid, p.files["a-s.csv"]); diff != "" {
		t.Error(diff)
	}
	p = newPage("study")
	var many []string
	for i := range mostGroups + 1 {
		many = append(many, fmt.Sprint("m", i))
	}
	p.writeRatios("Ratios", []ratioTable{ratioTableOf("a", 20, many...),
		ratioTableOf("a", 21, many...)}) // of one title, so one table
	if !strings.Contains(squeezed(p.String()), "| all | 1 to 21 |") || len(p.files["a-s.csv"]) != 42 {
		t.Errorf("more groups than a page shows: %s", p.String())
	}
}

// A long table of measured values has a column for each label of the last axis.
func TestMeasuredValuesOfPages(t *testing.T) {
	grid := [][]string{{"machine", "allocator", "measured", "runs"}}
	for i := range 16 {
		grid = append(grid, []string{[]string{"x", "y"}[i%2], []string{"mbs", "random"}[i/14],
			fmt.Sprint(i), fmt.Sprint(3 + i%2)})
	}
	p := newPage("study")
	p.writeMeasured("time (s)", append(grid[:3:3], grid[15:]...))
	if !strings.Contains(p.String(), "| measured | runs |") {
		t.Errorf("a short table: %s", p.String())
	}
	p = newPage("study")
	p.writeMeasured("time (s)", grid)
	const want = `
## time (s)

| machine | mbs | random |
| ------- | --: | -----: |
| x       |  12 |     14 |
| y       |  13 |     15 |

All rows: [time (s), 16 rows](study/time-s.csv); runs of each: 3 to 4.
`
	if diff := cmp.Diff(want, p.String()); diff != "" {
		t.Error(diff)
	}
}

// Every table beside a page of validation is one that the page links to.
func TestTablesBesidePagesAreLinked(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", pageFolder)
	files := must.Have(filepath.Glob(filepath.Join(dir, "*", "*.csv")))
	if len(files) < 10 {
		t.Fatalf("%d tables", len(files))
	}
	for _, path := range files {
		folder, file := filepath.Split(path)
		page := filepath.Base(folder)
		text := string(must.Have(os.ReadFile(filepath.Join(dir, page+".md"))))
		if !strings.Contains(text, "]("+page+"/"+file+")") {
			t.Errorf("%s.md has no link to %s", page, file)
		}
	}
}
