package netfile

import (
	"regexp"
	"strings"

	"contend/internal/input"
)

// Setting is a line of a BookSim configuration.
type Setting struct {
	// Name and Value are what it sets. A value is without quotes.
	Name, Value string
	// Line is where it stands, from 1.
	Line int
}

var settingForm = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)\s*=\s*([^=;\s][^=;]*?)$`)

// ReadBookSim reads the settings of a BookSim configuration: NAME = VALUE; with comments
// behind //.
func ReadBookSim(path string) ([]Setting, error) {
	text, err := input.ReadFile(path, Limits)
	if err != nil {
		return nil, err
	}
	return parseBookSim(path, string(text))
}

func parseBookSim(path, text string) (list []Setting, err error) {
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
			list = append(list, Setting{found[1], strings.Trim(found[2], `"' `), begun})
			pending = ""
		}
	}
	if pending != "" {
		return nil, bad(begun, "the setting has no semicolon at its end")
	}
	return list, nil
}
