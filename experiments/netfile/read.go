package netfile

import (
	"path/filepath"
	"strings"

	"contend/experiments/bounded"
)

// ReadFile reads a network from a file. Its form follows from the end of its name: .toml,
// .csv or .dot, else it is a BookSim anynet file.
func ReadFile(path string) (*Network, error) {
	text, err := bounded.ReadFile(path, Limits)
	if err != nil {
		return nil, err
	}
	switch strings.ToLower(filepath.Ext(path)) {
	}
	return Parse(path, strings.Split(string(text), "\n"))
}
