package report

import (
	"crypto/sha256"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"unicode/utf8"

	"contend/experiments"
	"contend/experiments/report/tables"
	"contend/experiments/service/external"
)

// maxProgramBytes is the size of a file of a program up to which a page has its text.
const maxProgramBytes = 100_000

// userProgram is a program of the user that answered in runs.
type userProgram struct {
	Command string
	Files   []programFile
	Missing string // why its files are not in the page, "" if they are or it has none
}

// programFile is a file that a command names.
type programFile struct {
	Path, Name string // as in the command; and without folder
	SHA256     string
	Bytes      int
	Text       string // "" if it is none, or long
	URL        template.URL
}

// programsOf returns the programs of users in runs, with the files that their commands name, as
// seen from the working folder.
func programsOf(r *experiments.Results) (list []userProgram) {
	var commands []string
	for i := range r.Points {
		commands = append(commands, r.Points[i].Spec.Programs()...)
	}
	for _, command := range tables.Unique(commands) {
		list = append(list, userProgramOf(command))
	}
	return list
}

// userProgramOf reads the files of a command.
func userProgramOf(command string) userProgram {
	p := userProgram{Command: "exec:" + command}
	c, err := external.ParseCommand(command)
	var paths []string
	if err == nil {
		paths, err = c.Files()
	}
	if err != nil {
		p.Missing = err.Error()
		return p
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			p.Missing = err.Error()
			return p
		}
		f := programFile{Path: path, Name: filepath.Base(path), Bytes: len(content),
			SHA256: fmt.Sprintf("%x", sha256.Sum256(content))}
		if len(content) <= maxProgramBytes && utf8.Valid(content) {
			f.Text, f.URL = string(content), dataURL("text/plain", content)
		}
		p.Files = append(p.Files, f)
	}
	return p
}
