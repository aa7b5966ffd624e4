package manual

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/cosim"
	"contend/experiments/spec"
)

func TestManualIsUpToDate(t *testing.T) {
	upToDate(t, "manual.md", "contend manual", Manual(spec.BuiltinNames()))
}

func TestPatternManualIsUpToDate(t *testing.T) {
	text, err := PatternManual()
	if err != nil {
		t.Fatal(err)
	}
	upToDate(t, "patterns.md", "contend manual patterns", text)
}

// upToDate asserts that a file of docs is what a command would write.
func upToDate(t *testing.T, name, command, want string) {
	t.Helper()
	have, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	if os.IsNotExist(err) {
		t.Skipf("docs/%s is not there", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(have)); diff != "" {
		t.Errorf("docs/%s is not what the program would write; run: go run ./cmd/%s > docs/%s\n%s",
			name, command, name, diff)
	}
}

func TestManualHasEveryKeyNameAndMetric(t *testing.T) {
	text := Manual(testNames())
	var want []string
	for _, k := range spec.Keys() {
		want = append(want, k.Path)
	}
	for _, m := range cosim.MetricInfos() {
		want = append(want, m.Name)
	}
	for table := range testNames() {
		want = append(want, testNames().List(table)...)
	}
	for _, w := range append(want, "axes.values", "tolerances.at_least", "quick.axes.key") {
		if !strings.Contains(text, "| `"+w+"` |") {
			t.Errorf("%s is not in the manual", w)
		}
	}
}

func TestBuiltinNamesHaveDocumentation(t *testing.T) {
	for table, names := range spec.BuiltinNames() {
		if len(names) == 0 {
			t.Errorf("there are no %s", table)
		}
		for _, n := range names {
			if n.Doc == "" {
				t.Errorf("%s has no documentation", n.Name)
			}
		}
	}
	for _, k := range spec.Keys() {
		if k.Names != "" {
			spec.BuiltinNames().List(k.Names) // panics where there is no such table
		}
	}
}
