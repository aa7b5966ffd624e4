package experiments

import (
	"slices"

	"contend/experiments/spec"
)

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

// axis returns the index of a key's axis, -1 where it has none.
func (st *Study) axis(key string) int {
	return slices.IndexFunc(st.Axes, func(a Axis) bool { return a.Key == key })
}
