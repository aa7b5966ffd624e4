package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments"
	"contend/experiments/claims"
	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/studies"
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
	return experimentstest.Stored(t, st, config.Builtin(), func(i int,
		_ *study.Point) []metrics.Result {
		if i >= 3 {
			return nil
		}
		return []metrics.Result{{Metrics: []metrics.Metric{
			{Name: "finish_time", Value: []float64{100, 205, 450}[i]},
			{Name: "utilization", Value: 48}}}}
	})
}

// pageOf returns the page about some results, and its account.
func pageOf(r *experiments.Results, name string) (string, account) {
	f := validationFolder{name, r}
	a := accountOf(f, nil)
	return validationPage(f, &a, nil).String(), a
}

func TestAccountOfPrintedNumbers(t *testing.T) {
	text, _ := pageOf(accounted(t), "account")
	for _, want := range []string{
		"**1 of 5 printed numbers are within tolerance.** Failed: 2. Divisors only: 1. Not run: 1 (1: " +
			"log Nowhere-1999-1 is not available). Mean error: 23%. Worst cell: 50% (here paging:1, " +
			"finish_time relative to mbs: 4.5000 for a printed 3.0000). " +
			"[The account](account.csv) lists all.",
	} {
		if !strings.Contains(squeezed(text), want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Index(text, "**1 of 5") > strings.Index(text, " rules pass") {
		t.Error("the counts do not come first")
	}
}

// squeezed has one space where there are several.
func squeezed(s string) string { return regexp.MustCompile(" +").ReplaceAllString(s, " ") }

// The front page is made from accounts as they are read back from their files.
func TestFrontPage(t *testing.T) {
	dir := t.TempDir()
	_, want := pageOf(accounted(t), "account")
	if err := want.write(dir); err != nil {
		t.Fatal(err)
	}
	list, err := readAccounts(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]account{want}, list, cmp.AllowUnexported(account{}, ruleOutcome{},
		number{})); diff != "" {
		t.Errorf("the account differs\n%s", diff)
	}
	c := &Repository{Judge: claims.Judge{
		Load: func(string) *study.Study { return &study.Study{Misses: "MBS is late."} }}}
	text := c.front(list)
	for _, want := range []string{
		"- **1 of 4** printed numbers match within the precision of their paper. 2 do not, and 1 " +
			"serves only as a divisor.\n  Not run: 1 of 5 printed numbers\n" +
			"  (1: log Nowhere-1999-1 is not available).\n",
		// of 1, 1.025, 1.5 and 1.2
		"- **17%** is the geometric mean error of the numbers that were run.\n",
		"- **0 of 2** rules hold that compare",
		"| [account](validation/account.md) | Adams et al. 2003, Table 7 | Nowhere-1999-1 | 0 of 2 | " +
			"1 of 3, 1 not run | MBS is late. |\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestDamagedAccounts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "account.csv")
	header := strings.Join(accountColumns, ",") + "\n"
	for text, want := range map[string]string{
		"":                                     "no table with the header",
		"kind,name\n":                          "no table with the header",
		header + "rule\n":                      "no table with the header",
		header + "rule,a,b,so so,,,,,,\n":      path + ":2: the outcome of a rule is",
		header + "number,a,b,so so,,1,1,,,\n":  "the outcome of a number is",
		header + "number,a,b,within,,1,x,,,\n": "b of a has \"x\": want a number",
		header + "page,a,,,,,,,,\n":            "no rows are of the kind \"page\"",
	} {
		write(t, path, text)
		if _, err := readAccount(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// A page that is rewritten leaves the others as they are, and README has the sum of all accounts,
// whose numbers the figures show.
func TestOtherPagesStay(t *testing.T) {
	dir := t.TempDir()
	readme := filepath.Join(dir, "README.md")
	write(t, readme, "# a\n"+accuracyBegins+"\nold\n"+accuracyEnds+"\nb\n")
	c := &Repository{Root: dir, Judge: claims.Judge{Names: config.Builtin(),
		Load: func(string) *study.Study { return nil }}}
	rewrite := func(names ...string) {
		t.Helper()
		var folders []validationFolder
		for _, name := range names {
			folders = append(folders, validationFolder{name, accounted(t)})
		}
		if err := c.WriteValidation(folders, nil); err != nil {
			t.Fatal(err)
		}
	}
	read := func(path ...string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(append([]string{dir}, path...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	rewrite("account", "account-more")
	marked := read("docs", "validation", "account-more.md") + "\nby hand\n"
	write(t, filepath.Join(dir, "docs", "validation", "account-more.md"), marked)
	rewrite("account")
	if now := read("docs", "validation", "account-more.md"); now != marked {
		t.Errorf("the page is now\n%s", now)
	}
	front, now := read("docs", "VALIDATION.md"), read("README.md")
	if !strings.Contains(now, "of 10 printed numbers") ||
		now != "# a\n"+accuracyIn(front)+"\nb\n" {
		t.Errorf("README is\n%s", now)
	}
	for _, name := range []string{"validation.svg", "validation-ratio.svg"} {
		if read("docs", "figures", name); !strings.Contains(front, "(figures/"+name+")") {
			t.Errorf("the document does not show %s", name)
		}
	}
	for _, bad := range []string{"no marks", accuracyBegins} {
		if _, err := replaceAccuracy(bad, front); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

// A study whose flags changed it has nothing to say about printed numbers.
func TestChangedStudiesAreNotCounted(t *testing.T) {
	r := accounted(t)
	r.Study.Changed = []string{"--quick"}
	if text, a := pageOf(r, "account"); a.numbers != nil || strings.Contains(text, "printed numbers") {
		t.Errorf("%v are counted in\n%s", a.numbers, text)
	}
}

// The front page and the sentences in README are those of the accounts; each page has an account,
// and each with failed rules has a study that says why.
func TestFrontPageIsThatOfTheAccounts(t *testing.T) {
	root := filepath.Join("..", "..")
	c, err := openRepository(root, metrics.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	list, err := readAccounts(filepath.Join(root, "docs", pageFolder))
	if err != nil {
		t.Fatal(err)
	}
	want := c.front(list)
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
	fails, all := map[string]bool{}, tallyOf(list...) // fails is by study
	for i := range list {
		a := &list[i]
		if _, err := os.Stat(filepath.Join(root, "docs", pageFolder, a.name+".md")); err != nil {
			t.Error(err)
		}
		if slices.ContainsFunc(a.rules, func(r ruleOutcome) bool { return !r.passed }) {
			fails[c.studyOf(a.name).Name] = true
		}
	}
	for _, name := range studies.Names() {
		if misses := c.studyOf(name).Misses; (misses != "") != fails[name] {
			t.Errorf("%s: rules fail: %v; misses: %q", name, fails[name], misses)
		}
	}
	paper, err := os.ReadFile(filepath.Join(root, "docs", "paper.md"))
	counts := fmt.Sprintf("The papers print %d numbers; %d of them were run, of which %d match "+
		"within the precision that the papers state, %d do not", all.printed(), all.run(), all.of[within],
		all.failed())
	if err != nil || !strings.Contains(strings.ReplaceAll(string(paper), "\n", " "), counts) {
		t.Errorf("docs/paper.md does not say %q (%v)", counts, err)
	}
	if pages, err := filepath.Glob(filepath.Join(root, "docs", pageFolder, "*.md")); err != nil ||
		len(pages) != len(list) {
		t.Errorf("%d pages have %d accounts (%v)", len(pages), len(list), err)
	}
}

// The notes of a study are on its page; the page of a folder of another log links to it.
func TestNotesArePrintedOnce(t *testing.T) {
	dir := t.TempDir()
	f := validationFolder{"account-log", accounted(t)}
	f.Study.Notes = []string{"A note."}
	notes := func() string {
		p := newPage(f.Name)
		p.writeNotes(f.Study, pageOfNotes(f, []validationFolder{f}, dir))
		return p.String()
	}
	if text := notes(); !strings.HasSuffix(text, ":\n\n- A note.\n") {
		t.Errorf("without the page of the study: %q", text)
	}
	write(t, filepath.Join(dir, "account.md"), "# account\n")
	if text := notes(); !strings.HasSuffix(text, ": see [account](account.md).\n") {
		t.Errorf("beside the page of the study: %q", text)
	}
}

// The figures of published numbers have a point for each that is run.
func TestValidationFigures(t *testing.T) {
	_, a := pageOf(accounted(t), "account")
	scatter, ratio, ok := validationFigures([]account{a})
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
	want := map[[2]float64]bool{{100, 100}: true, {200, 205}: true, {300, 450}: true, {40, 48}: true}
	if diff := cmp.Diff(want, got); diff != "" || scatter.Diagonal != validationBand {
		t.Errorf("%s, band %v", diff, scatter.Diagonal)
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

// DEVIATIONS has the tied decisions on the log of KTH-SP2 of the account, printed and measured.
func TestTiesInDeviations(t *testing.T) {
	root := filepath.Join("..", "..", "docs")
	text, err := os.ReadFile(filepath.Join(root, "DEVIATIONS.md"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := readAccount(filepath.Join(root, pageFolder, "johnson-fig4.csv"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, n := range a.numbers {
		if n.metric != "decisions_tied" || !strings.HasPrefix(n.name, "KTH-SP2") {
			continue
		}
		for _, digits := range []string{n.published, n.measured} {
			found++
			if want := digits[:2] + "," + digits[2:]; !strings.Contains(string(text), want) {
				t.Errorf("DEVIATIONS does not have %s of %s", want, n.name)
			}
		}
	}
	if found != 4 {
		t.Errorf("the account has %d numbers of ties on KTH-SP2, not 4", found)
	}
}
