package main

import (
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/report"
	"contend/experiments/study"

	"github.com/google/go-cmp/cmp"
)

// Rules that require the same for the same reason are one line, if one of them fails, which counts
// those that passed and has the others in full; a reason that is that of the line above is not
// repeated.
func TestRulesOfPages(t *testing.T) {
	p := newPage("study")
	p.writeRules([]report.Verdict{
		{Rule: "latency: within 3%, where load = 1", Summary: "2 of 2 cells", Why: "R.", Pass: true},
		{Rule: "load: within 3%", Summary: "1 of 2 cells", Why: "R", Pass: false},
		{Rule: "latency: within 3%, where load = 2", Summary: "1 of 2 cells", Why: "R.", Pass: false},
		{Rule: "latency: within 3%, where load = 3", Summary: "2 of 2 cells", Why: "", Pass: true},
		{Rule: "latency: within 3%, where load = 4", Summary: "3 of 3 cells", Why: "", Pass: true}})
	const want = `
3 of 5 rules pass; [the account](study.csv) has all with their reasons. Those that fail:

- latency: within 3%: passed for 1 of 2 sets of points, failed for load = 2 (1 of 2 cells). Why: R.
- load: within 3%: 1 of 2 cells. Why: as above.
`
	if diff := cmp.Diff(want, p.String()); diff != "" {
		t.Error(diff)
	}
	p = newPage("study")
	p.writeRules([]report.Verdict{{Rule: "load: within 3%", Pass: true}})
	if want := "\n1 of 1 rules pass; [the account](study.csv) has all with their reasons.\n"; p.String() != want {
		t.Errorf("%q", p.String())
	}
}

// A conclusion about many groups states their range; the table beside the page has every value.
func TestConclusionsOfPages(t *testing.T) {
	few := conclusion{Verdict: report.Verdict{Name: "few", Rule: "few: at most 2", Pass: true},
		value: "1 to 2, worst b: 2", details: [][]string{{"a", "1"}, {"b", "2"}}}
	many := conclusion{Verdict: report.Verdict{Name: "many", Rule: "many: at most 1", Why: "so"},
		value: "1 to 5, worst e: 5, outside", details: [][]string{{"a", "1"}, {"b", "2"}, {"c", "3"},
			{"d", "4"}, {"e", "5, outside"}}}
	p := newPage("study")
	p.writeConclusions([]conclusion{few})
	if want := "\nConclusions:\n\n- few: at most 2: a: 1; b: 2.\n"; p.String() != want {
		t.Errorf("%q, want %q", p.String(), want)
	}
	p = newPage("study")
	p.writeConclusions([]conclusion{few, many})
	if !strings.HasSuffix(p.String(), "[a table](study/conclusions.csv) has every value:\n\n"+
		"- few: at most 2: a: 1; b: 2.\n"+
		"- does not hold: many: at most 1: 5 groups from 1 to 5, worst e: 5, outside. Why: so.\n") {
		t.Error(p.String())
	}
	if got := p.files["conclusions.csv"]; len(got) != 8 || got[7][2] != "5, outside" {
		t.Errorf("the table is %v", got)
	}
}

// textStudy has two numbers and a sentence of a text, and a conclusion of its own.
const textStudy = `
name = "text"
cites = "Adams, Brown and Cole, A paper, 2003, sec. 2"
[job]
run = "fixed"
[runs]
replications = 1
[[axes]]
key = "allocator"
values = ["mbs", "random", "paging:1"]
[[tolerances]]
name = "both"
rule = "bounds"
metric = "finish_time"
printed = "1,000"
where = { allocator = ["mbs", "random"] }
[[tolerances]]
name = "alone"
rule = "bounds"
metric = "finish_time"
printed = "10.0"
where = { allocator = "paging:1" }
[[tolerances]]
name = "sooner"
rule = "bounds"
metric = "finish_time"
printed = "ends sooner"
of = "mbs"
relative_to = "random"
max = 1
[[tolerances]]
name = "ours"
rule = "bounds"
metric = "finish_time"
max = 5000
`

// A number of a text counts once, as far off as the farthest of its groups; sentences are rules.
func TestNumbersOfTheText(t *testing.T) {
	times := map[string]float64{"mbs": 1000.2, "random": 1250}
	r := experimentstest.Stored(t, experimentstest.MustParse(t, textStudy), config.Builtin(),
		func(_ int, p *study.Point) []metrics.Result {
			if x, ran := times[p.Labels[0]]; ran {
				return experimentstest.OfMetric("finish_time", x)
			}
			return nil
		})
	text, a := pageOf(r, "text")
	want := []number{
		{name: "random", metric: "finish_time", outcome: failed, published: "1000", measured: "1250.0"},
		{name: "paging:1", metric: "finish_time", outcome: notRun, reason: "not run", published: "10.0"}}
	if diff := cmp.Diff(want, a.numbers, cmp.AllowUnexported(number{})); diff != "" {
		t.Error(diff)
	}
	if len(a.rules) != 3 || a.rules[0].passed || !a.rules[2].passed {
		t.Errorf("rules %+v", a.rules)
	}
	for _, line := range []string{
		"**0 of 2 printed numbers are within tolerance.** Failed: 1. Not run: 1 (1: not run). Mean " +
			"error: 25%. Worst cell: 25% (random, finish_time: 1250.0 for a printed 1,000). [The account]",
		"| both | mbs | 1,000 | 1000 | yes |",
		"| both | random | 1,000 | 1250 | no |",
		"| alone | paging:1 | 10.0 | not run | no |",
		"| sooner | 1 group | ends sooner | 0.8002 | yes |",
		"- does not hold: ours: finish_time: at most 5000:",
	} {
		if !strings.Contains(squeezed(text), line) {
			t.Errorf("%q is not in\n%s", line, text)
		}
	}
	if strings.Contains(text, "- sooner") {
		t.Error("a claim of the paper is among conclusions of our own")
	}
}
