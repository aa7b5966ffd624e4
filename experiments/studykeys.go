package experiments

import (
	"fmt"
	"reflect"
	"strings"

	"contend/experiments/spec"
	"contend/experiments/spec/input"
)

// StudyKeys writes a Markdown table of the keys of a study's TOML outside of
// the sections of a spec.
func StudyKeys(b *strings.Builder) {
	b.WriteString("\n| key | type | meaning |\n| --- | --- | --- |\n")
	eachStudyKey("", reflect.TypeFor[Study](), func(path, kind, doc string) {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", path, kind, doc)
	})
}

// eachStudyKey calls f for every key of a table, with its TOML type and meaning.
func eachStudyKey(prefix string, t reflect.Type, f func(path, kind, doc string)) {
	for _, field := range input.StudyFields(t) {
		path, kind, inner := spec.Join(prefix, field.Tag.Get("key")), "", field.Type
		switch field.Type.Kind() {
		case reflect.Struct:
			kind = "table"
		case reflect.Slice:
			kind = "list"
			if inner = field.Type.Elem(); inner.Kind() == reflect.Struct {
				kind = "array of tables"
			}
		case reflect.Map:
			kind = "table of keys"
			if field.Name == "Labels" {
				kind = "table of strings"
			}
		case reflect.Bool:
			kind = "boolean"
		case reflect.Int:
			kind = "integer"
		case reflect.Float64:
			kind = "number"
		default:
			kind = "string"
		}
		f(path, kind, docOf(path))
		if inner.Kind() == reflect.Struct {
			eachStudyKey(path, inner, f)
		}
	}
}
