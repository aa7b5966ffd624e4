package netfile

import (
	"bytes"
	"path/filepath"
	"strings"

	"contend/internal/input"
)

// ReadFile reads a network from a file: TOML if its name ends in .toml, Slurm's topology.conf or
// topology.yaml if it ends in .conf, .yaml or .yml, else BookSim anynet. DecodeTOML reads a TOML
// text.
func ReadFile(path string, decodeTOML func(file, text string) (map[string]any, error)) (*Network,
	error) {
	text, err := input.ReadFile(path, Limits)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // some editors begin files with it
	switch strings.ToLower(filepath.Ext(path)) {
	case ".conf", ".yaml", ".yml":
		s, err := parseSlurm(path, string(text))
		if err != nil {
			return nil, err
		}
		return s.Network(1)
	case ".toml":
		raw, err := decodeTOML(path, string(text))
		if err != nil {
			return nil, err
		}
		return fromTOML(path, raw)
	}
	return Parse(path, strings.Split(string(text), "\n"))
}
