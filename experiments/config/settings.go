package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"contend/internal/input"
)

// Settings holds the values of keys: those of a spec and those of the study's runs.
type Settings struct {
	Spec Spec     // the keys of one run
	Runs RunsSpec // the keys of the study's runs
}

// Defaults returns settings with every key at its default. Settings share lists, so
// callers replace a list and never change it.
func Defaults() Settings { return defaultSettings() }

// defaultSettings parses the defaults of the table once.
var defaultSettings = sync.OnceValue(func() Settings {
	var s Settings
	for _, k := range Keys() {
		if k.Shorthand {
			continue
		}
		raw, err := input.ParseTOML(k.Default)
		if err != nil {
			panic("experiments: the table of keys has a bad default at " + k.Path)
		}
		value, bad := k.convert(raw, nil)
		if bad != nil {
			panic("experiments: " + bad.Error())
		}
		k.store(&s, value)
	}
	return s
})

// DefaultSpec returns the spec in which every key has its default.
func DefaultSpec() Spec { return Defaults().Spec }

// Assign sets one key to a value as the TOML library gives it. If several keys exclude each other,
// setting one resets the others. A shorthand sets all keys it stands for. A quantity with a unit
// waits for Spec.Resolve where its number depends on other keys.
func (s *Settings) Assign(path string, raw any) *input.Error {
	k, ok := FindKey(path)
	if !ok {
		return UnknownKey(path)
	}
	if texts, is := k.withUnits(raw); is {
		return s.assignQuantities(&k, texts)
	}
	if k.owner != nil {
		return s.assignParameter(&k, raw)
	}
	value, err := k.convert(raw, s.Spec.Registry)
	if err != nil {
		return err
	}
	if path == string(FieldTopology) {
		return s.assignMachine(value.(string))
	}
	if value, err = k.canonical(value, s.Spec.Registry); err != nil {
		return err
	}
	switch path {
	case "network.preset":
		return s.applyPreset(value.(string))
	case "job.calibrate_on":
		standard := Defaults()
		standard.Spec.Registry = s.Spec.Registry
		if err := standard.assignReference(value.(string)); err != nil {
			return err
		}
	case string(FieldFile):
		return s.readGraph(value.(string))
	}
	if k.read != nil {
		if value, err = k.read(value.(string)); err != nil {
			return err
		}
	}
	if path == "workload.trace" {
		s.Spec.Workload.changeLog(value.(string))
	}
	s.storeExclusive(&k, value)
	s.keepCall(&k)
	return nil
}

// storeExclusive stores a value and resets the keys that exclude it. A 0 that says that another
// key is in force leaves that one.
func (s *Settings) storeExclusive(k *Key, value any) {
	if k.OneOf == "" || k.Default != "0" || !reflect.ValueOf(value).IsZero() {
		s.clearAlternatives(k)
		k.store(s, value)
	} else if !k.Field(s).IsZero() { // it is no longer in force
		s.unset(k)
	}
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

// defaultText is the default as Format would write it.
func (k *Key) defaultText() string { return formattedDefaults()[k.Path] }

// formattedDefaults has the defaults as Format writes them, by path.
var formattedDefaults = sync.OnceValue(func() map[string]string {
	s, texts := Defaults(), map[string]string{}
	for _, k := range Keys() {
		if !k.Shorthand {
			texts[k.Path] = k.FormatIn(&s)
		}
	}
	return texts
})

// ParseFlagValue reads a value from the command line, which need not quote strings.
func ParseFlagValue(k Key, text string) any {
	raw, err := input.ParseTOML(text)
	_, isString := raw.(string)
	if err != nil || strings.Contains(text, "\n") || (k.Type == "string" && !isString) {
		return text
	}
	return raw
}

// Stated reports whether to write the key: of several that exclude each other
// only the one in force.
func (s *Settings) Stated(k Key) bool {
	if k.OneOf == "" || !k.Field(s).IsZero() {
		return true
	}
	for _, other := range Keys() {
		if other.OneOf == k.OneOf && !other.Field(s).IsZero() {
			return false
		}
	}
	return k.Default != "0" // none is: write the one that is by default
}

// changeLog clears the digest if the study names another log.
func (w *WorkloadSpec) changeLog(name string) {
	if w.Trace != "" && input.LogName(name) != input.LogName(w.Trace) {
		w.TraceSHA256 = ""
	}
}

// isDefault reports whether the key is at its default in s. It is called for every key
// of every point, of which a study may have a hundred thousand, so it compares values
// before it writes them as text.
func (k *Key) isDefault(s *Spec) bool {
	at, standard := k.value(s), defaultValues()[k.place]
	switch at.Kind() {
	case reflect.Int, reflect.Int64:
		return at.Int() == standard.Int()
	case reflect.String:
		return at.String() == standard.String()
	case reflect.Struct: // addressable, so that nothing is copied
		return at.Addr().Interface().(fmt.Stringer).String() ==
			standard.Addr().Interface().(fmt.Stringer).String()
	case reflect.Slice:
		return at.Len() == 0 && standard.Len() == 0 || input.FormatValue(at) == k.defaultText()
	}
	return at.Equal(standard)
}

// defaultValues has the defaults of the keys of a spec, by place in the table.
var defaultValues = sync.OnceValue(func() []reflect.Value {
	standard, keys := DefaultSpec(), Keys()
	values := make([]reflect.Value, len(keys))
	for i := range keys {
		if keys[i].Identity {
			values[i] = keys[i].value(&standard)
		}
	}
	return values
})

// Rank orders keys that are set together: the topology, which says what a file of a network
// describes, shorthands, all others, so that a key takes precedence over a preset, and parameters
// of what those name.
func Rank(k *Key) int {
	switch {
	case k.Path == string(FieldTopology):
		return 0
	case k.Shorthand:
		return 1
	case k.owner != nil:
		return 3
	}
	return 2
}

// InOrder lists the keys of a table in the order in which to set them.
func InOrder(set map[string]any) []string {
	paths := input.SortedKeys(set)
	slices.SortStableFunc(paths, func(a, b string) int {
		k, _ := FindKey(a)
		l, _ := FindKey(b)
		return cmp.Compare(Rank(&k), Rank(&l))
	})
	return paths
}

// Exclusive refuses keys that are set together although one resets the other. values has their
// values.
func Exclusive(paths []string, values map[string]any, names *Registry) *input.Error {
	first := map[string]string{}
	short, _ := values[string(FieldTopology)].(string)
	sized, _ := names.MachineKeys(short) // Assign says what is wrong
	for _, path := range paths {
		if _, ok := sized[path]; ok && path != string(FieldTopology) {
			return input.Bad(path, "leave it out, or the size behind the colon",
				"machine.topology = %q sets %s too", short, path)
		}
		k, _ := FindKey(path)
		if k.OneOf == "" {
			continue
		}
		if other, ok := first[k.OneOf]; ok {
			return input.Bad(path, "give one of them", "%s and %s exclude each other", other, path)
		}
		first[k.OneOf] = path
	}
	return nil
}

// Overwritten reports whether a key has another value or quantity than before. A shorthand has
// neither.
func (s *Settings) Overwritten(path string, before *Settings) bool {
	k, _ := FindKey(path)
	if k.Shorthand {
		return false
	}
	now, given := s.Spec.Given[path]
	then := before.Spec.Given[path]
	return !reflect.DeepEqual(now, then) || !given && k.FormatIn(s) != k.FormatIn(before)
}
