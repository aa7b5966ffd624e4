// Package shortform reads and writes calls, the short forms of things that have parameters: a name
// and, behind a colon, values such as hotspot:nodes=0/9,share=0.2 or paging:2,snake.
package shortform

import (
	"fmt"
	"slices"
	"strings"
)

// Parameter is a parameter of what a call names.
type Parameter struct {
	Name     string
	Values   string // the values it takes, for the reader
	Required bool   // a call has to give it
	// Set takes a value.
	Set func(text string) error
	// Bare reports whether a value without a name is the parameter's; nil: none is.
	Bare func(text string) bool
}

// Error says what is wrong with a call and what would be right.
type Error struct{ Problem, Right string }

func (e *Error) Error() string { return e.Problem + ": " + e.Right }

// Read sets the parameters that a call gives.
func Read(call string, list []Parameter) error {
	name, rest, colon := strings.Cut(call, ":")
	wrong := func(right, problem string, args ...any) error {
		return &Error{name + " " + fmt.Sprintf(problem, args...), right}
	}
	switch {
	case colon && len(list) == 0:
		return wrong("leave them out", "has no parameters")
	case colon && rest == "":
		return wrong("leave out the colon, or give parameters", "has nothing after its colon")
	}
	given := make([]bool, len(list))
	for argument := range strings.SplitSeq(rest, ",") {
		if !colon {
			break
		}
		key, value, named := strings.Cut(strings.TrimSpace(argument), "=")
		i := find(list, given, key, &value, named)
		switch {
		case i < 0:
			return wrong("there are "+described(list), "has no parameter %q", key)
		case given[i]:
			return wrong("give it once", "has the parameter %s twice", key)
		}
		given[i] = true
		if err := list[i].Set(value); err != nil {
			return err
		}
	}
	for i, p := range list {
		if p.Required && !given[i] {
			return wrong("give "+described(list[i:i+1]), "needs %s", p.Name)
		}
	}
	return nil
}

// find returns the parameter that an argument gives, -1 for none. A value without a name is that
// of the first parameter not given that takes it.
func find(list []Parameter, given []bool, key string, value *string, named bool) int {
	if named {
		return slices.IndexFunc(list, func(p Parameter) bool { return p.Name == key })
	}
	*value = key
	for i, p := range list {
		if !given[i] && p.Bare != nil && p.Bare(key) {
			return i
		}
	}
	return -1
}

// described lists parameters with their values.
func described(list []Parameter) string {
	var parts []string
	for _, p := range list {
		parts = append(parts, p.Name+" ("+p.Values+")")
	}
	return strings.Join(parts, ", ")
}

// Write returns a call of a name with arguments.
func Write(name string, arguments []string) string {
	if len(arguments) == 0 {
		return name
	}
	return name + ":" + strings.Join(arguments, ",")
}
