package cosim

import (
	"errors"
	"strings"

	"contend/experiments/spec"
	"contend/experiments/spec/input"
	"contend/scheduler"
)

// log returns a copy of a log. Runs share the reading.
func (s *Simulator) log(name string) (*scheduler.SWF, error) {
	path, err := spec.FindTrace(name, s.TraceDirs)
	if err != nil {
		return nil, err
	}
	l, err := s.shared.logs.Of(path, func() (*scheduler.SWF, error) { return ReadLog(path) })
	if err != nil {
		return nil, err
	}
	return l.Copy(), nil
}

// ReadLog reads a log. A bad log is an *spec.InputError.
func ReadLog(path string) (*scheduler.SWF, error) {
	if err := fitsLog(path); err != nil {
		return nil, err
	}
	l, err := scheduler.OpenSWF(path)
	var bad *scheduler.SWFError
	switch {
	case errors.As(err, &bad):
		where, problem, _ := strings.Cut(bad.Error(), ": ")
		return nil, &spec.InputError{Where: where, Problem: problem}
	case err != nil:
		return nil, &spec.InputError{Problem: err.Error()}
	}
	return l, nil
}

// logFile returns the name of a log for messages about its lines. It is the given name, or the
// path of the version of the log that replaces it.
func (s *Simulator) logFile(name string) string {
	path, err := spec.FindTrace(name, s.TraceDirs)
	if err == nil && input.TakenInstead(name, path) != "" {
		return path
	}
	return name
}
