package experiments

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"contend/experiments/spec"
)

// Point is one combination of the axes' values.
type Point struct {
	// Labels are the axes' values as text, in the order of the axes.
	Labels []string
	// Variant is that of the study, "" where variant is no axis.
	Variant string
	Spec    spec.Spec
	// Hash is that of the Spec; points of equal hash share their runs.
	Hash string
	// Once tells that all replications are the same run: nothing is drawn.
	Once bool
}

// variantKey is the key of the axis whose values are a study's Variants.
const variantKey = "variant"

// Points expands the axes, the first one slowest, and applies the overrides.
// Machines whose size nobody has given, nor a log that was pinned, have that of
// no log.
func (st *Study) Points(names spec.Names) ([]Point, error) {
	points, err := st.expand(names)
	if err != nil {
		return nil, err
	}
	for i := range points {
		m, w := &points[i].Spec.Machine, &points[i].Spec.Workload
		m.Dims, w.Jobs = m.Sides(), w.Count()
	}
	if err := calibrate(points, names); err != nil {
		return nil, err
	}
	for i := range points {
		p := &points[i]
		p.Hash, p.Once = p.Spec.Hash(), !p.Spec.Varies()
	}
	return points, nil
}

// expand returns the points without hashes, and with machine.dims as given.
func (st *Study) expand(names spec.Names) ([]Point, error) {
	if err := st.checkCount(); err != nil {
		return nil, err
	}
	points := []Point{{Spec: st.Base}}
	for _, a := range st.Axes {
		next := make([]Point, 0, len(points)*len(a.Values))
		for _, p := range points {
			for _, v := range a.Values {
				with := Point{Variant: p.Variant, Spec: p.Spec}
				if err := st.Assign(&with, a.Key, v, names); err != nil {
					return nil, InFlag(err, "axis "+a.Key)
				}
				with.Labels = append(p.Labels[:len(p.Labels):len(p.Labels)], labelOf(a.Key, v, &with.Spec))
				next = append(next, with)
			}
		}
		points = next
	}
	for i := range points {
		if err := st.override(&points[i], names); err != nil {
			return nil, err
		}
	}
	return points, nil
}

// Assign sets a key at a point, or all keys of a variant.
func (st *Study) Assign(p *Point, path string, raw any, names spec.Names) *spec.InputError {
	s := spec.Settings{Spec: p.Spec}
	if path != variantKey {
		err := s.Assign(path, raw, names)
		p.Spec = s.Spec
		return err
	}
	var known []string
	for _, v := range st.Variants {
		known = append(known, v.Name)
	}
	i := slices.IndexFunc(known, func(name string) bool { return raw == name })
	switch {
	case known == nil:
		return spec.BadInput(path, "name them in [[variants]]", "the study has no variants")
	case i < 0:
		return spec.BadInput(path, spec.OneOf(fmt.Sprint(raw), known), "variant is %q", fmt.Sprint(raw))
	}
	v := st.Variants[i]
	for _, path := range spec.SortedKeys(v.Set) {
		if err := s.Assign(path, v.Set[path], names); err != nil {
			return err
		}
	}
	p.Variant, p.Spec = v.Name, s.Spec
	return nil
}

// FindAxisKey is FindKey with variant, which is a key of axes only.
func FindAxisKey(path string) (spec.Key, bool) {
	if path == variantKey {
		return spec.Key{Path: path, Type: "string", Shorthand: true}, true
	}
	return spec.FindKey(path)
}

func (st *Study) override(p *Point, names spec.Names) error {
	s := spec.Settings{Spec: p.Spec}
	for i, o := range st.Overrides {
		if !o.applies(p, &s.Spec, names) {
			continue
		}
		for _, path := range spec.SortedKeys(o.Set) {
			if err := s.Assign(path, o.Set[path], names); err != nil {
				return InFlag(err, fmt.Sprintf("overrides[%d]", i))
			}
		}
	}
	p.Spec = s.Spec
	p.Spec.Settle()
	return InFlag(p.Spec.Check(), strings.TrimSpace("the point "+strings.Join(p.Labels, " ")))
}

// Matches tells whether the point has, for every key of where, the value given
// or one of those listed.
func Matches(p *Point, where map[string]any, names spec.Names) bool {
	for path, want := range where {
		list, isList := want.([]any)
		if k, _ := spec.FindKey(path); !isList || strings.HasPrefix(k.Type, "list") && !nested(list) {
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

func nested(list []any) bool {
	for _, e := range list {
		if _, ok := e.([]any); ok {
			return true
		}
	}
	return false
}

// hasValue tells whether giving the key that value would change nothing.
func hasValue(p *Point, path string, raw any, names spec.Names) bool {
	if path == variantKey {
		return raw == p.Variant
	}
	if name, ok := raw.(string); ok && path == "workload.trace" { // the same log may lie elsewhere, compressed or not
		return spec.LogName(name) == spec.LogName(p.Spec.Workload.Trace)
	}
	with := spec.Settings{Spec: p.Spec}
	if with.Assign(path, raw, names) != nil {
		return false
	}
	return reflect.DeepEqual(with.Spec, p.Spec) || with.Spec.Canonical() == p.Spec.Canonical()
}

// labelOf returns the value of an axis as tables show it: the short form of an
// allocator, numbers and names as they are in the spec.
func labelOf(path string, raw any, s *spec.Spec) string {
	if path == "allocator" {
		return s.Allocator.String()
	}
	k, _ := FindAxisKey(path)
	if k.Shorthand {
		return fmt.Sprint(raw)
	}
	return k.Label(s)
}

// checkAxis tests an axis's key and values.
func (st *Study) checkAxis(a Axis, at string, names spec.Names) *spec.InputError {
	k, ok := FindAxisKey(a.Key)
	switch {
	case !ok:
		err := spec.UnknownKey(a.Key)
		err.Key = at + ".key"
		return err
	case !k.Identity && !k.Shorthand:
		return spec.BadInput(at+".key", "an axis has a key that belongs to a run", "%s belongs to the study", a.Key)
	case len(a.Values) == 0:
		return spec.BadInput(at+".values", "give a list of values", "the axis %s has no values", a.Key)
	}
	seen := map[string]bool{}
	for i, v := range a.Values {
		p := Point{Spec: spec.DefaultSpec()}
		err := st.Assign(&p, a.Key, v, names)
		if err != nil {
			err.Key = fmt.Sprintf("%s.values[%d]", at, i)
			return err
		}
		label := labelOf(a.Key, v, &p.Spec)
		if seen[label] {
			return spec.BadInput(fmt.Sprintf("%s.values[%d]", at, i), "give each value once", "the axis %s has %s twice", a.Key, label)
		}
		seen[label] = true
	}
	return nil
}
