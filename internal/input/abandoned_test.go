//go:build unix && !solaris && !aix

package input

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// What no process holds is removed: not a file that is being written, one that is new, nor files
// with other names.
func TestAbandonedFilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	long := time.Now().Add(-time.Hour)
	var held *os.File
	for _, name := range []string{".123.tmp", ".124.tmp", ".125.tmp", ".lock", "mine.tmp", ".x.tmp"} {
		file, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		switch name {
		case ".124.tmp":
			if !TryLock(file) {
				t.Fatal("a new file is locked")
			}
			held = file
		default:
			file.Close()
		}
		if name != ".125.tmp" {
			if err := os.Chtimes(file.Name(), long, long); err != nil {
				t.Fatal(err)
			}
		}
	}
	RemoveAbandoned(dir)
	var left []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if want := []string{".124.tmp", ".125.tmp", ".lock", ".x.tmp", "mine.tmp"}; !slices.Equal(left,
		want) {
		t.Errorf("left: %v, want %v", left, want)
	}
	held.Close()
	RemoveAbandoned(filepath.Join(dir, "no such folder"))
}
