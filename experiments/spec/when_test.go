package spec

import (
	"testing"
)

// Every key says when it acts, and nothing else does.
func TestEveryKeySaysWhenItActs(t *testing.T) {
	known := map[string]bool{}
	for _, k := range Keys() {
		if known[k.Path] = true; k.Path == "runs.seed" {
			continue
		}
		if _, ok := conditions()[k.Path]; !ok {
			t.Errorf("%s does not say when it acts", k.Path)
		}
	}
	for path := range conditions() {
		if !known[path] {
			t.Errorf("%s is no key", path)
		}
	}
}
