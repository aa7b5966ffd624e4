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

// Replace replaces a file of the program's own in one step: see ReplaceWith.
func Replace(path string, text []byte) error {
	return ReplaceWith(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// ReplaceWith replaces a file of the program's own in one step by the output of write. A reader
// sees either the old bytes or the new ones, even if the program is killed at any time: the output
// goes to another name beside the file, which is then renamed. After an error no part of the output
// remains. A link at the path is replaced, not followed. Devices, pipes and folders are refused.
func ReplaceWith(path string, write func(io.Writer) error) error {
	return replace(path, write, func() (func(), error) { return func() {}, nil })
}

// replace is ReplaceWith that calls ready before the file gets its name, and what ready returns
// when the file has it.
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

// refuseSpecial refuses a path at which something else than a file or a link is.
func refuseSpecial(path string) error {
	info, err := os.Lstat(path)
	if err != nil || info.Mode().IsRegular() || info.Mode()&fs.ModeSymlink != 0 {
		return nil // creating the file says what else is wrong
	}
	return &input.Error{File: path, Problem: "is " + kindOf(info.Mode()),
		Right: "move it away, or give the name of a file"}
}

// createTemporary creates and locks a file beside path, which RemoveAbandoned leaves while this
// process lives.
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

// sameFile reports whether an open file still has its name.
func sameFile(file *os.File) bool {
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	found, err := os.Lstat(file.Name())
	return err == nil && os.SameFile(opened, found)
}

// renamed returns an error about a temporary file as one about the file that it becomes.
func renamed(err error, temporary *os.File, path string) error {
	var at *fs.PathError
	if errors.As(err, &at) && at.Path == temporary.Name() {
		at.Path = path
	}
	return err
}

// buffered runs write with a buffer before w.
func buffered(w io.Writer, write func(io.Writer) error) error {
	buffer := bufio.NewWriterSize(w, 1<<16)
	if err := write(buffer); err != nil {
		return err
	}
	return buffer.Flush()
}

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

// unfinished has the names under which ReplaceWith writes now.
var unfinished nameSet

// nameSet is a set of names of files. Several goroutines may use it at the same time.
type nameSet struct {
	mu    sync.Mutex
	names map[string]bool
}

// add adds a name and returns a function that takes it out.
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

// RemoveUnfinished removes what ReplaceWith has written so far of files that are not complete,
// for a process that ends at once. No other call of ReplaceWith begins or ends after it.
func RemoveUnfinished() {
	unfinished.mu.Lock() // for good
	for name := range unfinished.names {
		os.Remove(name)
	}
}
