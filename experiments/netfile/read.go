package netfile

import (
	"bytes"
	"path/filepath"
	"strings"

	"contend/internal/bounded"
)

// ReadFile reads a network from a file. Its form follows from the end of its name: .toml,
// .csv or .dot (or .gv), else it is a BookSim anynet file. DecodeTOML reads a TOML text.
func ReadFile(path string, decodeTOML func(file, text string) (map[string]any, error)) (*Network,
	error) {
	text, err := bounded.ReadFile(path, Limits)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // spreadsheets begin CSV files with it
	switch strings.ToLower(filepath.Ext(path)) {
	case ".toml":
		raw, err := decodeTOML(path, string(text))
		if err != nil {
			return nil, err
		}
		return fromTOML(path, raw)
	case ".csv":
		return parseCSV(path, string(text))
	case ".dot", ".gv":
		return parseDOT(path, string(text))
	}
	return Parse(path, strings.Split(string(text), "\n"))
}
