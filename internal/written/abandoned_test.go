//go:build unix && !solaris && !aix

package written

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"contend/internal/must"
)

// What no process holds is removed at once: not a file that is being written, nor files with other
// names.
func TestAbandonedFilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	held := must.Have(createTemporary(filepath.Join(dir, "file")))
	defer held.Close()
	for _, name := range []string{".contend-123.tmp", ".124.tmp", ".lock", "mine.tmp",
		".contend-x.tmp"} {
		must.Have(0, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	must.Have(0, os.Mkdir(filepath.Join(dir, ".contend-5.tmp"), 0o700))
	must.Have(0, os.Symlink("mine.tmp", filepath.Join(dir, ".contend-6.tmp")))
	RemoveAbandoned(dir)
	var left []string
	for _, e := range must.Have(os.ReadDir(dir)) {
		left = append(left, e.Name())
	}
	want := []string{filepath.Base(held.Name()), ".124.tmp", ".contend-5.tmp", ".contend-6.tmp",
		".contend-x.tmp", ".lock", "mine.tmp"}
	slices.Sort(want)
	if !slices.Equal(left, want) {
		t.Errorf("left: %v, want %v", left, want)
	}
	RemoveAbandoned(filepath.Join(dir, "no such folder"))
}

// Files are written whole while others keep removing abandoned ones.
func TestFilesThatAreWrittenAreNotAbandoned(t *testing.T) {
	dir := t.TempDir()
	ended := make(chan bool)
	go func() {
		for {
			select {
			case <-ended:
				return
			default:
				RemoveAbandoned(dir)
			}
		}
	}()
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for k := range 50 {
				path := filepath.Join(dir, fmt.Sprint(i, "-", k))
				if err := Replace(path, []byte("text")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	close(ended)
	if left := must.Have(os.ReadDir(dir)); len(left) != 200 {
		t.Errorf("there are %d files", len(left))
	}
}
