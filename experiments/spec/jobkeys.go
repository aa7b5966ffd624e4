package spec

import (
	"strings"
)

// JobKeys is the part of a spec about its jobs.
func (s *Spec) JobKeys() string {
	return s.CanonicalOf(func(path string) bool {
		return MakesJobs(path) || strings.HasPrefix(path, "machine.") // whose sides jobs draw
	})
}
