package main

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed faults.txt
var table string

// fault is a change of one place in one file.
type fault struct {
	name string
	line int // in the table
	// file names the file of the place, in the given folder or in one below it, so that
	// files may move to sub-packages.
	file string
	// breaks says what goes wrong.
	breaks string
	// tries names the tests most likely to catch the fault.
	tries []string
	// survives says why no test catches the fault, or is "" if one does.
	survives string
	// old and new are whole lines, each with its end. new replaces old.
	old, new string

	path    string // of the file, from the root of the module
	changed []byte // text of the file with the fault
}

// area is the package that the fault counts for: the first folder.
func (f *fault) area() string {
	area, _, _ := strings.Cut(f.file, "/")
	return area
}

// keys are the keys that a fault may have before its text.
func (f *fault) keys() map[string]*string {
	return map[string]*string{"fault": &f.name, "file": &f.file, "breaks": &f.breaks,
		"survives": &f.survives}
}

// parseTable reads faults. A fault is a block of lines, with an empty line between two
// blocks. Keys with their values come first. The text follows as diff writes it, with -
// before the old lines, + before the new ones and a space before unchanged ones. A line
// that begins with # is a comment.
func parseTable(text string) ([]fault, error) {
	var faults []fault
	var f *fault
	for i, line := range strings.Split(text, "\n") {
		switch {
		case line == "":
			f = nil
		case line[0] == '#':
		default:
			if f == nil {
				faults = append(faults, fault{line: i + 1})
				f = &faults[len(faults)-1]
			}
			if err := f.add(line); err != nil {
				return nil, fmt.Errorf("faults.txt:%d: %w", i+1, err)
			}
		}
	}
	return faults, checkTable(faults)
}

// add adds a line of a block.
func (f *fault) add(line string) error {
	text := line[1:] + "\n"
	switch line[0] {
	case '-':
		f.old += text
		return nil
	case '+':
		f.new += text
		return nil
	case ' ':
		f.old, f.new = f.old+text, f.new+text
		return nil
	}
	key, value, _ := strings.Cut(line, " ")
	if key == "tries" {
		f.tries = append(f.tries, strings.Fields(value)...)
		return nil
	}
	to := f.keys()[key]
	switch {
	case to == nil:
		return fmt.Errorf("%q is not a key: the keys are fault, file, breaks, tries and survives", key)
	case *to != "":
		*to += " " // a value may continue
	}
	*to += value
	return nil
}

// checkTable refuses faults that say too little.
func checkTable(faults []fault) error {
	names := map[string]bool{}
	for i := range faults {
		f := &faults[i]
		wrong := ""
		switch {
		case f.name == "" || f.file == "" || f.breaks == "":
			wrong = "it needs fault, file and breaks"
		case names[f.name]:
			wrong = "another fault has its name"
		case f.old == "" || f.old == f.new:
			wrong = "it changes nothing"
		case len(f.tries) == 0 && f.survives == "":
			wrong = "it names no test to try first"
		}
		if wrong != "" {
			return fmt.Errorf("faults.txt:%d: fault %s: %s", f.line, f.name, wrong)
		}
		names[f.name] = true
	}
	return nil
}
