package input

import (
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// temporary matches the names under which WriteFileWith writes.
var temporary = regexp.MustCompile(`^\.\d+\.tmp$`)

// abandonedAfter is the age from which on a file that nobody has locked is abandoned. It covers
// the time between the creation of a file and its lock.
const abandonedAfter = time.Minute

// RemoveAbandoned removes the files that killed processes were writing in a folder. A file that
// a process is still writing stays.
func RemoveAbandoned(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // there is nothing to remove
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !temporary.MatchString(e.Name()) || !info.Mode().IsRegular() ||
			time.Since(info.ModTime()) < abandonedAfter {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if file, err := os.Open(path); err == nil {
			if TryLock(file) {
				os.Remove(path)
			}
			file.Close()
		}
	}
}
