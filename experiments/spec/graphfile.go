package spec

import (
	"errors"

	"contend/experiments/netfile"
	"contend/experiments/spec/input"
	"contend/experiments/spec/machine"
	"contend/netsim/topology"
)

// readGraph sets machine.graph from a file.
func (s *Settings) readGraph(path string) *input.Error {
	if path == "" {
		return nil
	}
	n, err := netfile.ReadFile(path, input.DecodeTOML)
	if err != nil {
		return networkFileError(err)
	}
	if _, err := topology.NewGraph(n.Config()); err != nil {
		bad := machine.GraphRefused(err, path).(*input.Error)
		bad.Key = string(FieldFile)
		return bad
	}
	s.Spec.Machine.Graph = n.Lines()
	return nil
}

// networkFileError is the error for a file of a network. What names the file, a flag or a line of
// a study, takes the place of its line.
func networkFileError(err error) *input.Error {
	var bad *input.Error // of DecodeTOML
	if !errors.As(err, &bad) {
		bad = input.Unreadable(err, "give a file that describes a network")
	}
	if bad.Where != "" {
		bad.Where, bad.Problem = "", bad.Where+": "+bad.Problem
	}
	return bad
}
