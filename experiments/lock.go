package experiments

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
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

// CheckLinks refuses an output folder with a symbolic link that leads out of it: writing to the
// link would replace a file elsewhere. The folder itself may be a link.
func CheckLinks(dir string) error {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil // it is not there
	}
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Type()&fs.ModeSymlink == 0 {
			return nil // what cannot be read is said where it is read
		}
		target, err := filepath.EvalSymlinks(path)
		if err == nil && strings.HasPrefix(target, root+string(os.PathSeparator)) {
			return nil
		}
		return &input.Error{Where: path,
			Problem: "it is a symbolic link that leads out of the output folder",
			Right:   "remove the link, or give another folder with -o"}
	})
}

// FilesOf lists the files of an output folder from which commands read its results.
func FilesOf(out *written.Folder) (paths []string, err error) {
	names := append(out.Names(), specFile, RunsFile, notesFile, LockFile, written.Record)
	for _, name := range names {
		paths = append(paths, out.Path(name))
	}
	for _, of := range metrics.RowTables {
		folder := out.Path(of.Name + ".d")
		parts, err := os.ReadDir(folder)
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		for _, e := range parts {
			paths = append(paths, filepath.Join(folder, e.Name()))
		}
	}
	return paths, nil
}

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
