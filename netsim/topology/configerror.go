package topology

import "fmt"

// A ConfigError says which field of a configuration, such as CubeConfig, is wrong. What
// reads configurations from files can name the field as its users know it.
type ConfigError struct {
	// Field is the name of the field, such as Dims.
	Field string
	// Problem says what is wrong, as the rest of a sentence that begins with the field.
	Problem string
	// Right says what would be right.
	Right string
}

// Error names the field as Go does.
func (e *ConfigError) Error() string { return e.Field + " " + e.Problem + ": " + e.Right }

func bad(field, right, problem string, args ...any) *ConfigError {
	return &ConfigError{Field: field, Problem: fmt.Sprintf(problem, args...), Right: right}
}
