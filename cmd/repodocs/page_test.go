package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/stats"
	"contend/experiments/study"
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

// Each page has the sections that the rules and the published figures of its study ask for.
func TestSectionsOfPages(t *testing.T) {
	one, two := [][]float64{{100}, {101}, nil, {50}, {49}, {60}},
		[][]float64{{90, 110}, {200, 210}, {290, 330}, {112, 116}, {395, 405}, {1, 2}}
	const flags = "\nThese runs have --axis allocator=mbs --set job.flits=4.\n"
	for name, c := range map[string]struct {
		finish     [][]float64
		change     func(r *experiments.Results)
		has, lacks []string
	}{
		"published figures": {two, func(*experiments.Results) {}, []string{
			"# compare\n", "## finish_time (cycles)", "## finish_time relative to mbs", "## utilization (%)",
			"| fft     | random    |    400.00 |  400 ± 64 |    2 | 1.000 | 0.841 to 1.159 |",
			"| ring    | mbs       |    100.00 | 100 ± 130 |    2 | 1.000 | 0.000 to 2.271 |",
			"- finish_time relative to mbs: measured over published within 10%: 2 of 3 " +
				"published cells within, at least 3 wanted.",
			"Geometric mean error 3.8% over 5 cells, largest 14%.",
			"Geometric mean error 8.7% over 3 cells, largest 11%."}, nil},
		"an agreement": {one, func(r *experiments.Results) {
			r.Study.Tolerances = []study.Tolerance{{Rule: "agreement", Metric: "finish_time",
				Within: 0.01, Relative: "mbs"}}
		}, []string{"## finish_time over that of mbs", "over mbs",
			"| ring    | random    |      101 |   1.0100 |", "|       60 |   1.2000 |"}, nil},
		"no flags": {one, func(r *experiments.Results) { r.Study.Published = study.Published{} }, nil,
			[]string{flags}},
		"flags": {one, func(r *experiments.Results) {
			r.Study.Published = study.Published{}
			r.Study.Selected = []string{"--axis allocator=mbs"}
			r.Study.Changed = []string{"--set job.flits=4"}
		}, []string{flags}, nil},
		"a paper that draws and prints no figures": {two, func(r *experiments.Results) {
			clear(r.PublishedValues)
			r.Study.Tolerances, r.Study.Table.Relative = nil, "mbs"
		}, []string{"## finish_time relative to mbs",
			"| fft     | random    |   3.51 ± 0.22 |    2 |"}, []string{"| mbs "}},
		"a ranking": {[][]float64{{1}, {3}, {2}, {1}, {3}, nil}, func(r *experiments.Results) {
			clear(r.PublishedValues)
			r.Study.Tolerances = []study.Tolerance{{Rule: "ranking", Metric: "finish_time",
				Ranking: []string{"mbs", "random"}}}
		}, []string{"1 of 1 rules pass",
			"| ring    | paging:1  |        2 |    1 |\n| fft     | mbs       |        1 |    1 |"}, nil},
		// A conclusion is no rule, so the relative table stays.
		"a conclusion": {[][]float64{{100}, {120}, {90}, {50}, {60}, {60}},
			func(r *experiments.Results) {
				clear(r.PublishedValues)
				r.Study.Tolerances = []study.Tolerance{{Name: "close", Rule: study.BoundsRule,
					Metric: "finish_time", Of: "random", Relative: "mbs", Max: new(1.3)}}
				r.Study.Table.Relative = "mbs"
			}, []string{"\nConclusions:\n\n- close: finish_time of random over that of mbs: at most 1.3: " +
				"ring: 1.200; fft: 1.200.\n", "## finish_time relative to mbs"}, []string{" rules pass"}},
	} {
		r := experimentstest.Compared(t, c.finish)
		c.change(r)
		text, a := pageOf(r, r.Study.Name)
		for _, want := range c.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", name, want, text)
			}
		}
		for _, bad := range c.lacks {
			if strings.Contains(text, bad) {
				t.Errorf("%s: %q is in\n%s", name, bad, text)
			}
		}
		if name == "a conclusion" && a.rules != nil {
			t.Errorf("conclusions count as rules: %v", a.rules)
		}
	}
}

// A ratio to a printed figure ends where the measured one does; one of a metric
// that is in no table has no end.
func TestRatiosEndAtTheLeastValue(t *testing.T) {
	e := stats.Estimate{Mean: 1, Half: 3, N: 2}
	if got := ratioCells(e, 2, stats.AtLeast(0))[4]; got != "0.000 to 2.000" {
		t.Errorf("the interval of the ratio is %s", got)
	}
	if low, _ := e.Ends(metrics.BoundsOf("a difference", &config.Spec{})); low != -2 {
		t.Errorf("the interval of what may be negative begins at %g", low)
	}
	one := stats.Estimate{Mean: 1, Half: math.NaN(), N: 1}
	if low, high := one.Ends(stats.AtLeast(0)); low == low || high == high {
		t.Errorf("an interval of one run is %g to %g", low, high)
	}
}

// jumpText returns the section on jumps of a page.
func jumpText(r *experiments.Results) string {
	p := newPage("study")
	jumpSection(p, r)
	return p.String()
}

// A section says how much was saved in each point, summed over its runs, and what audits have seen.
func TestJumpSection(t *testing.T) {
	r := experimentstest.Jumped(3)
	more := experimentstest.Jumped(2).Runs[0][0]
	for i, simulated := range []float64{3, 1} {
		run := &r.Runs[0]
		if i > 0 {
			*run = append(*run, more)
		}
		k := &(*run)[i]
		k.Metrics = append(k.Metrics, metrics.Metric{Name: "flit_hops", Value: 2e5},
			metrics.Metric{Name: "simulated_flit_hops", Value: simulated})
	}
	text := jumpText(r)
	const want = "|      99.50% |     4e+05 |            100000 |" +
		"     80 |    6 |   2.5% |          7.5% |\n"
	if !strings.HasSuffix(text, want) {
		t.Errorf("%s\nwant %s", text, want)
	}
	if r.Points[0].Spec.FastForward = 0; jumpText(r) != "" {
		t.Errorf("without jumps: %s", jumpText(r))
	}
	idle := experimentstest.Jumped(1)
	idle.Runs[0][0].Metrics = slices.DeleteFunc(idle.Runs[0][0].Metrics,
		func(m metrics.Metric) bool { return m.Name == "time_jumped" })
	if text := jumpText(idle); strings.Contains(text, "NaN") || strings.Contains(text, "none") {
		t.Errorf("without messages: %s", text)
	}
	for _, c := range []struct {
		simulated float64
		want      string
	}{{0, "none"}, {4, "250"}, {100, "10"}, {1, "1000"}, {3, "333"}, {0.07, "14300"}} {
		if got := saving(1000, c.simulated).text; got != c.want {
			t.Errorf("1000 over %v: %s, want %s", c.simulated, got, c.want)
		}
	}
}

// The rows of groups of points have ranges, sums of audits and jams, and the largest of what audits
// saw.
func TestGroupsOfJumps(t *testing.T) {
	none := shown{math.NaN(), ""}
	var rows []jumpRow
	for i := range 20 {
		j := jumpRow{labels: []string{[]string{"mesh", "torus"}[i%2], fmt.Sprint(i)},
			primary: []string{"5"}, hops: "1", share: shown{float64(i), fmt.Sprint(i, "%")},
			saving: none, beyond: none, largest: none}
		if i < 4 {
			j.audits, j.jams, j.beyond = i, 1, shown{float64(10 - i), fmt.Sprint(10-i, "%")}
		}
		rows = append(rows, j)
	}
	p := newPage("study")
	p.writeJumps([]string{"machine", "case", "time", "time jumped", "flit-hops", "one in", "audits",
		"jams", "beyond", "largest error"}, rows)
	for _, want := range []string{"| mesh | 10 | 0% to 18% | | 2 | 2 | 10% | |",
		"| torus | 10 | 1% to 19% | | 4 | 2 | 9% | |", "[jumps, 20 rows](study/jumps.csv)"} {
		if !strings.Contains(squeezed(p.String()), want) {
			t.Errorf("%q is not in\n%s", want, p.String())
		}
	}
	if got := p.files["jumps.csv"]; len(got) != 21 || got[2][0] != "torus" {
		t.Errorf("the rows are %v", got)
	}
}
