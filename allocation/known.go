package allocation

import (
	"fmt"
	"strings"
)

// Info is a name and its description in one line.
type Info struct {
	// Name is the name in specifications, and Doc its description.
	Name, Doc string
}

// Known returns an error unless the name is listed.
func Known(kind, name string, listed []Info) error {
	for _, info := range listed {
		if info.Name == name {
			return nil
		}
	}
	return Unknown(kind, name, listed)
}

// Unknown returns the error for a name that is not listed.
func Unknown(kind, name string, listed []Info) error {
	return fmt.Errorf("unknown %s %q: there are %s", kind, name, JoinNames(listed))
}

// JoinNames returns the names of a list, separated by ", ".
func JoinNames(listed []Info) string { return strings.Join(NamesOf(listed), ", ") }

// NamesOf returns the names of a list, as Choices of a parameter.
func NamesOf(listed []Info) (names []string) {
	for _, info := range listed {
		names = append(names, info.Name)
	}
	return names
}
