package config

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"contend/internal/call"
	"contend/internal/input"
)

// parse reads the parameters of a call of the entry.
func (e *entry) parse(text string) (call.Values, *input.Error) {
	v, err := call.Parse(text, e.parameters)
	if err != nil && e.section != "" {
		err.Right = "the keys of [" + e.section + "] are its parameters"
	}
	if e.files != nil {
		v = v.Through(*e.files)
	}
	return v, err
}

// parametersOf maps a section to the key that holds a call; other keys of the section are
// parameters of the call.
var parametersOf = map[string]string{"allocator": "allocator"}

// HasParameters reports whether a section has the name of what a key of the same path holds, and
// its parameters.
func HasParameters(section string) bool { return parametersOf[section] != "" }

// parameterName matches the name of a parameter in the path of a key.
var parameterName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// parameterKey returns the key of a parameter, such as allocator.order, of what another key names.
// Its type is that which it has in an entry that is built in.
func parameterKey(path string) (Key, bool) {
	section, name, _ := strings.Cut(path, ".")
	owner, ok := keysByPath()[parametersOf[section]]
	if !ok || !parameterName.MatchString(name) || name == "name" {
		return Key{}, false
	}
	k := Key{Path: path, Type: "string", Identity: true, owner: &owner, ownParameter: name,
		index: owner.index, of: owner.of, when: append(slices.Clip(owner.when), has(&owner, name))}
	if p, ok := builtinParameters()[owner.Names+"."+name]; ok {
		k.Type, k.Unit, k.Doc, k.Source = p.Type, p.Unit, p.Doc, p.Source
	}
	return k, true
}

// builtinParameters are the parameters of entries that are built in, by table and name.
var builtinParameters = sync.OnceValue(func() map[string]call.Parameter {
	all := map[string]call.Parameter{}
	for _, e := range builtin().entries() {
		for _, p := range e.parameters {
			all[e.table+"."+p.Name] = p
		}
	}
	return all
})

// parameterPaths lists the keys of parameters of built-in entries.
func parameterPaths() (paths []string) {
	for section, owner := range parametersOf {
		k := keysByPath()[owner]
		for name := range builtinParameters() {
			if parameter, ok := strings.CutPrefix(name, k.Names+"."); ok {
				paths = append(paths, section+"."+parameter)
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// has is the condition that what a key names has a parameter.
func has(owner *Key, parameter string) condition {
	return condition{
		words: "an entry of the " + owner.Names + " that has it",
		Holds: func(s *Spec) bool { return owner.values(s).Has(parameter) },
		actual: func(s *Spec) string {
			return owner.Path + " is " + owner.value(s).String()
		},
	}
}

// entriesWith lists the entries of a table that have a parameter; "" for none.
func (r *Registry) entriesWith(table, parameter string) string {
	var names []string
	for _, e := range r.registered().entries() {
		if e.table == table && slices.ContainsFunc(e.parameters, func(p call.Parameter) bool {
			return p.Name == parameter
		}) {
			names = append(names, e.name)
		}
	}
	return strings.Join(names, ", ")
}

// IsParameterOf reports whether a path is that of a parameter of what another key names.
func IsParameterOf(path, owner string) bool {
	k, _ := FindKey(path)
	return k.owner != nil && k.owner.Path == owner
}

// IsParameter reports whether the key is for a parameter of what another key names: which values it
// takes depends on that.
func (k *Key) IsParameter() bool { return k.owner != nil }

// Knows reports whether the key exists: a parameter does if some entry of the registry has it.
func (r *Registry) Knows(k *Key) bool {
	return k.owner == nil || r.entriesWith(k.owner.Names, k.ownParameter) != ""
}

// values returns the parameters of the call that the key holds.
func (k *Key) values(s *Spec) call.Values { return s.Registry.values(k.Names, k.value(s).String()) }

// assignParameter sets a parameter of the call that another key holds.
func (s *Settings) assignParameter(k *Key, raw any) *input.Error {
	v, owners := k.owner.values(&s.Spec), s.Spec.Registry.entriesWith(k.owner.Names, k.ownParameter)
	switch {
	case owners == "":
		return UnknownKey(k.Path)
	case !v.Has(k.ownParameter):
		return input.Bad(k.Path, "it is a parameter of "+owners, "%s has no parameter %s", v.Owner(),
			k.ownParameter)
	}
	text, ok := input.Text(raw)
	if !ok {
		return input.Bad(k.Path, "give a value", "%s is %s", k.Path, input.Describe(raw))
	}
	v, err := v.With(k.ownParameter, text)
	if err != nil {
		err.Key = k.Path
		return err
	}
	k.owner.store(s, v.String())
	return nil
}
