package experiments

import (
	"fmt"
	"slices"

	"contend/experiments/spec"
	"contend/internal/quantity"
)

// LabelAt returns the label of a key at a point, whether the key is an axis or
// not. Tables and figures show labels. No key stands for the name of the study;
// a key that belongs to no run has the label "".
func (st *Study) LabelAt(p *Point, key string) string {
	if key == "" {
		return st.Name
	}
	if axis := st.axis(key); axis >= 0 {
		return p.Labels[axis]
	}
	if key == "allocator" {
		return p.Spec.Allocator.String()
	}
	k, _ := spec.FindKey(key)
	if k.Shorthand || !k.Identity {
		return ""
	}
	return k.Label(&p.Spec)
}

// labelOf returns the label of a value of an axis: the short form of an
// allocator, a quantity as it was given, other numbers and names as the spec has them.
func labelOf(path string, raw any, s *spec.Spec) string {
	if path == "allocator" {
		return s.Allocator.String()
	}
	k, _ := FindAxisKey(path)
	if k.Shorthand {
		return fmt.Sprint(raw)
	}
	if isQuantity(path, raw) {
		if q, err := quantity.Parse(raw.(string)); err == nil {
			return q.Text
		}
	}
	return k.Label(s)
}

// pointLabel returns the label of a key at a point without looking at the axes.
func pointLabel(p *Point, key string) string {
	if key == variantKey {
		return p.Variant
	}
	return labelOf(key, "", &p.Spec)
}

// valueLabel returns the label of a value on an axis. It reports false for a value that the
// study cannot have, such as the variant of another one.
func (st *Study) valueLabel(key string, v any, names spec.Names) (string, bool) {
	p := Point{Spec: st.Base}
	if st.Assign(&p, key, v, names) != nil {
		return "", false
	}
	if key == variantKey {
		return p.Variant, true
	}
	return labelOf(key, v, &p.Spec), true
}

// Sibling returns the index of the point that has the given label on the axis
// key and equals point i on all other axes. It reports false if there is none.
func (st *Study) Sibling(points []Point, i int, key, label string) (int, bool) {
	axis := st.axis(key)
	if axis < 0 {
		return 0, false
	}
	want := slices.Clone(points[i].Labels)
	want[axis] = label
	j := slices.IndexFunc(points, func(p Point) bool { return slices.Equal(p.Labels, want) })
	return j, j >= 0
}

// axis returns the index of a key's axis, -1 if it has none.
func (st *Study) axis(key string) int {
	return slices.IndexFunc(st.Axes, func(a Axis) bool { return a.Key == key })
}
