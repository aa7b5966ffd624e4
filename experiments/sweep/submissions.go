package sweep

import (
	"bytes"
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
	if _, err := file.WriteString(name + "\n"); err != nil {
		file.Close()
		return err
	}
	if err := file.Sync(); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

func forget(dir string) error {
	err := os.Remove(filepath.Join(dir, submissionsFile))
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

// counter counts the lines of shards, and reads only what is new in them.
type counter struct {
	read  map[string]int64
	lines int
}

func (c *counter) count(dir string) int {
	if c.read == nil {
		c.read = map[string]int64{}
	}
	for _, path := range shards(dir) {
		info, err := os.Stat(path)
		if err != nil || info.Size() == c.read[path] {
			continue
		}
		c.add(path)
	}
	return c.lines
}

func (c *counter) add(path string) {
	file, err := os.Open(path)
	if err != nil {
		return
	}
	defer file.Close()
	buffer := make([]byte, 1<<16)
	for {
		n, err := file.ReadAt(buffer, c.read[path])
		c.lines += bytes.Count(buffer[:n], []byte("\n"))
		c.read[path] += int64(n)
		if err != nil {
			return
		}
	}
}
