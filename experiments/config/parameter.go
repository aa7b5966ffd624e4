package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contend/internal/input"
	"contend/internal/shortform"
)

// Parameter is a value that a study gives something in a Registry behind its
// name: name:parameter=value,parameter=value. It is described as a key is.
type Parameter struct {
	// Name has lower-case letters, digits and underscores.
	Name string
	// Type is Integer, Number, Boolean, Word, Text, File or Digest.
	Type string
	// Default is the value where a study gives none, as it is written in TOML
	// but without quotes.
	Default string
	// Min, Max, Above and Below bound a number; "" where there is no bound.
	Min, Max, Above, Below string
	// Choices are the values that a Word may have.
	Choices []string
	// Read returns a Text as a spec has it. It may read files that the text names, and then puts
	// their digest into the text.
	Read func(text string) (string, error)
	// Unit, Doc and Source are for the reader.
	Unit, Doc, Source string
}

// The types of parameters. A Text is the only parameter of its owner, and all that stands behind
// the colon of a call.
const (
	Integer = "integer"
	Number  = "number"
	Boolean = "boolean"
	Word    = "string"
	Text    = "text"
	// File is the path of a file, relative to the study's. It may be given without its name.
	File = "file"
	// Digest is what FilesDigest returns, or "".
	Digest = "digest"
)

var parameterTypes = []string{Integer, Number, Boolean, Word, Text, File, Digest}

// Values are the parameters of something in a Registry, the defaults filled in
// and checked against their bounds, and the values of its keys.
type Values struct {
	owner      string
	parameters []Parameter
	list       []any // int64, float64, bool or string, by parameter
	keys       []string
	spec       *Spec // has the values of the keys
}

// Int returns the value of an integer parameter, or of the key with that last part. Asking for a
// parameter that was not declared, or for another type, is a bug and panics.
func (v Values) Int(name string) int { return int(valueOf[int64](v, name)) }

// Float returns the value of a number.
func (v Values) Float(name string) float64 { return valueOf[float64](v, name) }

// Bool returns the value of a boolean.
func (v Values) Bool(name string) bool { return valueOf[bool](v, name) }

// Word returns the value of a word or a text.
func (v Values) Word(name string) string { return valueOf[string](v, name) }

func valueOf[T any](v Values, name string) T {
	found, of := v.find(name)
	value, ok := found.(T)
	if !ok {
		const text = "spec: the parameter %s of %s has the type %s"
		panic(fmt.Sprintf(text, name, v.owner, of))
	}
	return value
}

// find returns the value of a parameter or a key, and its type.
func (v Values) find(name string) (value any, of string) {
	for i, p := range v.parameters {
		if p.Name == name {
			return v.list[i], p.Type
		}
	}
	for _, path := range v.keys {
		if !strings.HasSuffix(path, "."+name) {
			continue
		}
		k, _ := FindKey(path)
		switch field := k.value(v.spec); {
		case field.CanInt():
			return field.Int(), k.Type
		case field.CanFloat():
			return field.Float(), k.Type
		default:
			return field.Interface(), k.Type
		}
	}
	panic(fmt.Sprintf("spec: %s has no parameter %s", v.owner, name))
}

// asKey is the parameter as a key, which knows how values are read and described.
func (p *Parameter) asKey(owner string) Key {
	k := Key{Path: owner + ":" + p.Name, Type: p.Type, Choices: p.Choices,
		Min: p.Min, Max: p.Max, Above: p.Above, Below: p.Below}
	if p.Type == File || p.Type == Digest {
		k.Type = Word
	}
	return k
}

// read turns the text of a value into a value.
func (p *Parameter) read(owner, text string) (any, *input.Error) {
	k := p.asKey(owner)
	if p.Type == File || p.Type == Digest {
		return p.readText(k, text)
	}
	value, err := k.convert(ParseFlagValue(k, text), nil)
	if n, ok := value.(float64); ok && err == nil {
		return n, nil
	}
	if n, ok := value.(int64); ok && p.Type == Number {
		return float64(n), err
	}
	return value, err
}

// text returns the parameter of an entry whose calls are a name and a text.
func (e *entry) text() (Parameter, bool) {
	if len(e.parameters) == 1 && e.parameters[0].Type == Text {
		return e.parameters[0], true
	}
	return Parameter{}, false
}

// parseText reads the text of a call of the entry.
func (e *entry) parseText(call string, p *Parameter, v Values) (Values, *input.Error) {
	_, text, _ := strings.Cut(call, ":")
	text, err := p.Read(text)
	v.list[0] = text
	bad := (*input.Error)(nil)
	if err != nil && !errors.As(err, &bad) {
		bad = &input.Error{Problem: err.Error()}
	}
	return v, bad
}

// parse reads the parameters of a call of the entry.
func (e *entry) parse(call string) (Values, *input.Error) {
	v := Values{owner: e.name, parameters: e.parameters, list: make([]any, len(e.parameters)),
		keys: e.keys}
	if p, is := e.text(); is {
		return e.parseText(call, &p, v)
	}
	var list []shortform.Parameter
	for i := range e.parameters {
		p := &e.parameters[i]
		v.list[i], _ = p.read(e.name, p.Default)
		k := p.asKey(e.name)
		list = append(list, shortform.Parameter{Name: p.Name, Values: cmp.Or(k.Range(), p.Type),
			Required: p.Type == File, Bare: p.bare(),
			Set: func(text string) error {
				value, bad := p.read(e.name, text)
				if bad != nil {
					return bad
				}
				v.list[i] = value
				return nil
			}})
	}
	err := shortform.Read(call, list)
	var wrong *shortform.Error
	switch {
	case err == nil:
		return v, nil
	case errors.As(err, &wrong) && len(e.keys) > 0:
		section, _, _ := strings.Cut(e.keys[0], ".")
		return v, input.Bad("", "the keys of ["+section+"] are its parameters", "%s", wrong.Problem)
	case errors.As(err, &wrong):
		return v, input.Bad("", wrong.Right, "%s", wrong.Problem)
	}
	return v, err.(*input.Error)
}

// String returns the name with the parameters that are not at their defaults,
// in the order in which they are declared: equal calls have equal texts.
func (v Values) String() string {
	var given []string
	for i, p := range v.parameters {
		if p.Type == Text {
			return v.owner + ":" + v.list[i].(string)
		}
		if standard, _ := p.read(v.owner, p.Default); v.list[i] != standard {
			given = append(given, p.Name+"="+valueText(v.list[i]))
		}
	}
	return shortform.Write(v.owner, given)
}

// valueText writes a value so that no character in it ends a part of a mix.
func valueText(value any) string {
	if x, ok := value.(float64); ok {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

// describeParameters says which parameters there are, for lists and manuals.
func describeParameters(owner string, parameters []Parameter) string {
	var parts []string
	for i := range parameters {
		p := &parameters[i]
		k := p.asKey(owner)
		if p.Type == Text {
			return owner + ":" + strings.ToUpper(p.Name) + " " + p.Doc
		}
		about := []string{p.Type}
		if r := k.Range(); r != "" {
			about = append(about, r)
		}
		if p.Unit != "" {
			about = append(about, p.Unit)
		}
		text := fmt.Sprintf("%s:%s=%s (%s)", owner, p.Name, cmp.Or(p.Default, "..."), strings.Join(about,
			", "))
		if p.Doc != "" {
			text += " " + p.Doc
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// checkParameters returns the errors in the parameters of an entry.
func checkParameters(e entry) []error {
	var wrong []error
	seen := map[string]bool{}
	for i := range e.parameters {
		p := &e.parameters[i]
		problem := func(text string, args ...any) {
			wrong = append(wrong, fmt.Errorf("registry: %s: %q: the parameter %q %s",
				e.table, e.name, p.Name, fmt.Sprintf(text, args...)))
		}
		switch {
		case !wellMeasured.MatchString(p.Name):
			problem("is not a valid name: write lower-case letters, digits and underscores")
		case seen[p.Name]:
			problem("occurs twice")
		case !slices.Contains(parameterTypes, p.Type):
			problem("has the type %q: take %s", p.Type, strings.Join(parameterTypes, " or "))
		case p.Type == Text && (len(e.parameters) > 1 || p.Read == nil):
			problem("is a text: give it a Read, and no other parameter beside it")
		case p.Type == Text:
		case p.Type == Word && len(p.Choices) == 0:
			problem("is a word without Choices")
		case slices.ContainsFunc(p.Choices, func(c string) bool { return !wellNamed.MatchString(c) }):
			problem("has a choice that is not a valid name: write lower-case letters, digits and hyphens")
		default:
			if _, err := p.read(e.name, p.Default); err != nil {
				problem("has a bad default: %s", err.Error())
			}
		}
		seen[p.Name] = true
	}
	return wrong
}
