package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"contend/internal/call"
	"contend/internal/decimal"
	"contend/internal/input"
	"contend/internal/quantity"
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
	// Quiet is true if a flag that sets the key leaves the study what it is: the key affects only
	// chance, precision, speed, what is counted beside the metrics, or the digest of the log.
	Quiet bool
	// Identity is true if the key belongs to a run's Spec and its hash; the
	// others belong to the study, or are Shorthand.
	Identity bool
	// Shorthand is true if the key stands for several others and has no
	// value of its own in a resolved spec.
	Shorthand bool

	field any         // pointer to the field in layout; nil for a Shorthand
	when  []condition // of the runs in which the key acts; all have to hold
	// gate is above 0 if conditions of other keys depend on the key. Keys of lower gates decide
	// whether those of higher ones act.
	gate int
	// takes are the kinds of quantities that the key takes in place of a number; nil for the first
	// one of its unit, as in unitConversions.
	takes []quantity.Kind

	goPath string       // of the field, as .Spec.Network.PacketFlits
	index  []int        // of the field in Settings
	of     reflect.Type // of the field
	place  int          // in Keys
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
	fields := map[any]Key{}
	addFields(fields, reflect.ValueOf(&layout).Elem(), "", nil)
	for i := range keys {
		k := &keys[i]
		k.Type, k.place = "string", i
		if at, ok := fields[k.field]; ok {
			k.goPath, k.index, k.of = at.goPath, at.index, at.of
			k.describeField()
		}
	}
}

// layout has the fields to which rows of the table point.
var (
	layout     Settings
	spec, runs = &layout.Spec, &layout.Runs
)

// addFields adds the fields of a struct by their addresses, which rows have too.
func addFields(to map[any]Key, at reflect.Value, path string, index []int) {
	for i := range at.NumField() {
		f := at.Type().Field(i)
		inner, index := path+"."+f.Name, append(slices.Clip(index), i)
		if f.Type.Kind() == reflect.Struct && parsers[f.Type] == nil {
			addFields(to, at.Field(i), inner, index)
			continue
		}
		to[at.Field(i).Addr().Interface()] = Key{goPath: inner, index: index, of: f.Type}
	}
}

// describeField sets what the type and the tags of the field say of the key.
func (k *Key) describeField() {
	k.Type, k.Identity, k.parser = typeOf(k.of), k.index[0] == 0, parsers[k.of]
	if k.of.Kind() == reflect.Slice {
		k.parser = parsers[k.of.Elem()]
	}
	p := call.FieldParameter(reflect.TypeFor[Settings]().FieldByIndex(k.index))
	k.Min, k.Max = cmp.Or(k.Min, p.Min), cmp.Or(k.Max, p.Max)
	if k.Choices == nil {
		k.Choices = p.Choices
	}
	if k.Default != "" {
		return
	}
	switch k.Default = p.Default; {
	case k.Type == "string":
		k.Default = input.QuoteTOML(k.Default)
	case k.Default != "":
	case k.of.Kind() == reflect.Slice:
		k.Default = "[]"
	default:
		k.Default = fmt.Sprint(reflect.Zero(k.of))
	}
}

// isNumbered reports whether the field has the number of a choice.
func (k *Key) isNumbered() bool { return k.of != nil && k.of.Kind() == reflect.Uint8 }

// typeOf names the type of a field as the manual does.
func typeOf(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[input.Auto]():
		return "number or auto"
	case t.Kind() == reflect.String || t.Kind() == reflect.Uint8 || parsers[t] != nil:
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
		Below: p.Below, Unit: p.Unit, takes: p.Takes}
}

// Range describes the values the key may have, in words.
func (k *Key) Range() string {
	if k.Names != "" {
		return "one of the " + k.Names
	}
	p := k.bounds()
	return p.Range()
}

// labelOf writes the value of a key as texts show it.
func (s *Spec) labelOf(path input.Field) string {
	k, _ := FindKey(string(path))
	return k.Label(s)
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
