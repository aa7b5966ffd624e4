package written

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"contend/internal/input"
)

// Replace replaces a file of the program by text in one step, as ReplaceWith does.
func Replace(path string, text []byte) error {
	return ReplaceWith(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// ReplaceWith replaces a file of the program by the output of write, in one step. A reader sees all
// old bytes or all new bytes, even if the program is killed: the output goes to a temporary file
// beside path, which then gets the name. An error removes the temporary file. ReplaceWith replaces
// a link at path and leaves its target. It refuses devices, pipes and folders.
func ReplaceWith(path string, write func(io.Writer) error) error {
	return replace(path, write, func() (func(), error) { return func() {}, nil })
}

// replace does the work of ReplaceWith. It calls ready before the file gets its name, and then the
// function that ready returned.
func replace(path string, write func(io.Writer) error, ready func() (func(), error)) (err error) {
	if err := refuseSpecial(path); err != nil {
		return err
	}
	file, err := createTemporary(path)
	if err != nil {
		return err
	}
	defer unfinished.add(file.Name())()
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	if err := buffered(file, write); err != nil {
		return renamed(err, file, path)
	}
	if err := file.Chmod(0o644); err != nil {
		return renamed(err, file, path)
	}
	if err := file.Sync(); err != nil {
		return renamed(err, file, path)
	}
	named, err := ready()
	if err != nil {
		return err
	}
	defer named()
	if !locking { // such a system may refuse to rename open files
		file.Close()
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return err
	}
	file.Close() // and with it the lock, which RemoveAbandoned respects until the file has its name
	return nil
}

// refuseSpecial returns an error if path leads to a device, a pipe, a socket or a folder.
func refuseSpecial(path string) error {
	info, err := os.Lstat(path)
	if err != nil || info.Mode().IsRegular() || info.Mode()&fs.ModeSymlink != 0 {
		return nil // creating the file says what else is wrong
	}
	return &input.Error{File: path, Problem: "is " + kindOf(info.Mode()),
		Right: "move it away, or give the name of a file"}
}

// createTemporary creates and locks a temporary file beside path. RemoveAbandoned leaves the file
// while this process lives.
func createTemporary(path string) (*os.File, error) {
	for {
		file, err := os.CreateTemp(filepath.Dir(path), temporaryPrefix+"*"+temporarySuffix)
		if err != nil {
			var at *fs.PathError
			if errors.As(err, &at) {
				at.Path = path
			}
			return nil, err
		}
		if Lock(file) && sameFile(file) {
			return file, nil
		}
		file.Close() // RemoveAbandoned was faster, and has removed it
	}
}

// sameFile reports whether the name of an open file still leads to the file.
func sameFile(file *os.File) bool {
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	found, err := os.Lstat(file.Name())
	return err == nil && os.SameFile(opened, found)
}

// renamed returns an error about the temporary file with path as its file.
func renamed(err error, temporary *os.File, path string) error {
	var at *fs.PathError
	if errors.As(err, &at) && at.Path == temporary.Name() {
		at.Path = path
	}
	return err
}

// buffered calls write with a buffered writer in front of w, and flushes it.
func buffered(w io.Writer, write func(io.Writer) error) error {
	buffer := bufio.NewWriterSize(w, 1<<16)
	if err := write(buffer); err != nil {
		return err
	}
	return buffer.Flush()
}

// A temporary file has a name of this prefix, digits and this suffix.
const (
	temporaryPrefix = ".contend-"
	temporarySuffix = ".tmp"
)

// temporary matches the names of temporary files.
var temporary = regexp.MustCompile(`^\.contend-\d+\.tmp$`)

// abandonedAfter is the age at which a temporary file counts as abandoned on a file system without
// locks.
const abandonedAfter = 24 * time.Hour

// RemoveAbandoned removes the temporary files that killed processes have left in a folder. Running
// processes hold locks on theirs, which stay.
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

// unfinished holds the names of the temporary files that ReplaceWith is writing.
var unfinished nameSet

// nameSet is a set of names of files. Several goroutines may use it at the same time.
type nameSet struct {
	mu    sync.Mutex
	names map[string]bool
}

// add adds a name and returns a function that removes it.
func (s *nameSet) add(name string) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names == nil {
		s.names = map[string]bool{}
	}
	s.names[name] = true
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.names, name)
	}
}

// RemoveUnfinished removes the temporary files of unfinished calls of ReplaceWith, just before the
// process ends. It locks the set for good, so no later call of ReplaceWith begins or ends.
func RemoveUnfinished() {
	unfinished.mu.Lock() // for good
	for name := range unfinished.names {
		os.Remove(name)
	}
}
