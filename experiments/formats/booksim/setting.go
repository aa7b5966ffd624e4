package booksim

import (
	"regexp"
	"strings"

	"contend/experiments/formats/netfile"
	"contend/internal/input"
)

// setting is a line of a BookSim configuration.
type setting struct {
	// Name and Value are what it sets. A value is without quotes.
	Name, Value string
	// Line is where it stands, from 1.
	Line int
}

var settingForm = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)\s*=\s*([^=;\s][^=;]*?)$`)

// readSettings reads the settings of a BookSim configuration: NAME = VALUE; with comments
// behind //.
func readSettings(path string) ([]setting, error) {
	text, err := input.ReadFile(path, netfile.Limits)
	if err != nil {
		return nil, err
	}
	return parseSettings(path, string(text))
}

func parseSettings(path, text string) (list []setting, err error) {
	bad := func(line int, problem string) error {
		return &input.Error{File: path, Line: line, Problem: problem,
			Right: "give lines such as: topology = mesh;"}
	}
	pending, begun := "", 0
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "//")
		parts := strings.Split(line, ";")
		for j, part := range parts {
			if part = strings.TrimSpace(part); part != "" {
				if pending == "" {
					begun = i + 1
				}
				pending = strings.TrimSpace(pending + " " + part)
			}
			if j == len(parts)-1 || pending == "" {
				continue // no semicolon yet, or one too many
			}
			found := settingForm.FindStringSubmatch(pending)
			if found == nil {
				return nil, bad(begun, "this is no setting")
			}
			list = append(list, setting{found[1], strings.Trim(found[2], `"' `), begun})
			pending = ""
		}
	}
	if pending != "" {
		return nil, bad(begun, "the setting has no semicolon at its end")
	}
	return list, nil
}
