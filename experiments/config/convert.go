package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"contend/internal/call"
	"contend/internal/input"
)

// convert turns a value as the TOML library gives it into the key's type. It returns an
// error if the value does not fit.
func (k *Key) convert(raw any, names *Registry) (any, *input.Error) {
	switch k.Type {
	case "integer":
		if n, ok := input.Whole(raw); ok && k.inBounds(float64(n)) {
			return n, nil
		}
	case "number", "number or auto":
		if raw == "auto" && k.Type == "number or auto" {
			return float64(input.Automatic), nil
		}
		if n, ok := input.Number(raw); ok && k.inBounds(n) {
			return n, nil
		}
	case "boolean":
		if b, ok := raw.(bool); ok {
			return b, nil
		}
	case "string":
		if s, ok := raw.(string); ok {
			if err := input.CheckPrintable(s, k.Path); err != nil {
				return nil, err
			}
			if k.parser != nil {
				return k.parseValue(s, names)
			}
			err := k.checkName(s, names)
			if k.isNumbered() && err == nil {
				return slices.Index(k.Choices, s), nil
			}
			return s, err
		}
	default:
		return k.convertList(raw, names)
	}
	return nil, k.wrong(raw)
}

// wrong is the error for a value that the key does not take.
func (k *Key) wrong(raw any) *input.Error {
	return input.Bad(k.Path, k.right(), "%s is %s", k.Path, input.Describe(raw))
}

// TakesTables reports whether the value may be a list of tables.
func (k *Key) TakesTables() bool { return k.parser != nil && k.parser.tables }

// convertList converts the entries of a list. A single string is a list of one.
func (k *Key) convertList(raw any, names *Registry) (any, *input.Error) {
	if k.TakesTables() {
		if _, single := raw.(map[string]any); single {
			return nil, input.NotATable(k.Path)
		}
		raw = rowTexts(raw)
	}
	list, ok := raw.([]any)
	if text, is := raw.(string); is && k.Type == "list of strings" {
		list, ok = []any{text}, true
	}
	if !ok {
		return nil, k.wrong(raw)
	}
	values := reflect.Zero(k.of)
	for i, e := range list {
		value, err := k.entry(i).convert(e, names)
		if err != nil {
			return nil, err
		}
		values = reflect.Append(values, reflect.ValueOf(value).Convert(k.of.Elem()))
	}
	return values.Interface(), nil
}

// checkName tests a string against the key's choices or name table.
func (k *Key) checkName(s string, names *Registry) *input.Error {
	list := k.Choices
	if k.Names != "" {
		list = names.NamesIn(k.Names)
	}
	if list == nil || s == "" && k.Default == `""` {
		return nil
	}
	if k.Names != "" {
		s = call.Name(s)
	}
	if !slices.Contains(list, s) {
		return input.Bad(k.Path, input.OneOf(s, list), "%s is %q", k.Path, s)
	}
	return nil
}

// canonical writes a value that is a call of an entry in canonical form.
func (k *Key) canonical(value any, names *Registry) (any, *input.Error) {
	text, is := value.(string)
	if !is || k.Names == "" {
		return value, nil
	}
	text, err := names.canonical(k.Names, text)
	if err != nil {
		err.Key = k.Path
	}
	return text, err
}

// parsers are those of the types of fields, or of the entries of lists.
var parsers = map[reflect.Type]*parser{
	reflect.TypeFor[Mix](): parserOf(ParseMix,
		"give a name, or names with weights such as all-to-all:2+ring:1"),
	reflect.TypeFor[Rule]():       parserOf(ParseRule, rulesRight),
	reflect.TypeFor[ListedJob]():  parserOf(ParseListed, listRight).ofTables(),
	reflect.TypeFor[Failure]():    parserOf(ParseFailure, failuresRight).ofTables(),
	reflect.TypeFor[SeriesPair](): parserOf(ParseSeriesPair, seriesPairRight),
	reflect.TypeFor[Placement](): parserOf(ParsePlacement,
		"give contiguous, away:T with T from 1, dealt, scattered, random or random:N"),
}

// parseValue reads a text into the type of the key. It checks the patterns that the text names, and
// writes their calls in canonical form.
func (k *Key) parseValue(text string, names *Registry) (any, *input.Error) {
	value, err := k.parser.parse(text)
	if err != nil {
		return nil, input.Bad(k.Path, k.parser.right, "%s is %q, %v", k.Path, text, err)
	}
	v, is := value.(patternHolder)
	if !is {
		return value, nil
	}
	list := names.NamesIn("patterns")
	if k.Path == string(FieldBackground) {
		list = append([]string{backgroundSame, backgroundIdle}, list...)
	}
	for _, w := range v.patterns() {
		if !slices.Contains(list, w.Name) {
			return nil, input.Bad(k.Path, input.OneOf(w.Name, list), "%s is %q", k.Path, w.Name)
		}
	}
	made, bad := v.each(names.canonicalPart)
	if bad != nil {
		bad.Key = k.Path
	}
	return made, bad
}

// Lists of times or rates take quantities with units for all of their entries, or plain numbers.

// withUnits returns the texts of a value that is given with units for a key that takes those:
// a string, or a list of strings.
func (k *Key) withUnits(raw any) (texts []string, ok bool) {
	if k.conversions() == nil {
		return nil, false
	}
	list, isList := raw.([]any)
	if !isList {
		list = []any{raw}
	} else if k.Type != listOfIntegers {
		return nil, false
	}
	for _, e := range list {
		text, isText := e.(string)
		if !isText || text == "auto" && k.Type == "number or auto" {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, len(texts) > 0
}

// entry returns the key of entry i of a list, with the bounds of the list; the key itself if it is
// no list.
func (k *Key) entry(i int) *Key {
	of, isList := strings.CutPrefix(k.Type, "list of ")
	if !isList {
		return k
	}
	e := *k
	e.list, e.Path, e.Type = k.Path, fmt.Sprintf("%s[%d]", k.Path, i), strings.TrimSuffix(of, "s")
	return &e
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
