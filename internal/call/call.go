// Package call reads and writes calls: the name of an entry of a table and, behind a colon, values
// of the parameters that the entry declares, such as paging:2,snake or
// hotspot:nodes=0/9,share=0.2.
//
// A value is given as NAME=VALUE, or alone. A value alone goes to the first parameter, in the
// order in which the entry declares them, that has none yet and takes such a value.
//
// An example: the allocator paging declares page, an integer with the default 0, and order, a word
// with the default row-major. The calls paging:1,snake and paging:order=snake,page=1 are the same.
package call

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contend/internal/input"
	"contend/internal/quantity"
)

// Values are the parameters of a call, the defaults filled in and checked against their bounds.
type Values struct {
	owner      string
	parameters []Parameter
	// list has an int64, float64, bool, string or quantity.Quantity for each parameter.
	list  []any
	given []bool // by the call, not the default
	files input.Files
}

// Files opens the files that parameters name.
func (v Values) Files() input.Files { return v.files }

// Through returns the values with what opens their files.
func (v Values) Through(files input.Files) Values {
	v.files = files
	return v
}

// Name returns the name before the parameters of a call.
func Name(text string) string {
	name, _, _ := strings.Cut(text, ":")
	return name
}

// Parse reads a call of an entry that declares these parameters.
func Parse(text string, parameters []Parameter) (Values, *input.Error) {
	name, rest, colon := strings.Cut(text, ":")
	v := Values{owner: name, parameters: parameters, list: make([]any, len(parameters)),
		given: make([]bool, len(parameters))}
	if v.isText() {
		return v, v.readText(rest)
	}
	for i := range parameters {
		v.list[i], _ = parameters[i].read(name, parameters[i].Default) // a File has none
	}
	switch {
	case colon && len(parameters) == 0:
		return v, input.Bad("", "leave them out", "%s has no parameters", name)
	case colon && rest == "":
		return v, input.Bad("", "leave out the colon, or give parameters",
			"%s has nothing after its colon", name)
	}
	for argument := range strings.SplitSeq(rest, ",") {
		if !colon {
			break
		}
		if err := v.argument(strings.TrimSpace(argument)); err != nil {
			return v, err
		}
	}
	for i, p := range parameters {
		if p.Type == File && p.Default == "" && !v.given[i] {
			return v, input.Bad("", "give "+described(parameters[i:i+1]), "%s needs %s", name, p.Name)
		}
	}
	return v, nil
}

// argument parses one argument and sets its parameter.
func (v *Values) argument(text string) *input.Error {
	key, value, named := strings.Cut(text, "=")
	i := -1
	if named {
		i = v.index(key)
	} else {
		value = key
		for n := range v.parameters {
			if i < 0 && !v.given[n] && v.parameters[n].takes(value) {
				i = n
			}
		}
	}
	switch {
	case i < 0:
		return v.unknown(key)
	case v.given[i]:
		return input.Bad("", "give it once", "%s has the parameter %s twice", v.owner, key)
	}
	v.given[i] = true
	read, err := v.parameters[i].read(v.owner, value)
	if v.list[i] = read; err != nil && strings.Contains(value, ";") {
		err.Right += "; commas separate parameters"
	}
	return err
}

// unknown returns the error for a value that no parameter takes.
func (v *Values) unknown(name string) *input.Error {
	if len(v.parameters) == 0 {
		return input.Bad("", "leave it out", "%s has no parameters", v.owner)
	}
	return input.Bad("", "there are "+described(v.parameters), "%s has no parameter %q", v.owner, name)
}

// described lists parameters with the values that they may have.
func described(list []Parameter) string {
	var parts []string
	for i := range list {
		about := list[i].Range()
		if about == "" {
			about = list[i].Type
		}
		parts = append(parts, list[i].Name+" ("+about+")")
	}
	return strings.Join(parts, ", ")
}

// isText reports whether calls are a name and a text.
func (v *Values) isText() bool { return IsText(v.parameters) }

// IsText reports whether calls of an entry with these parameters are a name and a text.
func IsText(parameters []Parameter) bool {
	return len(parameters) == 1 && parameters[0].Type == Text
}

// readText reads the text of a call.
func (v *Values) readText(text string) *input.Error {
	text, err := v.parameters[0].Read(text)
	v.list[0] = text
	bad := (*input.Error)(nil)
	if err != nil && !errors.As(err, &bad) {
		bad = &input.Error{Problem: err.Error()}
	}
	return bad
}

// With returns the values with one parameter set to the value that a text has.
func (v Values) With(name, text string) (Values, *input.Error) {
	i := v.index(name)
	if i < 0 {
		return v, v.unknown(name)
	}
	v.list, v.given = slices.Clone(v.list), slices.Clone(v.given)
	read, err := v.parameters[i].read(v.owner, text)
	v.list[i], v.given[i] = read, true
	return v, err
}

// Resolver returns the number, an int64 or a float64, that a quantity is as a value of a parameter.
// A quantity that is not given is the default.
type Resolver func(p *Parameter, q quantity.Quantity, given bool) (any, *input.Error)

// Resolve returns the values with numbers in place of quantities.
func (v Values) Resolve(number Resolver) (Values, *input.Error) {
	v.list, v.given = slices.Clone(v.list), slices.Clone(v.given)
	for i := range v.list {
		q, is := v.list[i].(quantity.Quantity)
		if !is {
			continue
		}
		made, err := number(&v.parameters[i], q, v.given[i])
		if err != nil {
			return v, err
		}
		v.list[i], v.given[i] = made, true
	}
	return v, nil
}

// Has reports whether the entry declares a parameter.
func (v Values) Has(name string) bool { return v.index(name) >= 0 }

// Given returns name and value of the first parameter of a type; "" for none.
func (v Values) Given(kind string) (name, value string) {
	for i, p := range v.parameters {
		if p.Type == kind {
			return p.Name, v.list[i].(string)
		}
	}
	return "", ""
}

// Owner is the name of the entry.
func (v Values) Owner() string { return v.owner }

// Int returns the value of an integer parameter. Asking for a parameter that was not declared, or
// for another type, is a bug and panics.
func (v Values) Int(name string) int { return int(valueOf[int64](v, name)) }

// Float returns the value of a number.
func (v Values) Float(name string) float64 { return valueOf[float64](v, name) }

// Bool returns the value of a boolean.
func (v Values) Bool(name string) bool { return valueOf[bool](v, name) }

// Word returns the value of a word, a text, a file or a digest.
func (v Values) Word(name string) string { return valueOf[string](v, name) }

func valueOf[T any](v Values, name string) T {
	i := v.index(name)
	if i < 0 {
		panic(fmt.Sprintf("call: %s has no parameter %s", v.owner, name))
	}
	value, ok := v.list[i].(T)
	if !ok {
		const text = "call: the parameter %s of %s has the type %s"
		panic(fmt.Sprintf(text, name, v.owner, v.parameters[i].Type))
	}
	return value
}

func (v *Values) index(name string) int {
	return slices.IndexFunc(v.parameters, func(p Parameter) bool { return p.Name == name })
}

// TextOf returns the value of a parameter as a call states it; "" for one that is not declared.
func (v Values) TextOf(name string) string {
	if i := v.index(name); i >= 0 {
		return textOf(v.list[i])
	}
	return ""
}

// String returns the call with the parameters that are not at their defaults, the bare numbers, and
// what is given where the default is a quantity, in the order in which they are declared: equal
// calls have equal texts.
func (v Values) String() string {
	if v.isText() {
		return v.owner + ":" + v.list[0].(string)
	}
	var given []string
	for i, p := range v.parameters {
		standard, _ := p.read(v.owner, p.Default)
		number := p.Type == Integer || p.Type == Number
		differs := v.list[i] != standard
		if _, depends := standard.(quantity.Quantity); depends {
			differs = v.given[i]
		}
		switch {
		case !differs && !(p.Bare && number):
		case !p.Bare:
			given = append(given, p.Name+"="+textOf(v.list[i]))
		case p.Type == Boolean:
			given = append(given, p.Name)
		default:
			given = append(given, textOf(v.list[i]))
		}
	}
	if given == nil {
		return v.owner
	}
	return v.owner + ":" + strings.Join(given, ",")
}

// textOf writes a value so that no character in it ends a part of a mix.
func textOf(value any) string {
	switch x := value.(type) {
	case float64:
		return FormatNumber(x)
	case quantity.Quantity:
		return x.Text
	}
	return fmt.Sprint(value)
}

// FormatNumber writes a number without an exponent.
func FormatNumber(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
