package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/patterns"

	"github.com/google/go-cmp/cmp"
)

func mustPages(t *testing.T) map[string]string {
	t.Helper()
	texts, err := referencePages()
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// docs/reference is what the templates give, no page more or less.
func TestReferenceIsUpToDate(t *testing.T) {
	committed, texts := filepath.Join("..", "..", "docs", "reference"), mustPages(t)
	for name, text := range texts {
		have, err := os.ReadFile(filepath.Join(committed, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(text, string(have)); diff != "" {
			t.Errorf("run: go run ./cmd/repodocs reference\n%s: %s", name, diff)
		}
	}
	entries, err := os.ReadDir(committed)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(texts) {
		t.Errorf("docs/reference has %d pages, and %d are written", len(entries), len(texts))
	}
}

// A file is on the page of columns with every column, and each column has a meaning.
func TestColumnsAreDescribed(t *testing.T) {
	page := mustPages(t)["columns.md"]
	for name, f := range describedFiles() {
		if !strings.Contains(page, "\n## "+name+"\n") {
			t.Errorf("%s is not on the page", name)
		}
		for _, c := range f.columns {
			if c.Meaning == "" {
				t.Errorf("%s: %s has no meaning", name, c.Name)
			}
		}
	}
}

var form = regexp.MustCompile("(?m)^\\| `[^`]+` \\| `([^`]+)` \\| [^|]+ \\|$")

// The examples of short forms are read as what they claim to be.
func TestFormsParse(t *testing.T) {
	parse := map[string]func(text string) error{
		"allocator": func(text string) error {
			if _, bad := config.Builtin().CanonicalAllocator(text); bad != nil {
				return bad
			}
			return nil
		},
		"mix":  func(text string) error { _, err := config.ParseMix(text); return err },
		"rule": func(text string) error { _, err := config.ParseRule(text); return err },
		"machine": func(text string) error {
			if _, bad := config.Builtin().MachineKeys(text); bad != nil {
				return bad
			}
			return nil
		},
	}
	for part := range strings.SplitSeq(mustPages(t)["names.md"], "\n## ") {
		kind, is := strings.CutPrefix(strings.SplitN(part, "\n", 2)[0], "Grammar: ")
		if !is {
			continue
		}
		examples := form.FindAllStringSubmatch(part, -1)
		if parse[kind] == nil || len(examples) == 0 {
			t.Fatalf("no test for %s, or no example", kind)
		}
		for _, e := range examples {
			if err := parse[kind](e[1]); err != nil {
				t.Errorf("%s %s: %v", kind, e[1], err)
			}
		}
		delete(parse, kind)
	}
	if len(parse) > 0 {
		t.Errorf("forms that are not on the page: %v", parse)
	}
}

// Every pattern with sizes in bytes is counted, and no other.
func TestPatternsAreCounted(t *testing.T) {
	_, counted, _ := strings.Cut(mustPages(t)["patterns.md"], "## Patterns with sizes in bytes")
	for _, i := range patterns.Names() {
		if want := !patterns.OwnSizes(i.Name); strings.Contains(counted, "| `"+i.Name+"`") == want {
			t.Errorf("%s: counted or not, where it should be otherwise", i.Name)
		}
	}
}
