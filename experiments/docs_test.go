package experiments

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestManualIsUpToDate(t *testing.T) {
	have, err := os.ReadFile(filepath.Join("..", "docs", "manual.md"))
	if os.IsNotExist(err) {
		t.Skip("docs/manual.md is not there")
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Manual(BuiltinNames()), string(have)); diff != "" {
		t.Errorf("docs/manual.md is not what the program would write; run: go run ./cmd/contend manual > docs/manual.md\n%s", diff)
	}
}

func TestManualHasEveryKeyNameAndMetric(t *testing.T) {
	text := Manual(testNames())
	var want []string
	for _, k := range Keys() {
		want = append(want, k.Path)
	}
	for _, m := range MetricInfos() {
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
	for table, names := range BuiltinNames() {
		if len(names) == 0 {
			t.Errorf("there are no %s", table)
		}
		for _, n := range names {
			if n.Doc == "" {
				t.Errorf("%s has no documentation", n.Name)
			}
		}
	}
	for _, k := range Keys() {
		if k.Names != "" {
			BuiltinNames().List(k.Names) // panics where there is no such table
		}
	}
}
