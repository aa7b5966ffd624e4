package experiments

import (
	"fmt"
	"strings"
)

// Point is one combination of the axes' values.
type Point struct {
	// Labels are the axes' values as text, in the order of the axes.
	Labels []string
	Spec   Spec
	// Hash is that of the Spec; points of equal hash share their runs.
	Hash string
}

// Points expands the axes, the first one slowest, and applies the overrides.
func (st *Study) Points(names Names) ([]Point, error) {
	points := []Point{{Spec: st.Base}}
	for _, a := range st.Axes {
		var next []Point
		for _, p := range points {
			for _, v := range a.Values {
				s := settings{spec: p.Spec}
				if err := s.assign(a.Key, v, names); err != nil {
					return nil, inFlag(err, "axis "+a.Key)
				}
				next = append(next, Point{Labels: append(p.Labels[:len(p.Labels):len(p.Labels)], labelOf(a.Key, v, &s.spec)), Spec: s.spec})
			}
		}
		points = next
	}
	for i := range points {
		if err := st.override(&points[i], names); err != nil {
			return nil, err
		}
		points[i].Hash = points[i].Spec.Hash()
	}
	return points, nil
}

func (st *Study) override(p *Point, names Names) error {
	s := settings{spec: p.Spec}
	for i, o := range st.Overrides {
		if !matches(&p.Spec, o.When, names) {
			continue
		}
		for _, path := range sortedKeys(o.Set) {
			if err := s.assign(path, o.Set[path], names); err != nil {
				return inFlag(err, fmt.Sprintf("overrides[%d]", i))
			}
		}
	}
	p.Spec = s.spec
	return inFlag(p.Spec.Check(), strings.TrimSpace("the point "+strings.Join(p.Labels, " ")))
}

// matches tells whether the spec has, for every key of where, the value given
// or one of those listed.
func matches(s *Spec, where map[string]any, names Names) bool {
	for path, want := range where {
		list, isList := want.([]any)
		if k, _ := FindKey(path); !isList || strings.HasPrefix(k.Type, "list") && !nested(list) {
			list = []any{want}
		}
		found := false
		for _, w := range list {
			found = found || hasValue(s, path, w, names)
		}
		if !found {
			return false
		}
	}
	return true
}

func nested(list []any) bool {
	for _, e := range list {
		if _, ok := e.([]any); ok {
			return true
		}
	}
	return false
}

// hasValue tells whether giving the key that value would change nothing.
func hasValue(s *Spec, path string, raw any, names Names) bool {
	with := settings{spec: *s}
	if with.assign(path, raw, names) != nil {
		return false
	}
	return with.spec.Canonical() == s.Canonical()
}

// labelOf returns the value of an axis as tables show it: the short form of an
// allocator, numbers and names as they are in the spec.
func labelOf(path string, raw any, s *Spec) string {
	if path == "allocator" {
		return s.Allocator.String()
	}
	k, _ := FindKey(path)
	if k.Shorthand {
		return fmt.Sprint(raw)
	}
	return strings.Trim(k.format(s), `"`)
}

// check tests the axis's key and values.
func (a *Axis) check(at string, names Names) *InputError {
	k, ok := FindKey(a.Key)
	switch {
	case !ok:
		err := unknownKey(a.Key)
		err.Key = at + ".key"
		return err
	case !k.Identity && !k.Shorthand:
		return badInput(at+".key", "an axis has a key that belongs to a run", "%s belongs to the study", a.Key)
	case len(a.Values) == 0:
		return badInput(at+".values", "give a list of values", "the axis %s has no values", a.Key)
	}
	seen := map[string]bool{}
	for i, v := range a.Values {
		s := defaults()
		err := s.assign(a.Key, v, names)
		if err != nil {
			err.Key = fmt.Sprintf("%s.values[%d]", at, i)
			return err
		}
		label := labelOf(a.Key, v, &s.spec)
		if seen[label] {
			return badInput(fmt.Sprintf("%s.values[%d]", at, i), "give each value once", "the axis %s has %s twice", a.Key, label)
		}
		seen[label] = true
	}
	return nil
}
