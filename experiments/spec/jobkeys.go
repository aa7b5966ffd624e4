package spec

import (
	"strings"
)

// JobKeys is what a spec says about its jobs.
func (s *Spec) JobKeys() string {
	return s.CanonicalOf(func(path string) bool {
		return MakesJobs(path) || strings.HasPrefix(path, "machine.") // whose sides jobs draw
	})
}
