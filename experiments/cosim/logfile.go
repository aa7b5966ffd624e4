package cosim

import (
	"contend/experiments/spec"
)

// logFile is the name of a log for messages about its lines: as it was asked
// for, or that of the version taken in its place.
func (s *Simulator) logFile(name string) string {
	path, err := spec.FindTrace(name, s.TraceDirs)
	if err == nil && spec.TakenInstead(name, path) != "" {
		return path
	}
	return name
}
