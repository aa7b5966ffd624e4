package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/report/tables"
	"contend/internal/input"
	"contend/internal/written"
)

// outcomesFile is the path of the outcomes of all evaluated rules.
var outcomesFile = filepath.Join("docs", "claims.csv")

// outcomeColumns heads outcomesFile.
var outcomeColumns = []string{"study", "rule", "seed", "holds", "groups", "value", "chance",
	"program", "rule_digest", "points_digest", "results_digest", "words"}

// fields returns the row of an outcome.
func (o *Outcome) fields() []string {
	return []string{o.Study, o.Rule, fmt.Sprint(o.Seed), fmt.Sprint(o.Holds), o.Groups, o.Value,
		string(o.Chance), o.Program, o.Digests.Rule, o.Points, o.Results, o.Words}
}

// readOutcomes returns the outcomes that docs/claims.csv holds, none if it is not there.
func readOutcomes(root string) (list []Outcome, err error) {
	path := filepath.Join(root, outcomesFile)
	rows, err := readRows(path, outcomeColumns)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for i, f := range rows {
		seed, err := strconv.ParseInt(f[2], 10, 64)
		holds, badBool := strconv.ParseBool(f[3])
		if err := cmp.Or(err, badBool); err != nil {
			return nil, &input.Error{Where: fmt.Sprintf("%s:%d", path, i+2), Problem: err.Error(),
				Right: "run make docs with the results of the study " + f[0]}
		}
		list = append(list, Outcome{Study: f[0], Rule: f[1], Seed: seed, Holds: holds, Groups: f[4],
			Value: f[5], Chance: Chance(f[6]), Program: f[7],
			Digests: Digests{Rule: f[8], Points: f[9], Results: f[10]}, Words: f[11]})
	}
	return list, err
}

// writeOutcomes writes docs/claims.csv.
func writeOutcomes(root string, list []Outcome) error {
	rows := make([][]string, len(list))
	for i := range list {
		rows[i] = list[i].fields()
	}
	return writeRows(filepath.Join(root, outcomesFile), outcomeColumns, rows)
}

// mergeOutcomes returns old and new outcomes sorted by study and rule. New outcomes replace all old
// ones of the same study and seed.
func mergeOutcomes(old, evaluated []Outcome) []Outcome {
	list := slices.DeleteFunc(slices.Clone(old), func(o Outcome) bool {
		return slices.ContainsFunc(evaluated, func(n Outcome) bool {
			return n.Study == o.Study && n.Seed == o.Seed
		})
	})
	list = append(list, evaluated...)
	slices.SortStableFunc(list, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(a.Study, b.Study), cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Seed, b.Seed))
	})
	return list
}

// WriteClaims evaluates the named rules of the studies whose results are in some folders. It
// replaces their rows of docs/claims.csv and writes docs/claims.md from all rows.
func (c *Repository) WriteClaims(dirs []string) error {
	var evaluated []Outcome
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
		evaluated = append(evaluated, list...)
	}
	list := mergeOutcomes(c.Outcomes, evaluated)
	if err := writeOutcomes(c.Root, list); err != nil {
		return err
	}
	return written.Replace(filepath.Join(c.Root, "docs", "claims.md"), []byte(c.claimsPage(list)))
}

// claimsHead begins the page of claims.
const claimsHead = `# Claims

Documents conclude by the rules of studies: the comment claim after a sentence names its rule.
` + "`contend compare`" + ` judges the same rules, and ` + "`contend show STUDY`" + ` prints
their reasons. A rule has to hold with two seeds, unless nothing is drawn in its points or only the
windows of a log differ between runs.

` + "`make docs`" + ` writes this page and [claims.csv](claims.csv) from the results in out. A row
of claims.csv is the outcome of a rule with one seed: its value, the program that made the runs, and
digests of the rule, of its points, and of its metric in the study's golden file. An outcome is
stale when one of the digests differs from that of today. A ratio is the geometric mean over pairs
of runs with the same jobs; its 95% interval follows in parentheses.

`

// claimsPage returns the page with a row for each study, and below all rules that documents cannot
// conclude by.
func (c *Repository) claimsPage(list []Outcome) string {
	var b strings.Builder
	b.WriteString(claimsHead)
	grid := [][]string{{"study", "rules", "hold", "seeds", "programs"}}
	exceptions := ""
	for _, ofStudy := range groupBy(list, func(o *Outcome) string { return o.Study }) {
		rules, hold := 0, 0
		var seeds, programs []string
		for _, ofRule := range groupBy(ofStudy, func(o *Outcome) string { return o.Rule }) {
			rules++
			if why := c.barred(ofRule); why != "" {
				exceptions += fmt.Sprintf("- %s.%s (%s): %s.\n", ofRule[0].Study, ofRule[0].Rule,
					ofRule[0].Words, why)
			} else {
				hold++
			}
			for i := range ofRule {
				seeds = append(seeds, fmt.Sprint(ofRule[i].Seed))
				programs = append(programs, ofRule[i].Program)
			}
		}
		seeds, programs = tables.Unique(seeds), tables.Unique(programs)
		grid = append(grid, []string{ofStudy[0].Study, fmt.Sprint(rules), fmt.Sprint(hold),
			strings.Join(seeds, ", "), strings.Join(programs, ", ")})
	}
	b.WriteString(tables.MarkdownTable(grid, 1))
	if exceptions != "" {
		b.WriteString("\nRules by which no document can conclude:\n\n" + exceptions)
	}
	return b.String()
}

// barred returns the reason why no document can conclude by a rule with some outcomes, one for each
// seed, "" if documents can.
func (c *Repository) barred(outcomes []Outcome) string {
	st := c.studyOf(outcomes[0].Study)
	if st == nil {
		return "the study is not built in"
	}
	t := ruleOf(st, outcomes[0].Rule)
	if t == nil {
		return "the study " + st.Name + " has no rule of this name"
	}
	now, err := digestsOf(c.Root, st, t, c.Names)
	if err != nil {
		return err.Error()
	}
	for _, o := range outcomes {
		if why := stale(o.Digests, now); why != "" {
			return fmt.Sprintf("the outcome of seed %d is stale: %s; run the study again, then make docs",
				o.Seed, why)
		}
		if !o.Holds {
			value := ""
			if o.Value != "" {
				value = "; " + o.Value
			}
			return fmt.Sprintf("the rule fails with seed %d: %s%s", o.Seed, o.Groups, value)
		}
	}
	if len(outcomes) < 2 && outcomes[0].Chance == Drawn {
		return fmt.Sprintf("evaluated with seed %d alone, and its points are drawn: run another seed",
			outcomes[0].Seed)
	}
	return ""
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
