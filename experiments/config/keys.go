package config

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"contend/internal/call"
	"contend/internal/decimal"
	"contend/internal/input"
)

// Key is one entry of the table of keys: everything TOML files, flags, the
// manual and the canonical text need to know about one value of a spec.
type Key struct {
	// Path is the key with its sections, such as network.buffer_flits.
	Path string
	// Type is integer, number, "number or auto", string, boolean, or a list.
	Type string
	// Default is the default as it is written in TOML.
	Default string
	// Min, Max, Above and Below bound a number; "" where there is no bound.
	Min, Max, Above, Below string
	// Choices are the values a string may have, nil where any will do.
	Choices []string
	// Names is the name table the value comes from, or "".
	Names string
	// Mix is true if the value is a weighted mix of names.
	Mix bool
	// OneOf joins keys of which at most one is not 0.
	OneOf string
	// Unit, Doc and Source are for the reader.
	Unit, Doc, Source string
	// Identity is true if the key belongs to a run's Spec and its hash; the
	// others belong to the study, or are Shorthand.
	Identity bool
	// Shorthand is true if the key stands for several others and has no
	// value of its own in a resolved spec.
	Shorthand bool

	field []int        // the index of the field in Settings; nil for a Shorthand
	of    reflect.Type // of the field
	when  []condition  // of the runs in which the key acts; all have to hold
	place int          // in Keys
	// read turns the text of a value into the one that a spec has; nil where that is the text.
	read func(text string) (string, *input.Error)
	list string // of an entry of a list: the path of the list
	// parser reads the value, or the entries of a list; nil for numbers and plain texts.
	parser *parser

	// owner and ownParameter are of a key for one parameter of the call that the owner holds.
	owner        *Key
	ownParameter string
}

// listOfIntegers is the Type of a key.
const listOfIntegers = "list of integers"

// Keys returns the table of all keys of a spec, in the order of the manual and of
// the canonical text.
func Keys() []Key { return keys }

// keys is the table in the order of the manual, filled by init.
var keys []Key

// The table is put together here, for its rows refer to functions that read it.
func init() {
	keys = slices.Concat(machineKeys, networkKeys, workloadKeys, drawnKeys, logKeys, jobKeys,
		jobMixKeys, jobTimeKeys, schedulerKeys, allocatorKeys, runsKeys, studyKeys, shortKeys)
	fields := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Settings]()) {
		addFields(fields, f)
	}
	for i := range keys {
		k := &keys[i]
		k.Type, k.place = "string", i
		if f, ok := fields[k.Path]; ok {
			k.Type, k.field, k.of = typeOf(f.Type), f.Index, f.Type
			k.Identity, k.parser = f.Index[0] == 0, parsers[f.Type]
			if f.Type.Kind() == reflect.Slice {
				k.parser = parsers[f.Type.Elem()]
			}
		}
	}
}

// addFields adds a field of the settings under its key, or the fields of a section of keys.
func addFields(to map[string]reflect.StructField, f reflect.StructField) {
	if path := f.Tag.Get("key"); path != "" {
		to[path] = f
		return
	}
	if f.Type.Kind() != reflect.Struct {
		return
	}
	for i := range f.Type.NumField() {
		inner := f.Type.Field(i)
		inner.Index = append(slices.Clone(f.Index), i)
		addFields(to, inner)
	}
}

// typeOf names the type of a field as the manual does.
func typeOf(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[input.Auto]():
		return "number or auto"
	case t.Kind() == reflect.String || parsers[t] != nil:
		return "string"
	case t.Kind() == reflect.Bool:
		return "boolean"
	case t.Kind() == reflect.Float64:
		return "number"
	case t == reflect.TypeFor[[]bool]():
		return "list of booleans"
	case t == reflect.TypeFor[[]int]():
		return listOfIntegers
	case t.Kind() == reflect.Slice: // of texts, or of what is parsed from them
		return "list of strings"
	}
	return "integer"
}

// FindKey returns the key of that path.
func FindKey(path string) (Key, bool) {
	if k, ok := keysByPath()[path]; ok {
		return k, true
	}
	return parameterKey(path)
}

// keysByPath indexes the table by path.
var keysByPath = sync.OnceValue(func() map[string]Key {
	m := map[string]Key{}
	for _, k := range Keys() {
		m[k.Path] = k
	}
	return m
})

// UnknownKey says that there is no such key, and which one may be meant.
func UnknownKey(path string) *input.Error {
	right := "contend list keys shows all"
	var paths []string
	for _, k := range Keys() {
		paths = append(paths, k.Path)
	}
	paths = append(paths, parameterPaths()...)
	if n, ok := input.Nearest(path, paths); ok {
		right = "did you mean " + n + "?"
	}
	return input.Bad(path, right, "unknown key %s", path)
}

// bounds is the key as a parameter, which knows how bounds are checked and described.
func (k *Key) bounds() call.Parameter {
	return call.Parameter{Name: k.Path, Choices: k.Choices, Min: k.Min, Max: k.Max, Above: k.Above,
		Below: k.Below}
}

// parameter is the key as a parameter that knows which quantities it takes.
func (k *Key) parameter() *call.Parameter {
	p := k.bounds()
	p.Takes = k.Takes()
	return &p
}

// keyOf is a parameter of an entry as a key, which knows how quantities become numbers.
func keyOf(owner string, p *call.Parameter) Key {
	return Key{Path: owner + ":" + p.Name, Type: p.Type, Min: p.Min, Max: p.Max, Above: p.Above,
		Below: p.Below, Unit: p.Unit}
}

// Range describes the values the key may have, in words.
func (k *Key) Range() string {
	if k.Names != "" {
		return "one of the " + k.Names
	}
	p := k.bounds()
	return p.Range()
}

// right says in words what a value of the key has to be.
func (k *Key) right() string {
	s := map[string]string{"integer": "give an integer", "number": "give a number",
		"number or auto": `give a number or "auto"`,
		"string":         "give a string", "boolean": "give true or false",
		"list of booleans": "give a list such as [true, false]",
		"list of strings":  "give a list of strings",
		"list of integers": "give a list of integers such as [16, 16]"}[k.Type]
	if r := k.Range(); r != "" {
		switch {
		case k.Choices != nil:
			s += ", one of " + r
		case k.Names != "":
			s += ", " + r
		default:
			s += " " + r
		}
	}
	return s
}

// Label writes the key's value in the spec as tables, figures and columns show
// it: without quotes, numbers exact but without an exponent.
func (k *Key) Label(s *Spec) string {
	if k.owner != nil {
		return k.owner.values(s).TextOf(k.ownParameter)
	}
	if v := k.value(s); v.Kind() == reflect.Float64 {
		if text := k.Format(s); !strings.HasPrefix(text, `"`) {
			return decimal.Exact(v.Float())
		}
	}
	if given, ok := s.Given[k.Path]; ok && given.call != "" {
		return given.call
	}
	text := strings.Trim(k.Format(s), `"`)
	if k.namesPatterns() || k.Names != "" {
		return withoutDigests(text) // as a user writes it
	}
	return text
}
