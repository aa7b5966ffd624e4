package config

import (
	"errors"
	"reflect"

	"contend/internal/input"
	"contend/router/topology"
)

// keyError rewrites an error that names a field of a Go struct for the user, who knows only keys.
// If it is a topology.ConfigError, the key is the tag of the field of the same name in one of the
// sections, which are structs of a spec; without such a field the name itself stands for the key.
// Any other error keeps its text and gets no key. err must not be nil.
func keyError(err error, sections ...any) *input.Error {
	var bad *topology.ConfigError
	if !errors.As(err, &bad) {
		return &input.Error{Problem: err.Error()}
	}
	at := input.Field(bad.Field)
	for _, section := range sections {
		if f, ok := reflect.TypeOf(section).FieldByName(bad.Field); ok {
			at = input.Field(f.Tag.Get("key"))
		}
	}
	return at.Bad(bad.Right, "%s %s", at, bad.Problem)
}
