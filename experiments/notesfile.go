package experiments

import (
	"os"
	"path/filepath"
	"strings"

	"contend/internal/input"
)

// notesFile holds what the program said of the runs of a folder before it made them, a note a line.
const notesFile = "notes.txt"

// WriteNotes keeps what was said of the runs: how a log became messages and cycles, and what was
// not as a user may expect.
func (f *Folder) WriteNotes(notes []string) error {
	path := filepath.Join(f.Dir, notesFile)
	if len(notes) == 0 {
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			return err
		}
		return nil
	}
	return input.WriteFile(path, []byte(strings.Join(notes, "\n")+"\n"))
}

// Notes returns what was said of the runs.
func (f *Folder) Notes() ([]string, error) {
	text, err := input.ReadFile(filepath.Join(f.Dir, notesFile), input.StudyLimits)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, input.Unreadable(err, "contend run writes it again")
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), nil
}
