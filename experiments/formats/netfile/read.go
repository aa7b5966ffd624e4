package netfile

import (
	"path/filepath"
	"strings"

	"contend/internal/input"
)

// ReadFile reads a network from a file: TOML if its name ends in .toml, Slurm's topology.conf or
// topology.yaml if it ends in .conf, .yaml or .yml, else BookSim anynet.
func ReadFile(path string) (*Network, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".conf", ".yaml", ".yml":
		s, err := ReadSlurm(path)
		if err != nil {
			return nil, err
		}
		return s.Network(1)
	case ".toml":
		text, err := readText(path, Limits)
		if err != nil {
			return nil, err
		}
		t, err := input.ReadTOML(path, text)
		if err != nil {
			return nil, err
		}
		return fromTOML(path, t.Values)
	}
	return ReadAnynet(path)
}

// ReadAnynet reads a network from a BookSim anynet file, whatever its name ends with.
func ReadAnynet(path string) (*Network, error) {
	text, err := readText(path, Limits)
	if err != nil {
		return nil, err
	}
	return Parse(path, strings.Split(text, "\n"))
}

// readText returns the text of a file without the mark of Unicode with which some editors begin it.
func readText(path string, limits input.Limits) (string, error) {
	text, err := input.ReadFile(path, limits)
	return strings.TrimPrefix(string(text), "\ufeff"), err
}
