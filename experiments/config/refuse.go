package config

import (
	"errors"
	"reflect"

	"contend/internal/input"
	"contend/router/topology"
)

// refuseField turns an error about the configuration of a machine or a network into one about
// the key that the field was decoded from: the sections, structs of a spec, have fields of the
// same names.
func refuseField(err error, sections ...any) *input.Error {
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
