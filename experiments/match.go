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
	if reflect.DeepEqual(with.Spec, p.Spec) {
		return true
	}
	now := p.Spec
	if given := with.Spec.Quantities; given != nil || now.Quantities != nil {
		if (with.Spec.Resolve() != nil || now.Resolve() != nil) &&
			!reflect.DeepEqual(given, now.Quantities) {
			return false // the numbers are not known yet, and the quantities differ
		}
	}
	return with.Spec.Canonical() == now.Canonical()
}

// givenValue is a value of an axis. It tells quickly, for most keys, that a point has it.
type givenValue struct {
	key   *spec.Key // nil if the key has no quick answer
	spec  spec.Spec // with the value
	text  string    // the value, of a key that is no shorthand
	alloc bool      // the key is the shorthand allocator
}

// givenValues returns the values of an axis.
func givenValues(a *Axis, names spec.Names) []givenValue {
	values := make([]givenValue, len(a.Values))
	k, ok := spec.FindKey(a.Key)
	for i, raw := range a.Values {
		with := spec.Settings{Spec: spec.DefaultSpec()}
		simple := !k.Shorthand && k.OneOf == "" && a.Key != "workload.trace"
		if !ok || !simple && a.Key != "allocator" || with.Assign(a.Key, raw, names) != nil ||
			with.Spec.Quantities != nil { // what those are, other keys say
			continue
		}
		values[i] = givenValue{key: &k, spec: with.Spec, alloc: k.Shorthand}
		if simple {
			values[i].text = k.Format(&with.Spec)
		}
	}
	return values
}

// surely reports whether a point has the value. If it says no, hasValue has to decide.
func (v *givenValue) surely(p *Point) bool {
	switch {
	case v.key == nil:
		return false
	case v.alloc:
		return p.Spec.Allocator == v.spec.Allocator
	}
	return v.key.Format(&p.Spec) == v.text
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
