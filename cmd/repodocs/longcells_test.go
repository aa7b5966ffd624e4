package main

import (
	"strings"
	"testing"
)

// A longer text is cut behind its last clause, outside of brackets and quotes.
func TestCut(t *testing.T) {
	long := strings.Repeat("word ", 21)
	for _, c := range []struct{ text, head, rest string }{
		{"short; as it is", "short; as it is", ""},
		{long + "a; b c d", long + "a; b c d", ""},
		{long + "a; b c d e", long + "a", "b c d e"},
		{"one; two, three. " + long + "four five six", "one; two, three.", long + "four five six"},
		{"one; two, " + long + "four five six", "one", "two, " + long + "four five six"},
		{"one two; " + long + "three four five.", "one two", long + "three four five."},
		{"of a tree: ports, " + long + "four five six", "of a tree: ports", long + "four five six"},
		{"(one; two) \"three; four\", " + long + "five six", "(one; two) \"three; four\"",
			long + "five six"},
		{long + "Lo et al. one two three four", long + "Lo et al. one two three four", ""},
	} {
		if head, rest := cut(c.text); head != c.head || rest != c.rest {
			t.Errorf("%q: %q, %q", c.text, head, rest)
		}
	}
}

// No cell of a reference page is too long to be read, and what it lacks stands below the table.
func TestCellsAreShort(t *testing.T) {
	for name, text := range mustPages(t) {
		for line := range strings.SplitSeq(text, "\n") {
			if !strings.HasPrefix(line, "| ") {
				continue
			}
			for _, c := range cellsOf(line) {
				if words := len(strings.Fields(strings.TrimSuffix(c, " …"))); words > mostWords {
					t.Errorf("%s: %d words: %s", name, words, c)
				}
			}
		}
	}
}
