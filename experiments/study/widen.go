package study

import (
	"slices"
	"strings"

	"contend/experiments/spec"
)

// Widen adds to the axes of a study the values that another one has on the same axes,
// after its own, and the flags that chose them.
func (st *Study) Widen(other *Study, names spec.Names) {
	for i := range st.Axes {
		a := &st.Axes[i]
		if j := other.axis(a.Key); j >= 0 && st.widenAxis(a, other.Axes[j].Values, names) {
			st.Selected = withAxisFlags(st.Selected, other.Selected, a.Key)
			st.Changed = withAxisFlags(st.Changed, other.Changed, a.Key)
		}
	}
}

// withAxisFlags adds those flags of a list to another that give an axis its values.
func withAxisFlags(to, from []string, key string) []string {
	for _, flag := range from {
		if strings.HasPrefix(flag, "--axis "+key+"=") && !slices.Contains(to, flag) {
			to = append(to, flag)
		}
	}
	return to
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
