package study

import (
	"fmt"
	"slices"

	"contend/experiments/config"
	"contend/internal/input"
)

// Point is one combination of the axes' values.
type Point struct {
	// Labels has the label of every axis, in the order of the axes.
	Labels []string
	// Variant is the name of the point's variant, "" if variant is no axis.
	Variant string
	// Spec is what the runs of the point have in common.
	Spec config.Spec
	// Hash identifies the Spec; points of equal hash share their runs.
	Hash string
	// Once reports that nothing is drawn at random, so that all replications
	// are the same run.
	Once bool

	// refined has, by the key of an axis, the spec before an override of a variant set parameters of
	// the axis's value. The names of the row stay true: the variant tells of the parameters.
	refined map[string]config.Spec
}

// variantKey is the key of the axis whose values are a study's Variants.
const variantKey = "variant"

// Fails reports whether something fails in runs of the study: machine.failures has rows.
func (st *Study) Fails() bool {
	points, err := st.Points()
	return err == nil && slices.ContainsFunc(points, func(p Point) bool {
		return len(p.Spec.Failures) > 0
	})
}

// Points expands the axes, the first one slowest, and applies the overrides. A
// machine without given dimensions takes them from its pinned log, else its
// defaults. Calls without a change of the study in between return the same points, which
// nobody may change.
func (st *Study) Points() ([]Point, error) {
	from := fmt.Sprintf("%p\n%#v\n%#v\n%#v\n%#v\n%#v", st.Base.Registry, st.Base, st.Axes, st.Variants,
		st.Overrides, st.Inputs)
	if st.points != nil && st.pointsFrom == from {
		return st.points, nil
	}
	points, err := st.makePoints()
	if err != nil {
		return nil, err
	}
	st.points, st.pointsFrom = points, from
	return points, nil
}

// makePoints is Points without a memory of earlier calls.
func (st *Study) makePoints() ([]Point, error) {
	points, err := st.expand()
	if err != nil {
		return nil, err
	}
	for i := range points {
		m, w := &points[i].Spec.Machine, &points[i].Spec.Workload
		if w.Jobs = w.Count(); m.IsGrid() {
			m.Dims = m.Sides()
		}
	}
	if err := resolveCalibration(points); err != nil {
		return nil, err
	}
	for i := range points {
		p := &points[i]
		p.Hash, p.Once = p.Spec.Hash(), !p.Spec.Varies()
	}
	return points, nil
}

// expand returns the points without hashes, with machine.dims as given.
func (st *Study) expand() ([]Point, error) {
	if err := st.checkCount(); err != nil {
		return nil, err
	}
	points := []Point{{Spec: st.Base}}
	for _, a := range st.Axes {
		next := make([]Point, 0, len(points)*len(a.Values))
		for _, p := range points {
			for _, v := range a.Values {
				with := Point{Variant: p.Variant, Spec: p.Spec}
				if err := st.Assign(&with, a.Key, v); err != nil {
					return nil, st.Place(err, []string{a.Key + " = " + fmt.Sprint(v)})
				}
				with.Labels = append(p.Labels[:len(p.Labels):len(p.Labels)],
					labelOf(a.Key, v, &with.Spec))
				next = append(next, with)
			}
		}
		points = next
	}
	for i := range points {
		if err := st.override(&points[i]); err != nil {
			return nil, err
		}
	}
	return points, nil
}

// Assign sets a key at a point. The key variant sets all keys of a variant.
func (st *Study) Assign(p *Point, path string, raw any) *input.Error {
	s := config.Settings{Spec: p.Spec}
	if path != variantKey {
		err := s.Assign(path, raw)
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
		return input.Bad(path, "name them in [[variants]]", "the study has no variants")
	case i < 0:
		name := fmt.Sprint(raw)
		return input.Bad(path, input.OneOf(name, known), "variant is %q", name)
	}
	v := st.Variants[i]
	for _, path := range config.InOrder(v.Set) {
		if err := s.Assign(path, v.Set[path]); err != nil {
			return err
		}
	}
	p.Variant, p.Spec = v.Name, s.Spec
	return nil
}

// FindAxisKey is like config.FindKey and also knows variant, a key of axes only.
func FindAxisKey(path string) (config.Key, bool) {
	if path == variantKey {
		return config.Key{Path: path, Type: "string", Shorthand: true}, true
	}
	return config.FindKey(path)
}

// override applies the overrides to a point, then resolves, normalizes and checks its spec.
func (st *Study) override(p *Point) error {
	s := config.Settings{Spec: p.Spec}
	for i, o := range st.Overrides {
		if !Matches(p, o.When) {
			continue
		}
		for _, path := range config.InOrder(o.Set) {
			if key := st.refinedAxis(path, o.When); key != "" {
				p.refined = map[string]config.Spec{key: p.Spec}
			}
			if err := s.Assign(path, o.Set[path]); err != nil {
				err.Key = input.Join(fmt.Sprintf("overrides[%d].set", i), path)
				return st.Place(err, p.Labels)
			}
		}
	}
	st.pin(&s.Spec)
	p.Spec = s.Spec
	if err := p.Spec.Resolve(); err != nil {
		return st.Place(st.blame(err, p), p.Labels)
	}
	p.Spec.Normalize()
	if err := p.Spec.Check(); err != nil {
		return st.Place(err, p.Labels)
	}
	return nil
}

// refinedAxis returns the key of the axis of whose values an override of a variant sets a
// parameter, "" if it sets none.
func (st *Study) refinedAxis(path string, when map[string]any) string {
	i := slices.IndexFunc(st.Axes, func(a Axis) bool { return config.IsParameterOf(path, a.Key) })
	if _, ok := when[variantKey]; !ok || i < 0 {
		return ""
	}
	return st.Axes[i].Key
}

// checkAxis tests the key and the values of an axis.
func (st *Study) checkAxis(a Axis, at string) *input.Error {
	k, ok := FindAxisKey(a.Key)
	switch {
	case !ok:
		err := config.UnknownKey(a.Key)
		err.Key = at + ".key"
		return err
	case !k.Identity && !k.Shorthand:
		return input.Bad(at+".key", "it applies to the whole study", "%s cannot be an axis", a.Key)
	case len(a.Values) == 0:
		return input.Bad(at+".values", "give a list of values", "the axis %s has no values", a.Key)
	}
	seen := map[string]bool{}
	for i, v := range a.Values {
		p := Point{Spec: st.defaults().Spec}
		p.Spec.Allocator = st.Base.Allocator // whose parameters axes may name
		err := st.Assign(&p, a.Key, v)
		if err != nil {
			err.Key = fmt.Sprintf("%s.values[%d]", at, i)
			return err
		}
		if machineSizeKeys(a.Key, v, st.Base.Registry) != nil {
			value := map[string]any{a.Key: v}
			if err := config.Exclusive(st.axisKeys(), value, st.Base.Registry); err != nil {
				err.Key = fmt.Sprintf("%s.values[%d]", at, i)
				return err
			}
		}
		label := labelOf(a.Key, v, &p.Spec)
		if seen[label] {
			return input.Bad(fmt.Sprintf("%s.values[%d]", at, i), "give each value once",
				"the axis %s has %s twice", a.Key, label)
		}
		seen[label] = true
	}
	return a.checkUntil(at)
}

// maxPoints is the largest number of points of a study. Each point is kept in
// memory, checked, and a row of tables.
const maxPoints = 1 << 17

// checkCount refuses axes with more than maxPoints combinations.
func (st *Study) checkCount() *input.Error {
	n := 1.0
	for _, a := range st.Axes {
		n *= float64(len(a.Values))
	}
	if n > maxPoints {
		return input.Bad("axes", "divide it into several studies",
			"the axes have %.0f combinations, more than %d", n, maxPoints)
	}
	return nil
}
