package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"contend/internal/input"
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
