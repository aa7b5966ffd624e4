// Command repodocs writes the pages of this repository that hold results or describe the program.
// It is no part of the program that users install.
//
//	go run ./cmd/repodocs reference
//
// writes docs/reference.
//
//	go run ./cmd/repodocs validation DIR...
//
// writes a page of docs/validation for each folder of results, which compares the numbers that a
// paper printed with the measured ones. Beside the page are its account as CSV and, in a folder of
// its name, the rows of long tables. From the accounts of all pages it writes docs/VALIDATION.md
// with its figures, and the sentences about accuracy in README.md. So a page is rewritten without
// the results of the others.
//
//	go run ./cmd/repodocs claims OUT
//
// judges the named rules of the studies whose results are in folders of OUT. It writes every
// outcome to experiments/studies/claims.csv, the table of those by which documents conclude to
// docs/claims.md, and the numbers of rules into the sentences of documents, each between its mark,
// claim: STUDY.RULE FORM, and the comment /claim. The mark of a sentence that concludes in words has
// the verdict of the rule instead of a form. An outcome holds as long as its rule, its points, and
// the column of its metric in the study's golden file are the same (claims.Digests). Tests find
// numbers that were changed by hand, verdicts that are not those of all seeds, and tables of numbers
// that neither a stored run nor a tested block gives.
//
//	go run ./cmd/repodocs tables OUT
//
// writes the tables in documents whose folders of results are in OUT.
//
//	go run ./cmd/repodocs claimed
//
// prints the commands that make the runs of all rules by which documents conclude.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"contend/experiments"
	"contend/experiments/metrics"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "repodocs:", err)
		os.Exit(2)
	}
}

// run writes the pages that the arguments name into the working directory, the repository's root.
func run(args []string) error {
	c, err := openRepository(".", metrics.Builtin())
	switch {
	case err != nil:
		return err
	case len(args) == 1 && args[0] == "reference":
		return writeReference(filepath.Join("docs", "reference"))
	case len(args) > 0 && args[0] == "validation":
		return c.writeValidation(args[1:])
	case len(args) == 2 && args[0] == "claims":
		return c.WriteClaims(args[1])
	case len(args) == 2 && args[0] == "tables":
		return c.FillTables(args[1])
	case len(args) == 1 && args[0] == "claimed":
		fmt.Println(strings.Join(c.claimCommands(), "\n"))
		return nil
	}
	return errors.New("give reference, claimed, tables or claims and a folder, or validation and the " +
		"folders whose pages to write again")
}

// writeValidation writes the pages about the results in some folders. A page has the name of its
// folder, if that begins with the name of the study, and otherwise the study's.
func (c *Repository) writeValidation(dirs []string) error {
	var folders []validationFolder
	for _, dir := range dirs {
		r, err := experiments.ReadFolder(dir, c.Names)
		if err != nil {
			return err
		}
		name := filepath.Base(filepath.Clean(dir))
		if !strings.HasPrefix(name, r.Study.Name) {
			name = r.Study.Name
		}
		folders = append(folders, validationFolder{Name: name, Results: r})
	}
	return c.WriteValidation(folders, []string{"traces", filepath.Join("..", "shared", "traces")})
}
