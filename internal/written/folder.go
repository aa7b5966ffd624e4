// Package written writes files that appear whole or not at all, and keeps them from replacing
// anything else than what contend has written.
//
// A Folder has a record of the files that were written into it, contend.sha256, with their
// checksums: a file that is in the record and still has its checksum is contend's. A File anywhere
// else ends with a mark, a checksum of all before it. Everything else, also such a file that was
// changed later, and a link, is foreign. Force lets a command replace foreign files, except for
// those that it reads. Devices and pipes are never replaced.
//
// A killed process leaves a folder as it was or as it is to be: the checksum of a file enters the
// record before the file gets its name. An example, in the order of time, of a run that replaces
// table.csv:
//
//	.contend-123.tmp is written          a kill here leaves the old table.csv; the next command
//	                                     removes the temporary file
//	contend.sha256 gets a second line    the old and the new checksum are both contend's
//	with the checksum of the new file
//	.contend-123.tmp becomes table.csv   by one rename
//	Save leaves one line of table.csv
package written

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"contend/internal/input"
)

// Folder is a folder with a record of the files that were written into it. Its methods take names
// in the folder, with slashes, and may be called by several goroutines. Processes may write into
// one folder at the same time.
type Folder struct {
	// Dir is the path of the folder, which need not exist yet.
	Dir string
	// Force lets foreign files be replaced.
	Force bool
	// Reads are the paths of files that the command reads, which it never replaces unless they are
	// the folder's own.
	Reads []string

	mu     sync.Mutex
	read   bool // whether the record was read
	exists bool // whether there is a record
	err    error
	sums   map[string][]string // checksums of the files by name
}

// In returns a folder.
func In(dir string) *Folder { return &Folder{Dir: dir} }

// Path returns the path of a file.
func (f *Folder) Path(name string) string { return filepath.Join(f.Dir, filepath.FromSlash(name)) }

// Recorded reports whether the folder has a record.
func (f *Folder) Recorded() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.load()
	return f.exists
}

// WriteText is Write of a text.
func (f *Folder) WriteText(name string, text []byte) error {
	return f.Write(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// Write writes a file by the output of write, or replaces it in one step. It refuses to replace a
// foreign file, unless Force is set or the file has the same bytes. It makes the folders that the
// name has.
func (f *Folder) Write(name string, write func(io.Writer) error) error {
	path := f.Path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if err := f.refuse(name); err != nil {
		return f.sameBytes(name, write, err)
	}
	sum := sha256.New()
	return replace(path,
		func(w io.Writer) error { return write(io.MultiWriter(w, sum)) },
		func() (func(), error) { return f.add(name, hex.EncodeToString(sum.Sum(nil))) })
}

// sameBytes adds a foreign file to the record if write would write its bytes. Else it returns why
// the file is not replaced.
func (f *Folder) sameBytes(name string, write func(io.Writer) error, why error) error {
	info, err := os.Lstat(f.Path(name))
	if err != nil || !info.Mode().IsRegular() {
		return why
	}
	there, err := digest(f.Path(name))
	sum := sha256.New()
	if err != nil || write(sum) != nil || there != hex.EncodeToString(sum.Sum(nil)) {
		return why
	}
	unlock, err := f.add(name, there)
	if err == nil {
		unlock()
	}
	return err
}

// refuse returns an error if a file must not be replaced.
func (f *Folder) refuse(name string) error {
	info, err := os.Lstat(f.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return f.recordError()
	}
	if err != nil {
		return err
	}
	own, err := f.Owns(name)
	switch {
	case err != nil || own:
		return err
	case slices.ContainsFunc(f.Reads, func(path string) bool { return sameAs(path, info) }):
		return &input.Error{File: f.Path(name), Problem: "the command reads this file",
			Right: "give another output with -o"}
	case f.Force:
		return nil
	}
	return f.foreign(name, "move it away, give another output with -o, or give --force to replace it")
}

// Owns reports whether a file is there and is contend's: as it was written.
func (f *Folder) Owns(name string) (bool, error) {
	info, err := os.Lstat(f.Path(name))
	if err != nil || !info.Mode().IsRegular() {
		return false, f.recordError()
	}
	sum, err := digest(f.Path(name))
	if err != nil || slices.Contains(f.known(name), sum) {
		return err == nil, err
	}
	f.mu.Lock()
	f.read = false // another process may have written the file
	f.mu.Unlock()
	return slices.Contains(f.known(name), sum), f.recordError()
}

// foreign returns the error for a foreign file.
func (f *Folder) foreign(name, right string) error {
	problem := "contend has not written this file"
	info, err := os.Lstat(f.Path(name))
	switch {
	case err == nil && !info.Mode().IsRegular():
		problem = "is " + kindOf(info.Mode()) + ", where contend has a file"
	case f.known(name) != nil:
		problem = "the file has changed since contend wrote it: its checksum is not that in " + Record
	case !f.Recorded():
		problem += ", or the " + Record + " of its folder, which would say so, is lost"
	}
	return &input.Error{File: f.Path(name), Problem: problem, Right: right}
}

// kindOf names what is no regular file.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeSymlink != 0:
		return "a link"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	}
	return "a device or socket"
}

// Check returns an error if a file is there and is not as it was written. right says what to do
// about it. In a folder without a record nothing is known, and every file passes.
func (f *Folder) Check(name, right string) error {
	if _, err := os.Lstat(f.Path(name)); errors.Is(err, fs.ErrNotExist) || !f.Recorded() {
		return f.recordError()
	}
	own, err := f.Owns(name)
	if err != nil || own {
		return err
	}
	return f.foreign(name, right)
}

// CheckAll returns an error if a file of the record has changed, unless Force is set. It leaves out
// the named files.
func (f *Folder) CheckAll(except ...string) error {
	if f.Force {
		return f.recordError()
	}
	for _, name := range f.Names() {
		if _, err := os.Lstat(f.Path(name)); err != nil || slices.Contains(except, name) {
			continue // files may be removed
		}
		if err := f.refuse(name); err != nil {
			return err
		}
	}
	return f.recordError()
}

// Remove removes the files among the named ones that are there and contend's.
func (f *Folder) Remove(names ...string) error {
	for _, name := range names {
		own, err := f.Owns(name)
		if own {
			err = os.Remove(f.Path(name))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Foreign returns the name of a file or folder inside that is not contend's, "" if there is none.
// Those that known accepts are contend's too.
func (f *Folder) Foreign(known func(name string, e fs.DirEntry) bool) (name string, err error) {
	err = filepath.WalkDir(f.Dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == f.Dir {
			return err
		}
		relative, err := filepath.Rel(f.Dir, path)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		own := known(relative, e) || e.Type().IsRegular() && (relative == Record ||
			temporary.MatchString(e.Name()))
		if !own {
			if own, err = f.Owns(relative); err != nil {
				return err
			}
		}
		if own {
			return nil
		}
		name = relative
		return fs.SkipAll
	})
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return name, err
}

// digest returns the SHA-256 of a file in hexadecimal.
func digest(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// sameAs reports whether a path leads to a file.
func sameAs(path string, file fs.FileInfo) bool {
	info, err := os.Stat(path)
	return err == nil && os.SameFile(info, file)
}

// isLocal reports whether a name leads to a place in its folder.
func isLocal(name string) bool {
	return filepath.IsLocal(filepath.FromSlash(name)) && !strings.Contains(name, "\\")
}
