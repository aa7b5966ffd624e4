// Package written writes files in one step: a file appears complete or not at all. It replaces only
// files that contend has written.
//
// A Folder keeps a record, contend.sha256, with the checksums of the files written into it. contend
// owns a file whose checksum is in the record. A File outside of a Folder ends with a mark, which
// holds the checksum of all bytes before it. Every other file is foreign: a file that contend has
// not written, a file that was changed later, and a link. Force lets a command replace foreign
// files, except for the files that it reads. Devices and pipes are never replaced.
//
// A killed process leaves either the old file or the new one, because the checksum of a file enters
// the record before the file gets its name. Example: a run replaces table.csv, in these steps.
//
//	.contend-123.tmp is written          a kill here leaves the old table.csv; the next command
//	                                     removes the temporary file
//	contend.sha256 gets a second line    contend owns the old file and the new one
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
// relative to the folder, with slashes. Several goroutines may call them at the same time, and
// several processes may write into one folder at the same time.
type Folder struct {
	// Dir is the path of the folder, which need not exist yet.
	Dir string
	// Force allows replacing foreign files that are not in Reads.
	Force bool
	// Reads are the paths of files that the command reads. The folder never replaces them, unless
	// contend owns them.
	Reads []string

	mu     sync.Mutex          // guards the fields below
	read   bool                // load has read the record
	exists bool                // the record exists
	err    error               // the error of reading the record
	sums   map[string][]string // by name: SHA-256 in hexadecimal; several until Save
}

// In returns the Folder at the path dir. It neither reads nor creates the folder.
func In(dir string) *Folder { return &Folder{Dir: dir} }

// Path returns the path of the file with a name in the folder.
func (f *Folder) Path(name string) string { return filepath.Join(f.Dir, filepath.FromSlash(name)) }

// Recorded reports whether the folder has a record.
func (f *Folder) Recorded() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.load()
	return f.exists
}

// WriteText writes a file that holds text. It refuses the same files as Write.
func (f *Folder) WriteText(name string, text []byte) error {
	return f.Write(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// Write creates a file that holds the output of write, or replaces the file in one step. It enters
// the checksum in the record and creates missing folders on the path. It returns an error, and
// leaves the file, if the file is foreign and Force is not set, or if it is foreign and in Reads. A
// foreign file that already has the same bytes is no error: it enters the record.
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

// sameBytes compares a refused file with the output of write. If their bytes are equal, it adds the
// file to the record. Otherwise it returns why, the reason of the refusal.
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

// refuse returns an error if Write must not replace a file: a foreign file without Force, or a
// foreign file in Reads. Absent files and files that contend owns pass.
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

// Owns reports whether a file exists, is a regular file and has a checksum in the record: contend
// has written it, and its bytes are the same since. It returns the error of reading the file or the
// record.
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

// foreign returns the error for a foreign file: why the file is foreign, and the remedy right.
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

// kindOf returns the kind of a file that is not regular, such as "a link".
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

// Check returns an error with the remedy right if a file exists and contend does not own it. In a
// folder without a record every file passes.
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

// CheckAll returns an error if a file of the record was changed since contend wrote it, unless
// Force is set. Removed files and the files named in except pass.
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

// Remove removes the named files that contend owns. It leaves foreign files and skips absent ones.
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

// Foreign returns the first name, in lexical order, of a file or folder inside that contend does
// not own, or "" if there is none. Besides recorded files contend owns the record, its temporary
// files, and all names that known accepts.
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

// sameAs reports whether the file at path, links followed, is the same file as file.
func sameAs(path string, file fs.FileInfo) bool {
	info, err := os.Stat(path)
	return err == nil && os.SameFile(info, file)
}

// isLocal reports whether a name leads to a file inside the folder, on every operating system: it
// does not begin at a root, climb out with "..", or contain a backslash.
func isLocal(name string) bool {
	return filepath.IsLocal(filepath.FromSlash(name)) && !strings.Contains(name, "\\")
}
