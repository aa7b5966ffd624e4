package config

import (
	"errors"
	"strings"

	"contend/internal/input"
	"contend/router/topology"
)

// keyError rewrites an error that names a field of a Go struct for the user, who knows only keys.
// The field of a topology.ConfigError has the same name in one of the given sections of a spec. If
// none has the field, its name takes the place of the key. Any other error keeps its text and gets
// no key. err must not be nil.
func keyError(err error, sections ...string) *input.Error {
	var bad *topology.ConfigError
	if !errors.As(err, &bad) {
		return &input.Error{Problem: err.Error()}
	}
	at := input.Field(bad.Field)
	for _, section := range sections {
		if path := keyOfField(section, bad.Field); path != "" {
			at = input.Field(path)
		}
	}
	return at.Bad(bad.Right, "%s %s", at, bad.Problem)
}

// keyOfField returns the key of a section of the spec whose field has the given name, or ends with
// the given path of names; "" for none.
func keyOfField(section, name string) string {
	for _, k := range Keys() {
		if strings.HasPrefix(k.goPath, ".Spec."+section+".") && strings.HasSuffix(k.goPath, "."+name) {
			return k.Path
		}
	}
	return ""
}
