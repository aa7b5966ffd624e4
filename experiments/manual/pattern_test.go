package manual

import (
	"strings"
	"testing"

	"contend/patterns"
)

// Every pattern with sizes in bytes has its place in docs/patterns.md.
func TestPatternManualHasAll(t *testing.T) {
	text, err := PatternManual()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range patterns.Names() {
		want := "| `" + i.Name
		if patterns.OwnSizes(i.Name) != strings.Contains(text, want+"`") {
			t.Errorf("%s: in the manual or not, where it should be otherwise", i.Name)
		}
	}
}
