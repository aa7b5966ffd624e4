package study

import (
	"slices"
	"strings"

	"contend/experiments/spec"
)

// Widen adds to the axes of a study the values that another one has on the same axes,
// after its own. A flag that chose the values of such an axis then names those of both.
func (st *Study) Widen(other *Study, names spec.Names) {
	for i := range st.Axes {
		j := other.axis(st.Axes[i].Key)
		if j >= 0 && st.widenAxis(&st.Axes[i], other.Axes[j].Values, names) {
			st.widenFlag(st.Axes[i].Key, other, names)
		}
	}
}

// widenAxis adds values to an axis and reports whether it lacked one. Values that the
// study cannot have, such as a variant of the other's own, are left out.
func (st *Study) widenAxis(a *Axis, values []any, names spec.Names) bool {
	var have []string
	for _, v := range a.Values {
		l, _ := st.valueLabel(a.Key, v, names)
		have = append(have, l)
	}
	grown := false
	for _, v := range values {
		if l, ok := st.valueLabel(a.Key, v, names); ok && !slices.Contains(have, l) {
			a.Values, have, grown = append(slices.Clip(a.Values), v), append(have, l), true
		}
	}
	return grown
}

// widenFlag adds the values of another study's flag for an axis to those of its own. They
// are a selection if both were.
func (st *Study) widenFlag(key string, other *Study, names spec.Names) {
	flag := "--axis " + key + "="
	ofAxis := func(text string) bool { return strings.HasPrefix(text, flag) }
	k, _ := FindAxisKey(key)
	var values []string
	take := func(list []string) bool {
		at := slices.IndexFunc(list, ofAxis)
		if at < 0 {
			return false
		}
		for _, v := range splitValues(k, list[at][len(flag):], names) {
			if !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		return true
	}
	selected := take(st.Selected)
	changed := take(st.Changed)
	selected = take(other.Selected) || selected
	changed = take(other.Changed) || changed
	st.Selected = slices.DeleteFunc(slices.Clone(st.Selected), ofAxis)
	st.Changed = slices.DeleteFunc(slices.Clone(st.Changed), ofAxis)
	switch text := flag + strings.Join(values, ","); {
	case changed:
		st.Changed = append(st.Changed, text)
	case selected:
		st.Selected = append(st.Selected, text)
	}
}
