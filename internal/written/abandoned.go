package written

import (
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// Names of the files that become files of other names begin and end so. Between are digits.
const (
	temporaryPrefix = ".contend-"
	temporarySuffix = ".tmp"
)

// temporary matches these names.
var temporary = regexp.MustCompile(`^\.contend-\d+\.tmp$`)

// abandonedAfter is the age from which on a file is abandoned on a file system without locks.
const abandonedAfter = 24 * time.Hour

// RemoveAbandoned removes the files that killed processes were writing in a folder. A file that
// a process is still writing stays, because it is locked.
func RemoveAbandoned(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // there is nothing to remove
	}
	for _, e := range entries {
		if !temporary.MatchString(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		file, err := os.OpenFile(path, os.O_RDWR, 0) // an exclusive lock over NFS needs writing
		if err != nil {
			continue
		}
		if info, err := file.Stat(); err == nil && Lock(file) &&
			(locks(file) || time.Since(info.ModTime()) > abandonedAfter) {
			os.Remove(path)
		}
		file.Close()
	}
}
