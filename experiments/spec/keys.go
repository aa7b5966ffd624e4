package spec

import (
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
	place int   // in Keys
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
	for i := range keys {
		keys[i].place = i
	}
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

// Renamed are keys and metrics that had another name before.
var Renamed = map[string]string{
	"workload.load": "workload.system_load",
	"load":          "service_load",
	"log_load":      "offered_load",
}

// renamedValues are values of keys that had another name before.
var renamedValues = map[string]map[string]string{
	"job.cycle": {"nas": "by-dimension"},
}

// UnknownKey says that there is no such key, and which one may be meant.
func UnknownKey(path string) *InputError {
	if now, ok := Renamed[path]; ok {
		return BadInput(path, "take "+now, "the key %s is called %s now", path, now)
	}
	right := "contend list keys shows all"
	var paths []string
	for _, k := range Keys() {
		paths = append(paths, k.Path)
	}
	if n, ok := nearest(path, paths); ok {
		right = "did you mean " + n + "?"
	}
	return BadInput(path, right, "unknown key %s", path)
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
