package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"contend/experiments/report/tables"
	"contend/internal/input"
	"contend/internal/written"
)

// WriteClaims evaluates the named rules of the studies whose results are in some folders. It
// replaces their rows of docs/claims.csv and writes docs/claims.md from all rows.
func (c *Repository) WriteClaims(dirs []string) error {
	var anew []Outcome
	from := map[string]string{} // the folder by study and seed
	for _, dir := range dirs {
		list, err := c.Evaluate(dir)
		if err != nil {
			return err
		}
		if len(list) > 0 {
			key := fmt.Sprintf("seed %d of %s", list[0].Seed, list[0].Study)
			if from[key] != "" {
				return &input.Error{Where: dir, Problem: from[key] + " has " + key + " too",
					Right: "give one folder for each seed"}
			}
			from[key] = dir
		}
		anew = append(anew, list...)
	}
	list := mergeOutcomes(c.Outcomes, anew)
	if err := writeOutcomes(c.Root, list); err != nil {
		return err
	}
	return written.Replace(filepath.Join(c.Root, "docs", "claims.md"), []byte(claimsPage(list)))
}

// claimsHead begins the page of claims.
const claimsHead = `# Claims

Each row is a rule of a study, by which documents conclude: the comment claim stands behind the
sentence. ` + "`contend compare`" + ` judges the same rules, and ` + "`contend show STUDY`" + ` says
what each rests on. A ratio is the geometric mean over pairs of runs with the same jobs; its 95%
interval stands in parentheses. A rule has to hold with two seeds, unless nothing is drawn in its
points or the windows of a log are all that differs between runs.

` + "`make docs`" + ` writes this page, and docs/claims.csv beside it, from the results in out. The
digests are of the rule, of the points that it selects, and of the metric in the study's golden
file: a row is stale when one differs from that of today, and a test then fails.
`

// claimsPage returns the page with a section for each study and a row for each rule.
func claimsPage(list []Outcome) string {
	var b strings.Builder
	b.WriteString(claimsHead)
	for _, ofStudy := range groupBy(list, func(o *Outcome) string { return o.Study }) {
		grid := [][]string{{"rule", "asks", "outcome", "verdict", "chance", "program", "digests"}}
		for _, ofRule := range groupBy(ofStudy, func(o *Outcome) string { return o.Rule }) {
			grid = append(grid, ruleRow(ofRule))
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s", ofStudy[0].Study, tables.MarkdownTable(grid, 7))
	}
	return b.String()
}

// groupBy cuts a list where the value of key changes.
func groupBy(list []Outcome, key func(*Outcome) string) (groups [][]Outcome) {
	for i := range list {
		if i == 0 || key(&list[i]) != key(&list[i-1]) {
			groups = append(groups, nil)
		}
		last := &groups[len(groups)-1]
		*last = append(*last, list[i])
	}
	return groups
}

// ruleRow returns the row of a rule from its outcomes, one for each seed.
func ruleRow(list []Outcome) []string {
	verdict := "holds"
	var bySeed, programs []string
	for i := range list {
		o := &list[i]
		text := fmt.Sprintf("seed %d: %s", o.Seed, o.Groups)
		if o.Value != "" {
			text += ", " + o.Value
		}
		bySeed, programs = append(bySeed, text), append(programs, o.Program)
		if !o.Holds {
			verdict = "FAILS"
		}
	}
	o := &list[0]
	return []string{o.Rule, o.Words, strings.Join(bySeed, "; "), verdict, string(o.Chance),
		strings.Join(tables.Unique(programs), ", "),
		strings.Join([]string{o.Digests.Rule, o.Points, o.Results}, " ")}
}
