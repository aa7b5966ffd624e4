package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments/claims"
	"contend/experiments/report/tables"
	"contend/experiments/studies"
	"contend/experiments/study"
	"contend/internal/input"

	"github.com/spf13/cobra"
)

// claimsLong is the help text of contend claims.
const claimsLong = `Print what the documents of contend conclude from the built-in studies, or from
some: a Markdown table with the rules that a sentence rests on, the number and the interval that they
measured, the verdict, the seeds, and the command that makes the runs with the minutes that
it takes on two processors. contend show STUDY prints the bounds and the reasons of rules.

With --seed, judge the same rules by stored runs of that seed, in out/STUDY or out/STUDY-seedN, and
list the commands that make the runs that are not there. The exit status is 1 if a verdict is not
that of the documents. Studies in which nothing is drawn are judged by their only runs.`

// claimsCommand returns the command contend claims.
func (a *app) claimsCommand() *cobra.Command {
	var seed int64
	c := &cobra.Command{
		Use: "claims [STUDY...]", Short: "Print what documents conclude, and judge it by another seed",
		Long: claimsLong,
		RunE: func(c *cobra.Command, args []string) error {
			rows, err := claimsOf(args)
			switch {
			case err != nil:
				return err
			case !c.Flags().Changed("seed"):
				a.printClaims(rows)
				return nil
			case seed < 0:
				return input.Bad("", "give 0 or a larger number", "--seed is %d", seed)
			}
			return a.judgeClaims(rows, seed)
		},
	}
	c.Flags().Int64Var(&seed, "seed", 0, "judge stored runs of this seed: `N`")
	return c
}

// claimsOf returns the rows of the rules of some studies, of all if none is named.
func claimsOf(names []string) (rows []claims.Row, err error) {
	all := claims.Cited(claims.Builtin())
	var known []string
	for i := range all {
		known = append(known, all[i].Study)
	}
	known = tables.Unique(known)
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, input.Bad("", input.OneOf(name, known), "no document concludes by a study %s", name)
		}
	}
	return slices.DeleteFunc(all, func(r claims.Row) bool {
		return len(names) > 0 && !slices.Contains(names, r.Study)
	}), nil
}

// printClaims prints the table of rows.
func (a *app) printClaims(rows []claims.Row) {
	fmt.Fprint(a.stdout, claims.Table(rows, func(r *claims.Row) string {
		return fmt.Sprintf("%s (%s)", r.Sentence, r.Place)
	}))
}

// judgeClaims judges rules by stored runs of a seed.
func (a *app) judgeClaims(documented []claims.Row, seed int64) error {
	judge := claims.Judge{Names: a.names, Load: func(name string) *study.Study {
		if !slices.Contains(studies.Names(), name) {
			return nil
		}
		st, err := study.Load(name, a.names)
		if err != nil {
			panic("cli: the built-in study " + name + ": " + err.Error())
		}
		return st
	}}
	var rows []claims.Row
	var commands, changed []string
	judged, drawn := map[string][]claims.Row{}, map[string]bool{}
	for i := range documented {
		drawn[documented[i].Study] = drawn[documented[i].Study] || documented[i].Chance == claims.Drawn
	}
	for _, rule := range claims.ByRule(documented) {
		r := &rule[0]
		command := r.Command
		if drawn[r.Study] {
			command = claims.CommandOf(r.Study, seed)
		}
		list, done := judged[r.Study]
		if !done {
			var err error
			if list, err = storedClaims(&judge, r.Study, seed, drawn[r.Study]); err != nil {
				return err
			}
			judged[r.Study] = list
		}
		at := slices.IndexFunc(list, func(o claims.Row) bool { return o.Rule == r.Rule })
		if at < 0 {
			commands = append(commands, command)
			continue
		}
		now := list[at]
		now.Place, now.Sentence, now.Minutes = r.Place, r.Sentence, r.Minutes
		if rows = append(rows, now); now.Verdict != r.Verdict {
			changed = append(changed, fmt.Sprintf("%s.%s: %s, in documents %s", r.Study, r.Rule, now.Verdict,
				r.Verdict))
		}
	}
	if rows != nil {
		a.printClaims(rows)
	}
	for _, text := range changed {
		fmt.Fprintln(a.stdout, "changed  "+text)
	}
	if commands = tables.Unique(commands); commands != nil {
		fmt.Fprintf(a.stdout, "Not run:\n  %s\n", strings.Join(commands, "\n  "))
	}
	if changed != nil {
		return errOutside
	}
	return nil
}

// storedClaims returns the rows that stored runs of a seed give for a study, of any seed if nothing
// is drawn in it, none if they are in neither folder.
func storedClaims(judge *claims.Judge, study string, seed int64, drawn bool) ([]claims.Row, error) {
	for _, folder := range []string{fmt.Sprintf("%s-seed%d", study, seed), study} {
		dir := filepath.Join("out", folder)
		if _, err := os.Stat(filepath.Join(dir, "spec.toml")); err != nil {
			continue
		}
		rows, err := judge.Folder(dir)
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 && (rows[0].Seed == seed || !drawn) {
			return rows, nil
		}
	}
	return nil, nil
}
