// Package studies holds the built-in studies: one TOML file per reproduced
// table or figure, and the figures the papers printed, as CSV.
package studies

import (
	"embed"
	"slices"
	"strings"
)

//go:embed *.toml *.csv
var files embed.FS

// Names lists the built-in studies.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic("experiments: the built-in studies cannot be listed: " + err.Error())
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".toml"); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TOML returns the text of a built-in study.
func TOML(name string) (string, bool) { return read(name + ".toml") }

// CSV returns a file of published figures.
func CSV(file string) (string, bool) { return read(file) }

// read returns the text of an embedded file.
func read(file string) (string, bool) {
	text, err := files.ReadFile(file)
	return string(text), err == nil
}
