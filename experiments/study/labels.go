package study

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/internal/input"
	"contend/internal/quantity"
)

// LabelAt returns the label of a key at a point, whether the key is an axis or
// not. Tables and figures show labels. No key stands for the name of the study;
// a key that belongs to no run has the label "".
func (st *Study) LabelAt(p *Point, key string) string {
	if key == "" {
		return st.Name
	}
	if axis := st.AxisOf(key); axis >= 0 {
		return p.Labels[axis]
	}
	k, _ := config.FindKey(key)
	if k.Shorthand || !k.Identity {
		return ""
	}
	return k.Label(&p.Spec)
}

// labelOf returns the label of a value of an axis: the short form of an
// allocator, a machine with its size and a quantity as they were given, other numbers and names as
// the spec has them.
func labelOf(path string, raw any, s *config.Spec) string {
	k, _ := FindAxisKey(path)
	if k.Shorthand || machineSizeKeys(path, raw, s.Registry) != nil {
		return fmt.Sprint(raw)
	}
	if isQuantity(path, raw) {
		if q, err := quantity.Parse(raw.(string)); err == nil {
			return q.Text
		}
	}
	return k.Label(s)
}

// machineSizeKeys returns the keys that a value of machine.topology sets, nil for that of the
// topology alone.
func machineSizeKeys(path string, raw any, r *config.Registry) map[string]any {
	text, _ := raw.(string)
	if keys, _ := r.MachineKeys(text); path == string(config.FieldTopology) && len(keys) > 1 {
		return keys
	}
	return nil
}

// valueLabel returns the label of a value on an axis. It reports false for a value that the
// study cannot have, such as the variant of another one.
func (st *Study) valueLabel(key string, v any) (string, bool) {
	p := Point{Spec: st.Base}
	if st.Assign(&p, key, v) != nil {
		return "", false
	}
	if key == variantKey {
		return p.Variant, true
	}
	return labelOf(key, v, &p.Spec), true
}

// labelsOn lists the labels of an axis, without values that the study cannot have.
func (st *Study) labelsOn(a *Axis) (labels []string) {
	for _, v := range a.Values {
		if l, ok := st.valueLabel(a.Key, v); ok {
			labels = append(labels, l)
		}
	}
	return labels
}

// Sibling returns the index of the point that has the given label on the axis
// key and equals point i on all other axes. It reports false if there is none.
func (st *Study) Sibling(points []Point, i int, key, label string) (int, bool) {
	axis := st.AxisOf(key)
	if axis < 0 {
		return 0, false
	}
	want := slices.Clone(points[i].Labels)
	want[axis] = label
	j := slices.IndexFunc(points, func(p Point) bool { return slices.Equal(p.Labels, want) })
	return j, j >= 0
}

// AxisOf returns the index of a key's axis, -1 if it has none.
func (st *Study) AxisOf(key string) int {
	return slices.IndexFunc(st.Axes, func(a Axis) bool { return a.Key == key })
}

// Matches reports whether the point has, for every key of where, the given value
// or one of the listed values.
func Matches(p *Point, where map[string]any) bool {
	for path, want := range where {
		if !slices.ContainsFunc(whereValues(path, want), func(w any) bool {
			return hasValue(p, path, w)
		}) {
			return false
		}
	}
	return true
}

// hasValue reports whether assigning the value to the key would change nothing.
// A log matches by its name, since it may lie in another folder, compressed or
// not.
func hasValue(p *Point, path string, raw any) bool {
	if path == variantKey {
		return raw == p.Variant
	}
	if spec, ok := p.refined[path]; ok {
		return hasValue(&Point{Spec: spec}, path, raw)
	}
	if name, ok := raw.(string); ok && path == "workload.trace" {
		return input.LogName(name) == input.LogName(p.Spec.Workload.Trace)
	}
	with := config.Settings{Spec: p.Spec}
	if with.Assign(path, raw) != nil {
		return false
	}
	if reflect.DeepEqual(with.Spec, p.Spec) {
		return true
	}
	now := p.Spec
	if given := with.Spec.Given; given != nil || now.Given != nil {
		if (with.Spec.Resolve() != nil || now.Resolve() != nil) &&
			!reflect.DeepEqual(given, now.Given) {
			return false // the numbers are not known yet, and the quantities differ
		}
	}
	return with.Spec.SameRun(&now, path)
}

// whereValues lists the values that a key may have according to a where table.
func whereValues(key string, want any) []any {
	list, isList := want.([]any)
	if k, _ := config.FindKey(key); !isList || strings.HasPrefix(k.Type, "list") && !nested(list) {
		return []any{want}
	}
	return list
}

// nested reports whether a list contains a list.
func nested(list []any) bool {
	return slices.ContainsFunc(list, func(e any) bool { _, ok := e.([]any); return ok })
}

// LabelsOf lists the different labels of a key at points, in their order.
func (st *Study) LabelsOf(points []Point, key string) (labels []string) {
	seen := map[string]bool{}
	for i := range points {
		if l := st.LabelAt(&points[i], key); !seen[l] {
			seen[l], labels = true, append(labels, l)
		}
	}
	return labels
}

// Chosen reports which points a flag chooses by texts KEY=LABEL: those that have, of each key that
// is named, one of the labels given. It refuses what is no axis, and labels that an axis does not
// have.
func (st *Study) Chosen(points []Point, flag string, texts []string) ([]bool, error) {
	wanted := map[string][]string{}
	for _, text := range texts {
		key, label, ok := strings.Cut(text, "=")
		labels := st.LabelsOf(points, key)
		var bad *input.Error
		switch {
		case !ok:
			bad = input.Bad("", "give KEY=VALUE", "there is no =")
		case st.AxisOf(key) < 0:
			bad = input.Bad("", input.OneOf(key, st.axisKeys()), "%q is no axis of the study %s", key,
				st.Name)
		case !slices.Contains(labels, label):
			bad = input.Bad("", input.OneOf(label, labels), "the axis %s has no value %q", key, label)
		}
		if bad != nil {
			return nil, bad.By(flag + " " + text)
		}
		wanted[key] = append(wanted[key], label)
	}
	chosen := make([]bool, len(points))
	for i := range points {
		chosen[i] = true
		for key, labels := range wanted {
			chosen[i] = chosen[i] && slices.Contains(labels, st.LabelAt(&points[i], key))
		}
	}
	return chosen, nil
}
