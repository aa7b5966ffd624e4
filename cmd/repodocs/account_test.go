package main

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/config/configtest"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/study"

	"github.com/google/go-cmp/cmp"
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
	return experimentstest.Stored(t, st, configtest.Names(), func(i int,
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
	text := validationPage(validationFolder{"account", accounted(t)}, configtest.Names(), nil)
	for _, want := range []string{
		"| paper | printed numbers | run here | within tolerance | failed | failed on another " +
			"version of the log | mean error |",
		"| Adams et al. 2003, Table 7 | 5 | 4 | 1 | 2 | 0 | 23% | 50% (here paging:1, finish_time " +
			"relative to mbs: 4.5000 for a printed 3.0000) | 1: log Nowhere-1999-1 is not available |",
		"## Known gaps\n\n1 printed numbers have no run here.",
		"| log random | finish_time | log Nowhere-1999-1 is not available | 7.50 |",
	} {
		if !strings.Contains(squeezed(text), want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Index(text, "| Adams") > strings.Index(text, "Rules:") {
		t.Error("the table does not come first")
	}
}

// The front page is made from pages, and has what the results have.
func TestFrontPage(t *testing.T) {
	r := accounted(t)
	p, err := readPage(validationPage(validationFolder{"account", r}, configtest.Names(), nil))
	if err != nil {
		t.Fatal(err)
	}
	want := accountOf(r, configtest.Names(), nil)
	want.errors, want.worst = nil, worstCell{}
	if diff := cmp.Diff(want, p.account, cmp.AllowUnexported(account{}, worstCell{},
		missingCount{})); diff != "" {
		t.Errorf("the account differs\n%s", diff)
	}
	if len(p.numbers) != want.run {
		t.Errorf("%d numbers, %d were run", len(p.numbers), want.run)
	}
	text := front([]page{p})
	for _, want := range []string{
		"The papers print 5 numbers. We ran 4: 1 match within the paper's precision, 2 do not, and " +
			"1 serves only as a\ndivisor. We did not run 1\n(1: log Nowhere-1999-1 is not available).\n",
		"| [account](validation/account.md) | Adams et al. 2003, Table 7 | Nowhere-1999-1 | 0 of 2 | " +
			"1 of 3, 1 not run |  |\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	for _, bad := range []string{"", "# a\n\n| x | published | measured | runs | ratio |\n| 1 |\n",
		strings.Replace(validationPage(validationFolder{"account", r}, configtest.Names(), nil), " 5 |", " five |", 1)} {
		if _, err := readPage(bad); err == nil {
			t.Errorf("no error for the page\n%s", bad)
		}
	}
}

// A page that is rewritten leaves the others as they are.
func TestOtherPagesStay(t *testing.T) {
	dir := t.TempDir()
	readme := filepath.Join(dir, "README.md")
	if err := os.WriteFile(readme, []byte(accuracyBegins+"\n"+accuracyEnds+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	write := func(folders ...validationFolder) {
		t.Helper()
		if err := writeAccount(dir, folders, configtest.Names(), nil); err != nil {
			t.Fatal(err)
		}
	}
	write(validationFolder{"account", accounted(t)}, validationFolder{"account-more", accounted(t)})
	more := filepath.Join(dir, "docs", "validation", "account-more.md")
	text, err := os.ReadFile(more)
	if err != nil {
		t.Fatal(err)
	}
	marked := string(text) + "\nby hand\n"
	if err := os.WriteFile(more, []byte(marked), 0o644); err != nil {
		t.Fatal(err)
	}
	write(validationFolder{"account", accounted(t)})
	if now, err := os.ReadFile(more); err != nil || string(now) != marked {
		t.Errorf("%v: the page is now\n%s", err, now)
	}
	now, err := os.ReadFile(readme)
	if err != nil || !strings.Contains(string(now), "print 10 numbers") {
		t.Errorf("%v: README is\n%s", err, now)
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
	text := validationPage(validationFolder{"account", r}, configtest.Names(), nil)
	if p, err := readPage(text); err != nil || p.account.printed != 0 || len(p.numbers) != 0 {
		t.Errorf("%v: it is counted in\n%s", err, text)
	}
}

func TestCopyAccuracy(t *testing.T) {
	p, err := readPage(validationPage(validationFolder{"account", accounted(t)}, configtest.Names(), nil))
	if err != nil {
		t.Fatal(err)
	}
	from := front([]page{p})
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

// The front page and the sentences in README are those of the pages, and each page with failed
// rules has a sentence that says why.
func TestFrontPageIsThatOfThePages(t *testing.T) {
	root := filepath.Join("..", "..")
	pages, err := readPages(filepath.Join(root, "docs", pageFolder))
	if err != nil {
		t.Fatal(err)
	}
	want := front(pages)
	for path, part := range map[string]func(string) string{
		filepath.Join("docs", "VALIDATION.md"): func(s string) string { return s },
		"README.md":                            accuracyIn,
	} {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(part(want), part(string(text))); diff != "" || part(want) == "" {
			t.Errorf("%s differs; run: go run ./cmd/repodocs validation\n%s", path, diff)
		}
	}
	var all account
	for i := range pages {
		all.join(&pages[i].account)
	}
	paper, err := os.ReadFile(filepath.Join(root, "docs", "paper.md"))
	if err != nil {
		t.Fatal(err)
	}
	counts := fmt.Sprintf("The papers print %d numbers; %d of them were run, of which %d match "+
		"within the precision that the papers state, %d do not", all.printed, all.run, all.within,
		all.failed)
	if !strings.Contains(strings.ReplaceAll(string(paper), "\n", " "), counts) {
		t.Errorf("docs/paper.md does not say %q", counts)
	}
	left := maps.Clone(whyFailed)
	for _, p := range pages {
		if (p.failed > 0) != (left[p.name] != "") {
			t.Errorf("%s: %d rules fail; why: %q", p.name, p.failed, left[p.name])
		}
		delete(left, p.name)
	}
	if len(left) > 0 {
		t.Errorf("no pages of these names: %v", left)
	}
}

// The figures of published numbers have a point for each that is run, and the document shows
// them.
func TestValidationFigures(t *testing.T) {
	folder := validationFolder{"account", accounted(t)}
	p, err := readPage(validationPage(folder, configtest.Names(), nil))
	if err != nil {
		t.Fatal(err)
	}
	scatter, ratio, ok := validationFigures([]page{p})
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
	if want := accountOf(folder.Results, configtest.Names(), nil).run; len(got) != want || want == 0 {
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
	if err := writeAccount(dir, []validationFolder{folder}, configtest.Names(), nil); err != nil {
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

// A paper is named by its first author, whose name may have several words.
func TestShortCitations(t *testing.T) {
	for cites, want := range map[string]string{
		"Lo, Windisch, Liu, Nitzberg, SC 1994, Table 1":       "Lo et al. 1994, Table 1",
		"Bender et al. 2005, Fig. 2":                          "Bender et al. 2005, Fig. 2",
		"Al Abass, Bani-Mohammad and Ababneh, 2022: abstract": "Al Abass et al. 2022: abstract",
		"the question of Jeon et al., USENIX ATC 2019; ours":  "Jeon et al. 2019; ours",
		"docs/model.md, Jumps over time":                      "docs/model.md, Jumps over time",
	} {
		if got := shortCitation(cites); got != want {
			t.Errorf("%s: %q, want %q", cites, got, want)
		}
	}
}
