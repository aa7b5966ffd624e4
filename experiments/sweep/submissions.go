package sweep

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"strings"
)

// submissionsFile lists the names of jobs that may be in the queue.
const submissionsFile = "submitted"

// Submitted returns the names of the jobs of an output folder that may be in the
// queue.
func Submitted(dir string) []string { return submitted(filepath.Join(dir, Folder)) }

func submitted(dir string) []string {
	text, err := os.ReadFile(filepath.Join(dir, submissionsFile))
	if err != nil {
		return nil
	}
	return strings.Fields(string(text))
}

func remember(dir, name string) error {
	path := filepath.Join(dir, submissionsFile)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = file.WriteString(name + "\n")
	return cmp.Or(err, file.Sync(), file.Close())
}

func forget(dir string) error {
	err := os.Remove(filepath.Join(dir, submissionsFile))
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

// countLines counts the lines of files, of those that can be read.
func countLines(paths []string) (lines int) {
	for _, path := range paths {
		text, _ := os.ReadFile(path)
		lines += bytes.Count(text, []byte("\n"))
	}
	return lines
}
