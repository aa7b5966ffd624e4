package allocation

import (
	"fmt"
	"slices"
	"strings"
)

// Info is a name and its description in one line.
type Info struct {
	// Name is the name in specifications, and Doc its description.
	Name, Doc string
}

// Known returns an error unless the name is listed.
func Known(kind, name string, listed []Info) error {
	if slices.Contains(NamesOf(listed), name) {
		return nil
	}
	return fmt.Errorf("unknown %s %q: there are %s", kind, name, strings.Join(NamesOf(listed), ", "))
}

// NamesOf returns the names of a list, as Choices of a parameter.
func NamesOf(listed []Info) (names []string) {
	for _, info := range listed {
		names = append(names, info.Name)
	}
	return names
}
