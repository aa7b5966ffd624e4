package experiments

import (
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// settings is what keys are assigned to: a spec, and the study's runs.
type settings struct {
	spec Spec
	runs RunsSpec
}

// defaults returns settings with every key at its default. Lists are shared:
// they are replaced, never changed.
func defaults() settings { return defaultSettings() }

var defaultSettings = sync.OnceValue(func() settings {
	var s settings
	for _, k := range Keys() {
		if k.Shorthand {
			continue
		}
		raw, err := parseTOML(k.Default)
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
func DefaultSpec() Spec { return defaults().spec }

// assign sets one key to a value as the TOML library gives it. Setting one of
// several keys that exclude each other takes back the others; a shorthand sets
// all it stands for.
func (s *settings) assign(path string, raw any, names Names) *InputError {
	k, ok := FindKey(path)
	if !ok {
		return unknownKey(path)
	}
	value, err := k.convert(raw, names)
	if err != nil {
		return err
	}
	switch path {
	case "network.preset":
		return s.applyPreset(value.(string))
	case "allocator":
		a, err := parseAllocator(value.(string), names)
		if err == nil {
			s.spec.Allocator = a
		}
		return err
	case "job.calibrate_on":
		if err := (&settings{spec: DefaultSpec()}).assignReference(value.(string), names); err != nil {
			return err
		}
	case "scheduler.decision":
		if value, err = decisionName(value.(string), names); err != nil {
			return err
		}
	}
	if path == "workload.trace" {
		s.spec.Workload.changeLog(value.(string))
	}
	if k.OneOf != "" {
		for _, other := range Keys() {
			if other.OneOf == k.OneOf {
				other.field(s).SetZero()
			}
		}
	}
	k.store(s, value)
	return nil
}

// field returns the field of the settings the key names.
func (k *Key) field(s *settings) reflect.Value {
	if k.Identity {
		return reflect.ValueOf(&s.spec).Elem().FieldByIndex(k.index)
	}
	return reflect.ValueOf(&s.runs).Elem().FieldByIndex(k.index)
}

func (k *Key) store(s *settings, value any) {
	f := k.field(s)
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

// format writes the key's value in the spec as TOML would have it.
func (k *Key) format(s *Spec) string {
	return formatValue(reflect.ValueOf(s).Elem().FieldByIndex(k.index))
}

// formatIn is format for keys of the spec and of the study alike.
func (k *Key) formatIn(s *settings) string { return formatValue(k.field(s)) }

// defaultText is the default as format would write it.
func (k *Key) defaultText() string { return formattedDefaults()[k.Path] }

var formattedDefaults = sync.OnceValue(func() map[string]string {
	s, texts := defaults(), map[string]string{}
	for _, k := range Keys() {
		if !k.Shorthand {
			texts[k.Path] = k.formatIn(&s)
		}
	}
	return texts
})

// formatValue writes a value in TOML, the shortest way that reads back equal.
func formatValue(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return quoteTOML(v.String())
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
			parts[i] = formatValue(v.Index(i))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case reflect.Interface:
		return formatValue(v.Elem())
	case reflect.Int, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	}
	panic("experiments: no way to write a " + v.Type().String() + " in TOML")
}

// quoteTOML writes a basic string; the escapes of Go that TOML does not know
// never come out of it.
func quoteTOML(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			b.WriteString(`\u00` + strconv.FormatInt(int64(r)+0x100, 16)[1:])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// parseTOML reads the right side of an assignment.
func parseTOML(text string) (any, error) {
	m, err := decodeTOML("value", "value = "+text)
	if err != nil {
		return nil, err
	}
	return m["value"], nil
}

// parseFlagValue reads a value from the command line, where quotes around a
// string may be left out.
func parseFlagValue(k Key, text string) any {
	raw, err := parseTOML(text)
	_, isString := raw.(string)
	if err != nil || strings.Contains(text, "\n") || (k.Type == "string" && !isString) {
		return text
	}
	return raw
}
