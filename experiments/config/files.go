package config

import (
	"contend/experiments/formats/netfile"
	"contend/internal/input"
	"contend/router/topology"
)

// readGraph sets machine.graph from a file.
func (s *Settings) readGraph(path string) *input.Error {
	if path == "" {
		return nil
	}
	n, err := netfile.ReadFile(path)
	if err != nil {
		return networkFileError(err)
	}
	if _, err := topology.NewGraph(n.Config()); err != nil {
		bad := GraphRefused(err, path).(*input.Error)
		bad.Key = string(FieldFile)
		return bad
	}
	s.Spec.Machine.Graph = n.Lines()
	return nil
}

// networkFileError is the error for a file of a network. What names the file, a flag or a line of
// a study, takes the place of its line.
func networkFileError(err error) *input.Error {
	bad := *input.Unreadable(err, "give a file that describes a network")
	if at := bad.At(); at != "" {
		bad.Problem = at + ": " + bad.Problem
	}
	bad.Where, bad.File, bad.Line = "", "", 0
	return &bad
}
