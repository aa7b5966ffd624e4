package stored

import (
	"os"
	"path/filepath"
	"testing"

	"contend/experiments/cosim/metrics"
)

// eachDocument calls f for every Markdown file of the repository.
func eachDocument(t *testing.T, f func(path, text string)) (root string) {
	t.Helper()
	root = filepath.Join("..", "..", "..")
	n := 0
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "examples/*.md",
		"examples/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			n++
			name, err := filepath.Rel(root, path)
			if err != nil {
				t.Fatal(err)
			}
			f(filepath.ToSlash(name), string(text))
		}
	}
	if n < 10 {
		t.Fatalf("%d documents", n)
	}
	return root
}

// Every sentence of the documents that is marked with a rule follows from it: the rule exists, and
// holds in stored runs of today's study, with two seeds where something is drawn.
func TestDocumentsConcludeByRulesThatHold(t *testing.T) {
	c, err := NewChecker(filepath.Join("..", "..", ".."), metrics.Builtin().Names())
	if err != nil {
		t.Fatal(err)
	}
	eachDocument(t, func(path, text string) {
		for _, p := range c.Claims(text) {
			t.Errorf("%s:%d: %s", path, p.Line, p.Text)
		}
	})
}

// docs/claims.md is made from docs/claims.csv.
func TestClaimsPageIsThatOfTheOutcomes(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	list, err := ReadOutcomes(root)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "docs", "claims.md"))
	if err != nil || string(page) != claimsPage(list) {
		t.Errorf("docs/claims.md is not what make docs writes (%v)", err)
	}
}
