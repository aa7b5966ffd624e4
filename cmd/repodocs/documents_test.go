package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"contend/experiments/metrics"
)

// ours is this repository, whose studies are loaded once.
var ours = sync.OnceValues(func() (*Repository, error) {
	return openRepository(filepath.Join("..", ".."), metrics.Builtin())
})

// repository returns this repository.
func repository(t *testing.T) *Repository {
	t.Helper()
	c, err := ours()
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
		if isGenerated(name) {
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

// Every table of numbers is tested output, is written by make docs from stored runs of today's
// study, or says where its constants are from.
func TestTablesAreOfStoredRuns(t *testing.T) {
	c := repository(t)
	noProblems(t, c, c.Tables)
}

// Every number that documents have of a rule is that of the rows, every verdict in words is that of
// all seeds, and the rows and the table of claims have the sentences of documents.
func TestDocumentsConcludeByRules(t *testing.T) {
	c := repository(t)
	files, problems, err := c.claimFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
	for name, want := range files {
		text, err := os.ReadFile(filepath.Join(c.Root, name))
		if err != nil || string(text) != want {
			t.Errorf("%s is not what make docs writes (%v)", name, err)
		}
	}
}
