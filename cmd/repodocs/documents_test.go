package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"contend/experiments/metrics"
	"contend/internal/must"
)

// ours is this repository, whose studies are loaded once.
var ours = sync.OnceValues(func() (*Repository, error) {
	return openRepository(filepath.Join("..", ".."), metrics.Builtin())
})

// repository returns this repository.
func repository(t *testing.T) *Repository {
	t.Helper()
	c, err := ours()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// noProblems fails for each problem that a check finds in a document. It leaves out the pages that
// the program writes.
func noProblems(t *testing.T, c *Repository, check func(document string) []Problem) {
	t.Helper()
	paths, err := c.Documents()
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d documents, %v", len(paths), err)
	}
	for _, path := range paths {
		name := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		if isGenerated(name) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range check(string(text)) {
			t.Errorf("%s:%d: %s", name, p.Line, p.Text)
		}
	}
}

// Every table of numbers is tested output, is written by make docs from stored runs of today's
// study, or says where its constants are from.
func TestTablesAreOfStoredRuns(t *testing.T) {
	c := repository(t)
	noProblems(t, c, c.Tables)
}

// machines returns the page docs/results/machines.md and the rows of a file of docs/validation,
// without its header.
func machines(t *testing.T, file string) (page string, rows [][]string) {
	t.Helper()
	docs := filepath.Join("..", "..", "docs")
	f := must.Have(os.Open(filepath.Join(docs, "validation", filepath.FromSlash(file))))
	defer f.Close()
	return string(must.Have(os.ReadFile(filepath.Join(docs, "results", "machines.md")))),
		must.Have(csv.NewReader(f).ReadAll())[1:]
}

// cellNumber parses a cell.
func cellNumber(cell string) float64 { return must.Have(strconv.ParseFloat(cell, 64)) }

// The page on eight GPUs says how many measured means lie in the predicted intervals.
func TestMachinesHavePredictions(t *testing.T) {
	page, rows := machines(t, "testbed-mccs/bus_bandwidth-gb-s.csv")
	predictions := must.Have(os.Open(filepath.Join("..", "..", "docs", "results",
		"testbed-mccs-predicted.csv")))
	defer predictions.Close()
	in := csv.NewReader(predictions)
	in.Comment = '#'
	within := 0
	for _, p := range must.Have(in.ReadAll())[1:] { // variant, bus_bandwidth, ci_half_width, runs
		// variant, published, measured, runs, ratio, interval
		r := rows[slices.IndexFunc(rows, func(r []string) bool { return r[0] == p[0] })]
		if math.Abs(cellNumber(p[1])-cellNumber(r[1])) <= cellNumber(p[2]) {
			within++
		}
	}
	page = strings.Join(strings.Fields(page), " ")
	if within != 2 || !strings.Contains(page, "Only two of the nine measured means") {
		t.Errorf("%d measured means lie in the predicted intervals", within)
	}
}

// The table on CRAB has the ranges of all ratios, as the page of the study has them.
func TestMachinesHaveTheRowsOfCRAB(t *testing.T) {
	page, rows := machines(t, "testbed-crab/slowdown_by_others.csv")
	controls := []string{"none", "dcqcn", "ib-cca", "throttle"}
	ranges := map[string][]float64{}
	for ; len(rows) >= len(controls); rows = rows[len(controls):] {
		r := rows[0] // variant, congestion control, published, measured, runs, ratio, interval
		machine, _, _ := strings.Cut(r[0], " ")
		incast := strings.HasSuffix(r[0], " beside incast")
		aggressor := map[bool]string{true: "incasts", false: "all-to-alls"}[incast]
		for i, c := range controls {
			if name, _, _ := strings.Cut(rows[i][1], ":"); name != c || rows[i][0] != r[0] {
				t.Fatalf("%s: the row of %s has %s", r[0], c, rows[i][1])
			}
			key := machine + " beside " + aggressor + " | " + c
			ranges[key] = append(ranges[key], cellNumber(rows[i][5]))
		}
	}
	if len(rows) > 0 {
		t.Fatalf("%d rows are left", len(rows))
	}
	for _, of := range []string{"Leonardo beside incasts", "Leonardo beside all-to-alls",
		"LUMI beside incasts", "LUMI beside all-to-alls", "CRESCO8 beside incasts",
		"CRESCO8 beside all-to-alls"} {
		row := fmt.Sprintf("| %s | %d |", of, len(ranges[of+" | none"]))
		for _, c := range controls {
			list := ranges[of+" | "+c]
			row += fmt.Sprintf(" %.2f to %.2f |", slices.Min(list), slices.Max(list))
		}
		if !strings.Contains(page, "\n"+row) {
			t.Errorf("no row %s", row)
		}
	}
}

// Every number that documents have of a rule is that of the rows, every verdict in words is that of
// all seeds, and the rows and the table of claims have the sentences of documents.
func TestDocumentsConcludeByRules(t *testing.T) {
	c := repository(t)
	files, problems, err := c.claimFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
	for name, want := range files {
		text, err := os.ReadFile(filepath.Join(c.Root, name))
		if err != nil || string(text) != want {
			t.Errorf("%s is not what make docs writes (%v)", name, err)
		}
	}
}

// The factors of GPCNeT in docs/results/machines.md are those of the page of the study, each in the
// row of its variant and percentile and the column of its test.
func TestMachinesHaveTheFactorsOfThePage(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	page := string(must.Have(os.ReadFile(filepath.Join(docs, "results", "machines.md"))))
	folder := filepath.Join(docs, "validation", "gpcnet-slingshot")
	file := must.Have(os.Open(filepath.Join(folder, "conclusions.csv")))
	defer file.Close()
	words := map[string]string{"none": "none", "headroom": "none, buffers four times as deep",
		"throttle": "`throttle`", "ib-cca": "`ib-cca`", "dcqcn": "`dcqcn`",
		"fast loop": "`dcqcn`, ten times as fast", "queues": "none, 64 queues a link"}
	found := 0
	for _, r := range must.Have(csv.NewReader(file).ReadAll())[1:] { // rule, group, value
		placement, rest, _ := strings.Cut(r[1], " ")
		pattern, variant, _ := strings.Cut(rest, " ")
		lie, statistic, column := "drawn one by one", "mean", 0
		if placement == "random:8" {
			lie = "of a host at one switch"
		}
		if strings.HasSuffix(r[0], "-p99") {
			statistic = "99%"
		}
		if strings.HasSuffix(pattern, "barrier=true") {
			column = 1
		} else if strings.HasPrefix(pattern, "all-reduce") {
			column = 2
		}
		begin := fmt.Sprintf("\n| %s | %s | %s | ", lie, words[variant], statistic)
		_, row, is := strings.Cut(page, begin)
		if !is && placement == "random:8" && variant != "none" {
			continue // the page has those of none
		}
		row, _, _ = strings.Cut(row, " |\n")
		found++
		value := strings.TrimSuffix(r[2], ", outside")
		if cells := strings.Split(row, " | "); len(cells) != 3 || cells[column] != value {
			t.Errorf("%s, %s: %q, want %s in column %d", r[0], r[1], cells, value, column)
		}
	}
	if found != 48 {
		t.Errorf("%d factors", found)
	}
}
