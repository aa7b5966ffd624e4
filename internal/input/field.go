package input

import (
	"errors"
	"reflect"

	"contend/router/topology"
)

// Field is a field of a Plan as a user knows it: the key it was decoded from. A package
// below this one that refuses a value names the field; only constants of
// packages of the spec name keys.
type Field string

// Bad makes an Error about the field.
func (f Field) Bad(right, problem string, args ...any) *Error {
	return Bad(string(f), right, problem, args...)
}

// Refuse turns an error of another package into an Error about the field.
func (f Field) Refuse(err error) *Error { return f.Bad("", "%v", err) }

// RefuseField turns an error about the configuration of a machine or a network into one about
// the key that the field was decoded from: the sections, structs of a spec, have fields of the
// same names.
func RefuseField(err error, sections ...any) *Error {
	var bad *topology.ConfigError
	if !errors.As(err, &bad) {
		return &Error{Problem: err.Error()}
	}
	at := Field(bad.Field)
	for _, section := range sections {
		if f, ok := reflect.TypeOf(section).FieldByName(bad.Field); ok {
			at = Field(f.Tag.Get("key"))
		}
	}
	return at.Bad(bad.Right, "%s %s", at, bad.Problem)
}
