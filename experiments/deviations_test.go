package experiments

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"contend/experiments/spec"
)

// docs/DEVIATIONS.md has its rows in order, from 1 on, each a fact of at most 60
// words in three cells; what a row says of another, and every key and study it
// names, is there.
func TestDeviationsAreRowsOfOneFact(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "DEVIATIONS.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`^\| (\d+) \| (.*) \|$`)
	last := 0
	for i, line := range strings.Split(string(text), "\n") {
		m := row.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		last++
		if n, _ := strconv.Atoi(m[1]); n != last {
			t.Fatalf("line %d: row %d, want %d", i+1, n, last)
		}
		if cells := strings.Split(m[2], " | "); len(cells) != 3 {
			t.Errorf("row %d has %d cells beside its number, want 3", last, len(cells))
		}
		if words := len(strings.Fields(strings.ReplaceAll(m[2], " | ", " "))); words > 60 {
			t.Errorf("row %d has %d words, want at most 60", last, words)
		}
	}
	if last < 80 {
		t.Errorf("%d rows", last)
	}
	for _, m := range regexp.MustCompile(`\brow (\d+)`).FindAllStringSubmatch(string(text), -1) {
		if n, _ := strconv.Atoi(m[1]); n < 1 || n > last {
			t.Errorf("there is no row %d", n)
		}
	}
	keys := regexp.MustCompile(
		"`((?:job|workload|scheduler|allocator|network|machine|runs)\\.[a-z_.]+)")
	for _, m := range keys.FindAllStringSubmatch(string(text), -1) {
		if _, ok := spec.FindKey(m[1]); !ok {
			t.Errorf("there is no key %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile("notes of `([a-z0-9-]+)`").FindAllStringSubmatch(
		string(text), -1) {
		if st, err := LoadStudy(m[1], spec.BuiltinNames()); err != nil || st.Notes == nil {
			t.Errorf("the study %s has no notes: %v", m[1], err)
		}
	}
}
