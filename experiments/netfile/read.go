package netfile

import (
	"bytes"
	"path/filepath"
	"strings"

	"contend/internal/bounded"
)

// ReadFile reads a network from a file: TOML if its name ends in .toml, else BookSim anynet.
// DecodeTOML reads a TOML text.
func ReadFile(path string, decodeTOML func(file, text string) (map[string]any, error)) (*Network,
	error) {
	text, err := bounded.ReadFile(path, Limits)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // some editors begin files with it
	if strings.EqualFold(filepath.Ext(path), ".toml") {
		raw, err := decodeTOML(path, string(text))
		if err != nil {
			return nil, err
		}
		return fromTOML(path, raw)
	}
	return Parse(path, strings.Split(string(text), "\n"))
}
