package experiments

import (
	"os"
	"path/filepath"
	"strings"

	"contend/internal/input"
)

// notesFile has the notes on the runs of a folder, one a line.
const notesFile = "notes.txt"

// WriteNotes stores the notes that were printed before the runs were made: how a log became
// messages and cycles, and what a user may not expect.
func (f *Folder) WriteNotes(notes []string) error {
	if len(notes) == 0 {
		return f.Out.Remove(notesFile)
	}
	return f.Out.WriteText(notesFile, []byte(strings.Join(notes, "\n")+"\n"))
}

// Notes returns the notes on the runs.
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
