package spec

import (
	"cmp"
	"reflect"
	"slices"

	"contend/experiments/spec/input"
)

// Rank orders keys that are set together: the topology, which says what a file of a network
// describes, shorthands, and all others, so that a key takes precedence over a preset.
func Rank(k *Key) int {
	switch {
	case k.Path == string(FieldTopology):
		return 0
	case k.Shorthand:
		return 1
	}
	return 2
}

// InOrder lists the keys of a table in the order in which to set them.
func InOrder(set map[string]any) []string {
	paths := input.SortedKeys(set)
	slices.SortStableFunc(paths, func(a, b string) int {
		k, _ := FindKey(a)
		l, _ := FindKey(b)
		return cmp.Compare(Rank(&k), Rank(&l))
	})
	return paths
}

// Exclusive refuses keys that are set together although one resets the other.
func Exclusive(paths []string) *input.Error {
	first := map[string]string{}
	for _, path := range paths {
		k, _ := FindKey(path)
		if k.OneOf == "" {
			continue
		}
		if other, ok := first[k.OneOf]; ok {
			return input.Bad(path, "give one of them", "%s and %s exclude each other", other, path)
		}
		first[k.OneOf] = path
	}
	return nil
}

// Overwritten reports whether settings have another value of a key than before, or its quantity no
// longer. A shorthand has no value of its own.
func (s *Settings) Overwritten(path string, before *Settings) bool {
	k, _ := FindKey(path)
	if k.Shorthand {
		return false
	}
	i, j := s.Spec.given(path), before.Spec.given(path)
	if i >= 0 && j >= 0 {
		return !reflect.DeepEqual(s.Spec.Quantities[i], before.Spec.Quantities[j])
	}
	return i >= 0 || j >= 0 || k.FormatIn(s) != k.FormatIn(before)
}
