package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"contend/internal/must"
)

// mounted mounts a file system in memory of some bytes, or skips the test.
func mounted(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("nothing can be mounted here: ", err)
	}
	t.Cleanup(func() { must.Do(syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}

// On a disk without room each command fails, says so and leaves what was there, and goes on once
// there is room.
func TestFullDisks(t *testing.T) {
	dir := workshop(t)
	disk := mounted(t, "1m")
	for _, w := range writers {
		if w.name == "fresh" { // which makes room
			continue
		}
		folder := filepath.Join(disk, "results")
		must.Do(os.RemoveAll(folder))
		must.Do(os.Mkdir(folder, 0o700))
		if w.from != "" {
			must.Do(os.CopyFS(folder, os.DirFS(filepath.Join(dir, w.from))))
		}
		args := strings.ReplaceAll(w.args, "DIR", folder)
		if !w.takes || w.from != "" { // else a folder that is not empty is refused
			must.Do(os.WriteFile(filepath.Join(folder, "mine"), []byte("mine"), 0o600))
		}
		filler := filepath.Join(disk, "filler")
		file := must.Have(os.Create(filler))
		for { // until nothing fits
			if _, err := file.Write(make([]byte, 4096)); err != nil {
				break
			}
		}
		must.Do(file.Close())
		before := map[string]func() bool{}
		for _, name := range filesIn(folder) {
			if name != ".lock" && name != "runs.jsonl" {
				before[name] = same(filepath.Join(folder, name))
			}
		}
		status, text := ran(t, dir, args)
		if status != exitFailed || !strings.Contains(text, "no space left on device") {
			t.Errorf("%s: status %d: %s", w.name, status, text)
		}
		for name, unchanged := range before {
			if !unchanged() {
				t.Errorf("%s: %s is not as it was", w.name, name)
			}
		}
		noTemporary(t, w.name, folder)
		must.Do(os.Remove(filler))
		if status, text := ran(t, dir, args); status != exitDone {
			t.Errorf("%s, with room: status %d: %s", w.name, status, text)
		}
	}
}

// On a file system that is read alone each command says that, and not that the folder is damaged.
func TestReadOnlyFileSystems(t *testing.T) {
	dir := workshop(t)
	for _, w := range writers {
		t.Run(w.name, func(t *testing.T) {
			disk := mounted(t, "8m")
			folder := filepath.Join(disk, "results")
			must.Do(os.Mkdir(folder, 0o700))
			if w.from != "" {
				must.Do(os.CopyFS(folder, os.DirFS(filepath.Join(dir, w.from))))
			}
			must.Do(syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
			status, text := ran(t, dir, strings.ReplaceAll(w.args, "DIR", folder))
			if status != exitInput || !strings.Contains(text, "read-only file system") ||
				strings.Contains(text, "damaged") {
				t.Errorf("status %d: %s", status, text)
			}
		})
	}
}
