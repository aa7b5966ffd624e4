package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Rules that require the same for the same reason are one line, which counts those that passed and
// has the others in full; a reason that is that of the line above is not repeated.
func TestRulesOfPages(t *testing.T) {
	p := newPage("study")
	p.writeRules([]judgedRule{
		{"latency: within 3%, where load = 1", "2 of 2 cells", "a reason.", true},
		{"load: within 3%", "1 of 2 cells", "a reason", false},
		{"latency: within 3%, where load = 2", "1 of 2 cells", "a reason.", false},
		{"latency: within 3%, where load = 3", "2 of 2 cells", "", true},
		{"latency: within 3%, where load = 4", "3 of 3 cells", "", true}})
	const want = `
Rules, each of which is in [the account](study.csv):

- latency: within 3%: passed for 1 of 2 sets of points, failed for load = 2 (1 of 2 cells). Why: a reason.
- load: within 3%: failed, 1 of 2 cells. Why: as above.
- latency: within 3%: passed for 2 of 2 sets of points.
`
	if diff := cmp.Diff(want, p.String()); diff != "" {
		t.Error(diff)
	}
}

// A conclusion about many groups states their range; the table beside the page has every value.
func TestConclusionsOfPages(t *testing.T) {
	few := conclusion{judgedRule: judgedRule{rule: "few: at most 2", passed: true}, name: "few",
		value: "1 to 2, worst b: 2", details: [][]string{{"a", "1"}, {"b", "2"}}}
	many := conclusion{judgedRule: judgedRule{rule: "many: at most 1", why: "so"}, name: "many",
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
