package config

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"contend/internal/call"
	"contend/internal/decimal"
	"contend/internal/input"
	"contend/internal/quantity"
	"contend/router/topology"
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
	// assign replaces the store of a text, where a value sets or checks other keys too.
	assign func(s *Settings, text string) *input.Error
	// isStandard reports whether a value, as Format writes it, means the same as the default.
	isStandard func(s *Spec, value string) bool
	// read turns the text of a value into the one that a spec has; nil where that is the text.
	read func(text string) (string, *input.Error)
	list string // of an entry of a list: the path of the list
	// parser reads the value, or the entries of a list; nil for numbers and plain texts.
	parser *parser

	// owner and ownParameter are of a key for one parameter of the call that the owner holds.
	owner        *Key
	ownParameter string
}

// condition describes the runs in which a key acts. If the condition does not hold, the
// key cannot change a result: giving the key is an error, and the hash of the run
// leaves it out. The zero condition always holds.
type condition struct {
	// words describe the condition, as "job.run = messages".
	words string
	Holds func(*Spec) bool
	// actual describes the state that holds instead, as "job.run is fixed"; nil for nothing.
	actual func(*Spec) string
}

// listOfIntegers is the Type of a key.
const listOfIntegers = "list of integers"

// Keys returns the table of all keys of a spec, in the order of the manual and of
// the canonical text.
func Keys() []Key { return keys }

// keys is the table in the order of the manual, filled by init.
var keys []Key

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
	switch part, _, _ := strings.Cut(path, "."); part {
	case "table", "figures", "axes", "variants", "tolerances", "published", "quick":
		return input.Bad(path, "it is a part of the file of a study", "%s is no key of runs", path)
	}
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

// Field returns the field of the settings that the key names.
func (k *Key) Field(s *Settings) reflect.Value {
	return reflect.ValueOf(s).Elem().FieldByIndex(k.index)
}

// value returns the field of the spec that the key names.
func (k *Key) value(s *Spec) reflect.Value {
	v := reflect.ValueOf(s).Elem()
	for _, i := range k.index[1:] { // faster than FieldByIndex, for every point
		v = v.Field(i)
	}
	return v
}

// store sets the field of the key to a value.
func (k *Key) store(s *Settings, value any) {
	f := k.Field(s)
	f.Set(reflect.ValueOf(value).Convert(f.Type()))
}

// Format returns the key's value in the spec as TOML.
func (k *Key) Format(s *Spec) string {
	if k.owner != nil {
		return input.QuoteTOML(k.Label(s))
	}
	return k.format(k.value(s))
}

// format returns a value of the field as TOML.
func (k *Key) format(v reflect.Value) string {
	if k.isNumbered() {
		return input.QuoteTOML(k.Choices[v.Uint()])
	}
	return input.FormatValue(v)
}

// FormatIn is Format for keys of the spec and of the study.
func (k *Key) FormatIn(s *Settings) string {
	if k.owner != nil {
		return k.Format(&s.Spec)
	}
	return k.format(k.Field(s))
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

// labelOf writes the value of a key as texts show it.
func (s *Spec) labelOf(path input.Field) string {
	k, _ := FindKey(string(path))
	return k.Label(s)
}

// namesPatterns reports whether a value of k can name communication patterns.
func (k *Key) namesPatterns() bool {
	return k.parser != nil && k.parser.patterns
}

// bounds is the key as a parameter, which knows how bounds are checked and described.
func (k *Key) bounds() call.Parameter {
	return call.Parameter{Name: k.Path, Choices: k.Choices, Min: k.Min, Max: k.Max, Above: k.Above,
		Below: k.Below}
}

// inBounds reports whether a number is within the bounds of the key.
func (k *Key) inBounds(x float64) bool {
	p := k.bounds()
	return p.Fits(x)
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

// keyError rewrites an error that names a field of a Go struct for the user, who knows only keys.
// The field of a topology.ConfigError has the same name in one of the given sections of a spec. If
// none has the field, its name takes the place of the key. Any other error keeps its text and gets
// no key. err must not be nil.
func keyError(err error, sections ...string) *input.Error {
	var bad *topology.ConfigError
	if !errors.As(err, &bad) {
		return &input.Error{Problem: err.Error()}
	}
	at := input.Field(bad.Field)
	for _, section := range sections {
		if path := keyOfField(section, bad.Field); path != "" {
			at = input.Field(path)
		}
	}
	return at.Bad(bad.Right, "%s %s", at, bad.Problem)
}

// keyOfField returns the key of a section of the spec whose field has the given name, or ends with
// the given path of names; "" for none.
func keyOfField(section, name string) string {
	for _, k := range Keys() {
		if strings.HasPrefix(k.goPath, ".Spec."+section+".") && strings.HasSuffix(k.goPath, "."+name) {
			return k.Path
		}
	}
	return ""
}

// IsParameter reports whether the key is for a parameter of what another key names: which values it
// takes depends on that.
func (k *Key) IsParameter() bool { return k.owner != nil }

// IsParameterOf reports whether a path is that of a parameter of what another key names.
func IsParameterOf(path, owner string) bool {
	k, _ := FindKey(path)
	return k.owner != nil && k.owner.Path == owner
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

// Knows reports whether the key exists: a parameter does if some entry of the registry has it.
func (r *Registry) Knows(k *Key) bool {
	return k.owner == nil || r.entriesWith(k.owner.Names, k.ownParameter) != ""
}

// values returns the parameters of the call that the key holds.
func (k *Key) values(s *Spec) call.Values { return s.Registry.values(k.Names, k.value(s).String()) }
