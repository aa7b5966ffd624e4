package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/metrics"
)

// repository returns this repository.
func repository(t *testing.T) *Repository {
	t.Helper()
	c, err := openRepository(filepath.Join("..", ".."), metrics.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// noProblems fails for each problem that a check finds in a document. It leaves out the pages that
// the program writes.
func noProblems(t *testing.T, c *Repository, check func(document string) []Problem) {
	t.Helper()
	paths, err := c.Documents()
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d documents, %v", len(paths), err)
	}
	for _, path := range paths {
		name := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		if strings.HasPrefix(name, "docs/reference/") || strings.HasPrefix(name, "docs/validation/") ||
			name == "docs/VALIDATION.md" || name == "docs/claims.md" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range check(string(text)) {
			t.Errorf("%s:%d: %s", name, p.Line, p.Text)
		}
	}
}

// Every sentence of the documents that is marked with a rule follows from it: the rule exists, and
// holds in stored runs of today's study, with two seeds where something is drawn.
func TestDocumentsConcludeByRulesThatHold(t *testing.T) {
	c := repository(t)
	noProblems(t, c, c.Claims)
}

// Every table of numbers is tested output, is written by make docs from stored runs of today's
// study, or says where its constants are from.
func TestTablesAreOfStoredRuns(t *testing.T) {
	c := repository(t)
	noProblems(t, c, c.Tables)
}

// docs/claims.md is made from docs/claims.csv.
func TestClaimsPageIsThatOfTheOutcomes(t *testing.T) {
	c := repository(t)
	page, err := os.ReadFile(filepath.Join(c.Root, "docs", "claims.md"))
	if err != nil || string(page) != c.claimsPage(c.Outcomes) {
		t.Errorf("docs/claims.md is not what make docs writes (%v)", err)
	}
}
