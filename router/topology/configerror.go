package topology

import "fmt"

// A ConfigError reports the wrong field of a configuration, such as CubeConfig. A reader of files
// can replace the field by the name that its users know.
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

// bad returns the error for a field: its problem, and what would be right.
func bad(field, right, problem string, args ...any) *ConfigError {
	return &ConfigError{Field: field, Problem: fmt.Sprintf(problem, args...), Right: right}
}

// tooLarge returns an error that names a field if a machine has too many nodes or ports.
func tooLarge(field string, routers, ports, nodesEach int) error {
	switch {
	case ports > MaxPorts:
		return bad(field, fmt.Sprintf("a router has at most %d", MaxPorts), "makes routers of %d ports",
			ports)
	case routers > MaxNodes/nodesEach:
		return bad(field, fmt.Sprintf("a machine has at most %d nodes", MaxNodes),
			"makes %d routers of %d nodes each", routers, nodesEach)
	case routers > MaxAllPorts/ports:
		return bad(field, fmt.Sprintf("the routers of a machine have at most %d in all", MaxAllPorts),
			"makes %d routers of %d ports each", routers, ports)
	}
	return nil
}
