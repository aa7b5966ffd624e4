package experiments

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	// Mix tells that the value is a weighted mix of names.
	Mix bool
	// OneOf joins keys of which at most one is not 0.
	OneOf string
	// Unit, Doc and Source are for the reader.
	Unit, Doc, Source string
	// Identity tells that the key belongs to a run's Spec and its hash; the
	// others belong to the study, or are Shorthand.
	Identity bool
	// Shorthand tells that the key stands for several others and has no
	// value of its own in a resolved spec.
	Shorthand bool

	index []int // of the field in Spec, or in RunsSpec
}

// shorthands are the keys that stand for several others.
type shorthands struct {
	Preset    string `key:"network.preset" default:"" choices:"procsimity" doc:"sets several keys of [network] at once; keys given beside it win"`
	Allocator string `key:"allocator" default:"" doc:"an allocator with its parameters, such as paging:2, paging:1,snake or first-fit:rotate; sets all of [allocator]"`
}

// Keys returns the table of all keys of a spec, in the order of the manual.
func Keys() []Key { return keyTable() }

var keyTable = sync.OnceValue(func() []Key {
	keys := walkKeys(nil, reflect.TypeFor[Spec](), "", nil, Key{Identity: true})
	keys = walkKeys(keys, reflect.TypeFor[RunsSpec](), "runs.", nil, Key{})
	keys = walkKeys(keys, reflect.TypeFor[shorthands](), "", nil, Key{Shorthand: true})
	return keys
})

func walkKeys(keys []Key, t reflect.Type, prefix string, index []int, like Key) []Key {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(slices.Clone(index), i)
		path := prefix + f.Tag.Get("key")
		if f.Type.Kind() == reflect.Struct {
			keys = walkKeys(keys, f.Type, path+".", at, like)
			continue
		}
		keys = append(keys, newKey(path, f, at, like))
	}
	return keys
}

func newKey(path string, f reflect.StructField, index []int, k Key) Key {
	tag := f.Tag.Get
	k.Path, k.index = path, index
	k.Min, k.Max, k.Above, k.Below = tag("min"), tag("max"), tag("above"), tag("below")
	k.Names, k.OneOf, k.Unit, k.Doc, k.Source = tag("names"), tag("oneof"), tag("unit"), tag("doc"), tag("source")
	k.Mix = tag("mix") != ""
	if c := tag("choices"); c != "" {
		k.Choices = strings.Split(c, ",")
	}
	k.Default = tag("default")
	switch {
	case f.Type == reflect.TypeFor[Auto]():
		k.Type = "number or auto"
		if k.Default == "auto" {
			k.Default = `"auto"`
		}
	case f.Type.Kind() == reflect.String:
		k.Type, k.Default = "string", strconv.Quote(k.Default)
	case f.Type.Kind() == reflect.Bool:
		k.Type = "boolean"
	case f.Type.Kind() == reflect.Float64:
		k.Type = "number"
	case f.Type == reflect.TypeFor[[]bool]():
		k.Type = "list of booleans"
	case f.Type == reflect.TypeFor[[]int]():
		k.Type = "list of integers"
	default:
		k.Type = "integer"
	}
	return k
}

// FindKey returns the key of that path.
func FindKey(path string) (Key, bool) {
	k, ok := keysByPath()[path]
	return k, ok
}

var keysByPath = sync.OnceValue(func() map[string]Key {
	m := map[string]Key{}
	for _, k := range Keys() {
		m[k.Path] = k
	}
	return m
})

// unknownKey says that there is no such key, and which one may be meant.
func unknownKey(path string) *InputError {
	right := "contend list keys shows all"
	var paths []string
	for _, k := range Keys() {
		paths = append(paths, k.Path)
	}
	if n, ok := nearest(path, paths); ok {
		right = "did you mean " + n + "?"
	}
	return badInput(path, right, "unknown key %s", path)
}

// Range describes the values the key may have, in words.
func (k *Key) Range() string {
	var parts []string
	bound := func(word, b string) {
		if b != "" {
			parts = append(parts, word+" "+b)
		}
	}
	if k.Min != "" && k.Max != "" {
		parts = append(parts, "from "+k.Min+" to "+k.Max)
	} else {
		bound("at least", k.Min)
		bound("at most", k.Max)
	}
	bound("above", k.Above)
	bound("below", k.Below)
	switch {
	case k.Choices != nil:
		return strings.Join(k.Choices, ", ")
	case k.Names != "":
		return "one of the " + k.Names
	}
	return strings.Join(parts, " and ")
}

// right says in words what a value of the key has to be.
func (k *Key) right() string {
	s := map[string]string{"integer": "give an integer", "number": "give a number", "number or auto": `give a number or "auto"`,
		"string": "give a string", "boolean": "give true or false", "list of booleans": "give a list such as [true, false]",
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

// convert turns a value as the TOML library gives it into one of the key's
// type, or says what is wrong with it.
func (k *Key) convert(raw any, names Names) (any, *InputError) {
	wrong := func() (any, *InputError) {
		return nil, badInput(k.Path, k.right(), "%s is %s", k.Path, describe(raw))
	}
	switch k.Type {
	case "integer":
		if n, ok := raw.(int64); ok && k.inBounds(float64(n)) {
			return n, nil
		}
	case "number", "number or auto":
		if raw == "auto" && k.Type == "number or auto" {
			return float64(Automatic), nil
		}
		if n, ok := number(raw); ok && k.inBounds(n) {
			return n, nil
		}
	case "boolean":
		if b, ok := raw.(bool); ok {
			return b, nil
		}
	case "string":
		if s, ok := raw.(string); ok {
			return s, k.checkName(s, names)
		}
	case "list of integers":
		return k.convertInts(raw)
	case "list of booleans":
		list, ok := raw.([]any)
		bools := []bool{}
		for _, e := range list {
			b, isBool := e.(bool)
			bools, ok = append(bools, b), ok && isBool
		}
		if ok {
			return bools, nil
		}
	}
	return wrong()
}

func (k *Key) convertInts(raw any) (any, *InputError) {
	list, ok := raw.([]any)
	ints := []int{}
	for i, e := range list {
		n, isInt := e.(int64)
		if isInt && !k.inBounds(float64(n)) {
			return nil, badInput(k.Path, "every entry has to be "+k.Range(), "%s[%d] is %d", k.Path, i, n)
		}
		ints, ok = append(ints, int(n)), ok && isInt
	}
	if !ok {
		return nil, badInput(k.Path, "give a list of integers such as [16, 16]", "%s is %s", k.Path, describe(raw))
	}
	return ints, nil
}

// checkName tests a string against the key's choices or name table.
func (k *Key) checkName(s string, names Names) *InputError {
	list := k.Choices
	if k.Names != "" {
		list = names.List(k.Names)
	}
	if list == nil || (k.Shorthand && s == "") {
		return nil
	}
	parts := []string{s}
	if k.Mix {
		mix, err := ParseMix(s)
		if err != nil {
			return badInput(k.Path, "give a name, or names with weights such as all-to-all:2+ring:1", "%s is %q, %v", k.Path, s, err)
		}
		parts = nil
		for _, p := range mix {
			parts = append(parts, p.Name)
		}
	}
	for _, p := range parts {
		if !slices.Contains(list, p) {
			return badInput(k.Path, oneOf(p, list), "%s is %q", k.Path, p)
		}
	}
	return nil
}

func (k *Key) inBounds(x float64) bool {
	bound := func(text string, ok func(b float64) bool) bool {
		if text == "" {
			return true
		}
		b, err := strconv.ParseFloat(text, 64)
		if err != nil {
			panic("experiments: the table of keys has a bad bound at " + k.Path)
		}
		return ok(b)
	}
	return !math.IsNaN(x) && !math.IsInf(x, 0) &&
		bound(k.Min, func(b float64) bool { return x >= b }) && bound(k.Max, func(b float64) bool { return x <= b }) &&
		bound(k.Above, func(b float64) bool { return x > b }) && bound(k.Below, func(b float64) bool { return x < b })
}

// number returns a TOML integer or float.
func number(raw any) (float64, bool) {
	switch n := raw.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}

// describe shows a TOML value to its author.
func describe(raw any) string {
	switch v := raw.(type) {
	case string:
		return fmt.Sprintf("the string %q", v)
	case map[string]any:
		return "a table"
	case []any, []map[string]any:
		return "a list"
	case int64, float64, bool:
		return formatValue(reflect.ValueOf(v))
	}
	return fmt.Sprint(raw)
}
