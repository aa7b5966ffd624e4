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

// JoinNames returns the names of the entries, separated by ", ".
func JoinNames(listed []Info) string {
	names := make([]string, len(listed))
	for i, info := range listed {
		names[i] = info.Name
	}
	return strings.Join(names, ", ")
}
