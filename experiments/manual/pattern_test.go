package manual

import (
	"strings"
	"testing"

	"contend/experiments/spec"
	"contend/patterns"
)

// Every pattern is listed, and those with sizes in bytes are counted.
func TestPatternsPageHasAll(t *testing.T) {
	text, err := patternsPage(spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	_, counted, _ := strings.Cut(text, "## Patterns with sizes in bytes")
	for _, i := range patterns.Names() {
		if !strings.Contains(text, "\n| `"+i.Name+"` |") {
			t.Errorf("%s is not listed", i.Name)
		}
		if want := !patterns.OwnSizes(i.Name); strings.Contains(counted, "| `"+i.Name+"`") == want {
			t.Errorf("%s: counted or not, where it should be otherwise", i.Name)
		}
	}
}
