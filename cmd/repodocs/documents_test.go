package main

import (
	"os"
	"path/filepath"
	"slices"
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

// document is Markdown, as lines of prose and fenced blocks.
type document struct {
	prose  []line
	blocks []block
}

// line is a line outside of blocks.
type line struct {
	number int // the first line is 1
	text   string
}

// block is a fenced block.
type block struct {
	words []string // its language and the other words after the fence
	text  string
}

// parseDocument cuts a document into lines and blocks.
func parseDocument(text string) *document {
	d, open := &document{}, false
	for i, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		fence, isFence := strings.CutPrefix(l, "```")
		switch {
		case isFence && !open:
			d.blocks, open = append(d.blocks, block{words: strings.Fields(fence)}), true
		case isFence:
			open = false
		case open:
			d.blocks[len(d.blocks)-1].text += l + "\n"
		default:
			d.prose = append(d.prose, line{i + 1, l})
		}
	}
	return d
}

// study returns the block that holds the study of that name, and its file, "" if there is none.
func (d *document) study(name string) (text, file string) {
	for _, b := range d.blocks {
		for _, w := range b.words {
			if file, ok := strings.CutPrefix(w, "file="); ok &&
				strings.TrimSuffix(filepath.Base(file), ".toml") == name {
				return b.text, file
			}
		}
	}
	return "", ""
}

// outputs counts the lines with a beginning in blocks that tests compare with the program's output.
func (d *document) outputs(begins string) (n int) {
	for _, b := range d.blocks {
		if !slices.Contains(b.words, "output") {
			continue
		}
		for l := range strings.SplitSeq(b.text, "\n") {
			if strings.HasPrefix(l, begins) {
				n++
			}
		}
	}
	return n
}
