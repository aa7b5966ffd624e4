package booksim

import (
	"regexp"
	"strings"

	"contend/experiments/formats/netfile"
	"contend/internal/input"
)

// setting is an assignment of a BookSim configuration.
type setting struct {
	Name  string
	Value string // without quotes
	Line  int    // from 1
}

// settingForm matches an assignment without its semicolon.
var settingForm = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)\s*=\s*([^=;\s][^=;]*?)$`)

// readSettings reads the settings of a BookSim configuration: NAME = VALUE; with comments
// behind //. A setting may span lines.
func readSettings(path string) (list []setting, err error) {
	text, err := input.ReadFile(path, netfile.Limits)
	if err != nil {
		return nil, err
	}
	bad := func(line int, problem string) error {
		return &input.Error{File: path, Line: line, Problem: problem,
			Right: "give lines such as: topology = mesh;"}
	}
	pending, begun := "", 0 // a setting without its semicolon, and its first line
	for i, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "//")
		for part := range strings.SplitAfterSeq(line, ";") {
			part, ended := strings.CutSuffix(part, ";")
			if part = strings.TrimSpace(part); part != "" {
				if pending == "" {
					begun = i + 1
				}
				pending = strings.TrimSpace(pending + " " + part)
			}
			if !ended || pending == "" {
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
