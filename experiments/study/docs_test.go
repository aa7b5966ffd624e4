package study

import (
	"reflect"
	"testing"
)

// The table of meanings and the fields of Study name the same keys, each once.
func TestStudyDocs(t *testing.T) {
	fields := map[string]bool{}
	eachStudyKey("", reflect.TypeFor[Study](), func(path, _, doc string) {
		fields[path] = true
		if doc == "" {
			t.Errorf("studyDocs has no row for %s", path)
		}
	})
	seen := map[string]bool{}
	for _, d := range studyDocs {
		if !fields[d.path] {
			t.Errorf("studyDocs has a row for %s, which is no key of a study", d.path)
		}
		if seen[d.path] {
			t.Errorf("studyDocs has two rows for %s", d.path)
		}
		seen[d.path] = true
	}
}
