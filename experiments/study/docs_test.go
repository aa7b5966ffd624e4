package study

import (
	"bytes"
	"os"
	"reflect"
	"regexp"
	"testing"

	"contend/internal/input"
	"contend/internal/must"

	"github.com/google/go-cmp/cmp"
)

// eachStudyKey calls f for every key of a table with its TOML type.
func eachStudyKey(prefix string, t reflect.Type, f func(path, kind string)) {
	kinds := map[reflect.Kind]string{reflect.Struct: "table", reflect.Slice: "list",
		reflect.Map: "table of keys", reflect.Bool: "boolean", reflect.Int: "integer",
		reflect.Float64: "number", reflect.String: "string"}
	for _, field := range input.StudyFields(t) {
		path, inner := input.Join(prefix, field.Tag.Get("key")), field.Type
		if inner.Kind() == reflect.Pointer { // a value that may be left out
			inner = inner.Elem()
		}
		kind := kinds[inner.Kind()]
		if isTable(inner) && inner.Kind() == reflect.Slice {
			kind, inner = "array of tables", inner.Elem()
		}
		if field.Name == "Labels" {
			kind = "table of strings"
		}
		if f(path, kind); inner.Kind() == reflect.Struct {
			eachStudyKey(path, inner, f)
		}
	}
}

// The page of keys has an entry for each key of a study, with its type.
func TestStudyKeysAreOnThePage(t *testing.T) {
	page := must.Have(os.ReadFile("../../cmd/repodocs/pages/keys.md.tmpl"))
	_, page, _ = bytes.Cut(page, []byte("## Keys around the runs"))
	rows, fields := map[string]string{}, map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^- `([a-z._]+)` \\(([a-z ]+)\\): .+$").
		FindAllSubmatch(page, -1) {
		if rows[string(m[1])] != "" {
			t.Errorf("two rows of %s", m[1])
		}
		rows[string(m[1])] = string(m[2])
	}
	eachStudyKey("", reflect.TypeFor[Study](), func(path, kind string) { fields[path] = kind })
	if diff := cmp.Diff(fields, rows); diff != "" {
		t.Errorf("the page (+) and the study (-):\n%s", diff)
	}
}
