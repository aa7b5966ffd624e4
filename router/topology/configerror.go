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

// tooLarge is the error for a machine of more nodes or ports than there may be; the field is
// the one that is named.
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
