package study

import (
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/internal/call"
)

// splitValues splits a list at its commas, except inside brackets, braces and
// quotes. In a list of calls, a piece that names no entry belongs to the piece before it:
// paging:1,snake,mbs has two values, and so has corner:from=1,wide=true,mbs.
func splitValues(k config.Key, text string, names *config.Registry) []string {
	var parts []string
	depth, quote, start := 0, rune(0), 0
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			parts, start = append(parts, strings.TrimSpace(text[start:i])), i+1
		}
	}
	parts = append(parts, strings.TrimSpace(text[start:]))
	if k.Names == "" {
		return parts
	}
	joined := parts[:1]
	for _, p := range parts[1:] {
		last := &joined[len(joined)-1]
		name := call.Name(p)
		if strings.Contains(*last, ":") && (strings.Contains(name, "=") ||
			!k.Mix && !slices.Contains(names.NamesIn(k.Names), name)) {
			*last += "," + p
		} else {
			joined = append(joined, p)
		}
	}
	return joined
}

// Widen adds to the axes of a study the values that another one has on the same axes,
// after its own, and the flags that chose them.
func (st *Study) Widen(other *Study) {
	for i := range st.Axes {
		a := &st.Axes[i]
		if j := other.AxisOf(a.Key); j >= 0 && st.widenAxis(a, other.Axes[j].Values) {
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
func (st *Study) widenAxis(a *Axis, values []any) bool {
	have := st.labelsOn(a)
	grown := false
	for _, v := range values {
		if l, ok := st.valueLabel(a.Key, v); ok && !slices.Contains(have, l) {
			a.Values, have, grown = append(slices.Clip(a.Values), v), append(have, l), true
		}
	}
	return grown
}
