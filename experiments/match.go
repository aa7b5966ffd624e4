package experiments

import (
	"reflect"
	"strings"

	"contend/experiments/spec"
)

// Matches reports whether the point has, for every key of where, the given value
// or one of the listed values.
func Matches(p *Point, where map[string]any, names spec.Names) bool {
	for path, want := range where {
		list, isList := want.([]any)
		if k, _ := spec.FindKey(path); !isList || strings.HasPrefix(k.Type, "list") &&
			!nested(list) {
			list = []any{want}
		}
		found := false
		for _, w := range list {
			found = found || hasValue(p, path, w, names)
		}
		if !found {
			return false
		}
	}
	return true
}

// hasValue reports whether assigning the value to the key would change nothing.
// A log matches by its name, since it may lie in another folder, compressed or
// not.
func hasValue(p *Point, path string, raw any, names spec.Names) bool {
	if path == variantKey {
		return raw == p.Variant
	}
	if name, ok := raw.(string); ok && path == "workload.trace" {
		return spec.LogName(name) == spec.LogName(p.Spec.Workload.Trace)
	}
	with := spec.Settings{Spec: p.Spec}
	if with.Assign(path, raw, names) != nil {
		return false
	}
	return reflect.DeepEqual(with.Spec, p.Spec) || with.Spec.Canonical() == p.Spec.Canonical()
}

// whereValues lists the values that a key may have according to a where table.
func whereValues(key string, want any) []any {
	list, isList := want.([]any)
	if k, _ := spec.FindKey(key); !isList || strings.HasPrefix(k.Type, "list") && !nested(list) {
		return []any{want}
	}
	return list
}

// nested reports whether a list contains a list.
func nested(list []any) bool {
	for _, e := range list {
		if _, ok := e.([]any); ok {
			return true
		}
	}
	return false
}
