package spec

import (
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// Settings holds the values of keys: those of a spec and those of the study's runs.
type Settings struct {
	Spec Spec     // the keys of one run
	Runs RunsSpec // the keys of the study's runs
}

// Defaults returns settings with every key at its default. Settings share lists, so
// callers replace a list and never change it.
func Defaults() Settings { return defaultSettings() }

var defaultSettings = sync.OnceValue(func() Settings {
	var s Settings
	for _, k := range Keys() {
		if k.Shorthand {
			continue
		}
		raw, err := ParseTOML(k.Default)
		if err != nil {
			panic("experiments: the table of keys has a bad default at " + k.Path)
		}
		if k.Type == "number or auto" && raw == "auto" {
			raw = float64(Automatic)
		}
		k.store(&s, raw)
	}
	return s
})

// DefaultSpec returns the spec in which every key has its default.
func DefaultSpec() Spec { return Defaults().Spec }

// Assign sets one key to a value as the TOML library gives it. If several keys exclude
// each other, setting one resets the others; a 0 that says that another is in force leaves
// them. A shorthand sets all keys it stands for. A quantity with a unit is kept until
// Spec.Resolve.
func (s *Settings) Assign(path string, raw any, names Names) *InputError {
	k, ok := FindKey(path)
	if !ok {
		return UnknownKey(path)
	}
	if texts, is := k.withUnits(raw); is {
		if k.Type == listOfIntegers {
			return s.assignQuantities(&k, texts)
		}
		return s.assignQuantity(&k, texts[0])
	}
	value, err := k.convert(raw, names)
	if err != nil {
		return err
	}
	if s.Spec.Registry = names.Registry(); s.Spec.Registry != nil {
		if value, err = k.canonical(value, names); err != nil {
			return err
		}
	}
	switch path {
	case "network.preset":
		return s.applyPreset(value.(string), names)
	case "allocator":
		a, err := ParseAllocator(value.(string), names)
		if err == nil {
			s.Spec.Allocator = a
		}
		return err
	case "job.calibrate_on":
		if err := (&Settings{Spec: DefaultSpec()}).assignReference(value.(string), names); err != nil {
			return err
		}
	case "scheduler.decision":
		if value, err = decisionName(value.(string), names); err != nil {
			return err
		}
	case string(FieldTraffic):
		if value, err = canonicalTraffic(value.(string)); err != nil {
			return err
		}
	case lengthsPath:
		if value, err = canonicalLengths(value.(string)); err != nil {
			return err
		}
	case string(FieldFile):
		return s.readGraph(value.(string))
	case cyclePath:
		if value, err = readCycle(value.(string)); err != nil {
			return err
		}
	}
	if path == "workload.trace" {
		s.Spec.Workload.changeLog(value.(string))
	}
	if k.OneOf != "" && k.Default == "0" && reflect.ValueOf(value).IsZero() {
		if !k.Field(s).IsZero() { // it is no longer in force
			s.unset(&k)
		}
		return nil
	}
	s.makeRoom(&k)
	k.store(s, value)
	return nil
}

// Field returns the field of the settings that the key names.
func (k *Key) Field(s *Settings) reflect.Value {
	if k.of != nil {
		return k.value(&s.Spec)
	}
	return reflect.ValueOf(k.study(&s.Runs)).Elem()
}

// value returns the field of the spec that the key names.
func (k *Key) value(s *Spec) reflect.Value { return reflect.ValueOf(k.of(s)).Elem() }

func (k *Key) store(s *Settings, value any) {
	f := k.Field(s)
	if list, ok := value.([]any); ok && len(list) == 0 {
		f.SetZero()
		return
	}
	if list, ok := value.([]any); ok { // of a default
		ints, err := k.convertInts(list)
		if err != nil {
			panic("experiments: the table of keys has a bad default at " + k.Path)
		}
		value = ints
	}
	f.Set(reflect.ValueOf(value).Convert(f.Type()))
}

// Format returns the key's value in the spec as TOML.
func (k *Key) Format(s *Spec) string {
	return FormatValue(k.value(s))
}

// FormatIn is Format for keys of the spec and of the study.
func (k *Key) FormatIn(s *Settings) string { return FormatValue(k.Field(s)) }

// defaultText is the default as format would write it.
func (k *Key) defaultText() string { return formattedDefaults()[k.Path] }

var formattedDefaults = sync.OnceValue(func() map[string]string {
	s, texts := Defaults(), map[string]string{}
	for _, k := range Keys() {
		if !k.Shorthand {
			texts[k.Path] = k.FormatIn(&s)
		}
	}
	return texts
})

// FormatValue writes a value in TOML, the shortest way that reads back equal.
func FormatValue(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return QuoteTOML(v.String())
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Float64:
		if v.Type() == reflect.TypeFor[Auto]() && v.Float() == float64(Automatic) {
			return `"auto"`
		}
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.Slice:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = FormatValue(v.Index(i))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case reflect.Interface:
		return FormatValue(v.Elem())
	case reflect.Int, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	}
	panic("experiments: no way to write a " + v.Type().String() + " in TOML")
}

// ParseTOML reads the right side of an assignment.
func ParseTOML(text string) (any, error) {
	m, err := DecodeTOML("value", "value = "+text)
	if err != nil {
		return nil, err
	}
	return m["value"], nil
}

// ParseFlagValue reads a value from the command line, which need not quote strings.
func ParseFlagValue(k Key, text string) any {
	raw, err := ParseTOML(text)
	_, isString := raw.(string)
	if err != nil || strings.Contains(text, "\n") || (k.Type == "string" && !isString) {
		return text
	}
	return raw
}
