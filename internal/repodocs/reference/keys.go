package reference

import (
	"slices"
	"strings"

	"contend/experiments/spec"
	"contend/internal/quantity"
)

// section is a section of a study with its keys.
type section struct {
	Name string
	Keys []spec.Key
}

// Sections are those of a run. Shorthands stand in front of the section that they belong to.
func (reference) Sections() (list []section) {
	for _, k := range spec.Keys() {
		name, _, _ := strings.Cut(k.Path, ".")
		at := slices.IndexFunc(list, func(s section) bool { return s.Name == name })
		if at < 0 {
			at, list = len(list), append(list, section{Name: name})
		}
		if s := &list[at]; k.Shorthand {
			s.Keys = slices.Insert(s.Keys, 0, k)
		} else {
			s.Keys = append(s.Keys, k)
		}
	}
	return list
}

// measured is a kind of quantity with the keys that take it.
type measured struct {
	Kind quantity.Kind
	Keys []string
}

// Quantities are the kinds of quantities.
func (r reference) Quantities() (list []measured) {
	for _, kind := range quantity.Kinds() {
		m := measured{Kind: kind}
		for _, s := range r.Sections() {
			for _, k := range s.Keys {
				if slices.Contains(k.Takes(), kind) {
					m.Keys = append(m.Keys, code(k.Path))
				}
			}
		}
		list = append(list, m)
	}
	return list
}

// Presets are the values of network.preset with what they set.
func (reference) Presets() []spec.Preset { return spec.Presets() }
