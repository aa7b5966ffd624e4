package experiments

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"contend/experiments/metrics"
	"contend/internal/input"
	"contend/internal/written"
)

// LockFile is the file of an output folder on which its writer holds a lock. The system releases
// the lock when the writer ends in any way, so a lock is never stale; the file stays.
const LockFile = ".lock"

// holderPrefix begins the text of the lock file: the process that has or had the lock.
const holderPrefix = "process "

// LockFolder locks an output folder against other writers until the lock is closed. It creates a
// folder that does not exist. A folder in use is an input.Error that names the process; so is one
// with links that lead out of it.
func LockFolder(dir string) (io.Closer, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return io.NopCloser(nil), nil // OpenFolder says what is wrong with it
	}
	if err := CheckLinks(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, LockFile)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &input.Error{File: path, Problem: "is no file", Right: "remove it"}
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return io.NopCloser(nil), nil // as it does for folders that are only read
	}
	if !written.Lock(file) {
		holder, _ := io.ReadAll(io.LimitReader(file, 200))
		file.Close()
		return nil, input.Bad("", "wait for it to end, or choose another with -o",
			"the output folder %s is in use by %s", dir, holderText(holder))
	}
	if held, _ := io.ReadAll(io.LimitReader(file, 200)); len(held) > 0 &&
		!bytes.HasPrefix(held, []byte(holderPrefix)) {
		file.Close()
		return nil, &input.Error{File: path, Problem: "contend has not written this file",
			Right: "move it away, or give another folder with -o"}
	}
	removeAbandoned(dir)
	host, _ := os.Hostname()
	if err := file.Truncate(0); err == nil {
		file.WriteAt(fmt.Appendf(nil, holderPrefix+"%d on %s\n", os.Getpid(), host), 0)
	}
	return file, nil
}

// removeAbandoned removes the half-written files that killed processes left in an output folder.
func removeAbandoned(dir string) {
	dirs := []string{dir, filepath.Join(dir, "figures")}
	for _, of := range metrics.RowTables {
		dirs = append(dirs, filepath.Join(dir, of.Name+".d"))
	}
	for _, d := range dirs {
		written.RemoveAbandoned(d)
	}
}

// holderText returns the text of a lock file for messages.
func holderText(holder []byte) string {
	if text := strings.TrimSpace(string(holder)); text != "" {
		return input.Printable(text)
	}
	return "another process"
}
