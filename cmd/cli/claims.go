package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments/claims"
	"contend/experiments/report/tables"
	"contend/internal/input"

	"github.com/spf13/cobra"
)

// claimsLong is the help text of contend claims.
const claimsLong = `Print what the documents of contend conclude from the built-in studies, or from
some: a Markdown table with the rules that a sentence rests on, the number and the interval that they
measured, the verdict, the seeds, and the command that makes the runs. contend show STUDY prints the
bounds and the reasons of rules.

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
func claimsOf(names []string) ([]claims.Row, error) {
	rows := claims.Cited(claims.Builtin())
	known := studiesOf(rows)
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, input.Bad("", input.OneOf(name, known), "no document concludes by a study %s", name)
		}
	}
	return slices.DeleteFunc(rows, func(r claims.Row) bool {
		return len(names) > 0 && !slices.Contains(names, r.Study)
	}), nil
}

// studiesOf lists the studies of rows.
func studiesOf(rows []claims.Row) (names []string) {
	for i := range rows {
		names = append(names, rows[i].Study)
	}
	return tables.Unique(names)
}

// printClaims prints the table of rows.
func (a *app) printClaims(rows []claims.Row) {
	fmt.Fprint(a.stdout, claims.Table(rows, func(r *claims.Row) string {
		return fmt.Sprintf("%s (%s)", r.Sentence, r.Place)
	}))
}

// judgeClaims judges rules by stored runs of a seed.
func (a *app) judgeClaims(documented []claims.Row, seed int64) error {
	judge := claims.New(a.names)
	var rows []claims.Row
	var commands, changed []string
	for _, name := range studiesOf(documented) {
		of := slices.DeleteFunc(slices.Clone(documented), func(r claims.Row) bool {
			return r.Study != name
		})
		drawn := slices.ContainsFunc(of, func(r claims.Row) bool { return r.Seed != of[0].Seed })
		stored, err := storedClaims(&judge, name, seed, drawn)
		if err != nil {
			return err
		}
		for _, rule := range claims.ByRule(of) {
			r := &rule[0]
			at := slices.IndexFunc(stored, func(o claims.Row) bool { return o.Rule == r.Rule })
			switch {
			case at < 0 && drawn:
				commands = append(commands, claims.CommandOf(name, seed))
			case at < 0:
				commands = append(commands, r.Command)
			default:
				now := stored[at]
				now.Place, now.Sentence = r.Place, r.Sentence
				rows = append(rows, now)
				if said := claims.Verdicts(rule); !slices.Contains(said, now.Verdict) {
					changed = append(changed, fmt.Sprintf("%s.%s: %s, in documents %s", name, r.Rule, now.Verdict,
						strings.Join(said, " or ")))
				}
			}
		}
	}
	if rows != nil {
		a.printClaims(rows)
	}
	for _, text := range changed {
		fmt.Fprintln(a.stdout, "changed  "+text)
	}
	if commands != nil {
		fmt.Fprintf(a.stdout, "Not run:\n  %s\n", strings.Join(tables.Unique(commands), "\n  "))
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
