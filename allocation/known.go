package allocation

import (
	"fmt"
	"strings"
)

// known returns an error unless the name is listed.
func known(kind, name string, listed []Info) error {
	for _, info := range listed {
		if info.Name == name {
			return nil
		}
	}
	return unknown(kind, name, listed)
}

// unknown returns the error for a name that is not listed.
func unknown(kind, name string, listed []Info) error {
	return fmt.Errorf("unknown %s %q: there are %s", kind, name, joinNames(listed))
}

func joinNames(listed []Info) string {
	names := make([]string, len(listed))
	for i, info := range listed {
		names[i] = info.Name
	}
	return strings.Join(names, ", ")
}
