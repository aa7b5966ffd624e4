package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/spec/input"
)

// Parameter is a value that a study gives something in a Registry behind its
// name: name:parameter=value,parameter=value. It is described as a key is.
type Parameter struct {
	// Name has lower-case letters, digits and underscores.
	Name string
	// Type is Integer, Number, Boolean or Word.
	Type string
	// Default is the value where a study gives none, as it is written in TOML
	// but without quotes.
	Default string
	// Min, Max, Above and Below bound a number; "" where there is no bound.
	Min, Max, Above, Below string
	// Choices are the values that a Word may have.
	Choices []string
	// Unit, Doc and Source are for the reader.
	Unit, Doc, Source string

	key *Key // the key of a study that has the value; nil for a parameter behind the name
}

// The types of parameters.
const (
	Integer = "integer"
	Number  = "number"
	Boolean = "boolean"
	Word    = "string"
)

// Values are the parameters of something in a Registry, the defaults filled in
// and checked against their bounds.
type Values struct {
	owner      string
	parameters []Parameter
	list       []any // int64, float64, bool or string, by parameter
}

// Int returns the value of an integer parameter. Asking for a parameter that
// was not declared, or for another type, is a bug and panics.
func (v Values) Int(name string) int { return int(valueOf[int64](v, name)) }

// Float returns the value of a number.
func (v Values) Float(name string) float64 { return valueOf[float64](v, name) }

// Bool returns the value of a boolean.
func (v Values) Bool(name string) bool { return valueOf[bool](v, name) }

// Word returns the value of a word.
func (v Values) Word(name string) string { return valueOf[string](v, name) }

func valueOf[T any](v Values, name string) T {
	i := slices.IndexFunc(v.parameters, func(p Parameter) bool { return p.Name == name })
	if i < 0 {
		panic(fmt.Sprintf("spec: %s has no parameter %s", v.owner, name))
	}
	value, ok := v.list[i].(T)
	if !ok {
		const text = "spec: the parameter %s of %s has the type %s"
		panic(fmt.Sprintf(text, name, v.owner, v.parameters[i].Type))
	}
	return value
}

// asKey is the parameter as a key, which knows how values are read and described.
func (p *Parameter) asKey(owner string) Key {
	return Key{Path: owner + ":" + p.Name, Type: p.Type, Choices: p.Choices,
		Min: p.Min, Max: p.Max, Above: p.Above, Below: p.Below}
}

// read turns the text of a value into a value.
func (p *Parameter) read(owner, text string) (any, *input.Error) {
	k := p.asKey(owner)
	value, err := k.convert(ParseFlagValue(k, text), nil)
	if n, ok := value.(float64); ok && err == nil {
		return n, nil
	}
	if n, ok := value.(int64); ok && p.Type == Number {
		return float64(n), err
	}
	return value, err
}

// parseValues reads the parameters behind the colon of a name. Those that are keys stay unset.
func parseValues(owner string, parameters []Parameter, text string) (Values, *input.Error) {
	v := Values{owner: owner, parameters: parameters, list: make([]any, len(parameters))}
	known, where, right := []string(nil), "", "leave them out"
	for i, p := range parameters {
		if p.key != nil {
			section, _, _ := strings.Cut(p.key.Path, ".")
			where, right = " behind its name", "the keys of ["+section+"] are its parameters"
			continue
		}
		v.list[i], _ = p.read(owner, p.Default)
		known = append(known, p.Name)
	}
	if text == "" {
		return v, nil
	}
	seen := map[string]bool{}
	for argument := range strings.SplitSeq(text, ",") {
		name, value, given := strings.Cut(strings.TrimSpace(argument), "=")
		i := slices.IndexFunc(parameters, func(p Parameter) bool { return p.Name == name && p.key == nil })
		switch {
		case len(known) == 0:
			return v, input.Bad("", right, "%s has no parameters%s", owner, where)
		case i < 0:
			return v, input.Bad("", input.OneOf(name, known), "%s has no parameter %q", owner, name)
		case !given:
			right := fmt.Sprintf("write %s:%s=%s", owner, name, parameters[i].Default)
			return v, input.Bad("", right, "the parameter %s of %s has no value", name, owner)
		case seen[name]:
			return v, input.Bad("", "give it once",
				"the parameter %s of %s occurs twice", name, owner)
		}
		seen[name] = true
		var err *input.Error
		if v.list[i], err = parameters[i].read(owner, value); err != nil {
			return v, err
		}
	}
	return v, nil
}

// String returns the name with the parameters that are not at their defaults,
// in the order in which they are declared: equal calls have equal texts.
func (v Values) String() string {
	text, by := v.owner, ":"
	for i, p := range v.parameters {
		if p.key != nil {
			continue
		}
		standard, _ := p.read(v.owner, p.Default)
		if v.list[i] != standard {
			text, by = text+by+p.Name+"="+valueText(v.list[i]), ","
		}
	}
	return text
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
		if p.key != nil {
			continue
		}
		k := p.asKey(owner)
		about := []string{p.Type}
		if r := k.Range(); r != "" {
			about = append(about, r)
		}
		if p.Unit != "" {
			about = append(about, p.Unit)
		}
		text := fmt.Sprintf("%s:%s=%s (%s)", owner, p.Name, p.Default, strings.Join(about, ", "))
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
		case !slices.Contains([]string{Integer, Number, Boolean, Word}, p.Type):
			problem("has the type %q: take %s, %s, %s or %s",
				p.Type, Integer, Number, Boolean, Word)
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
