package input

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Files opens files. It opens those whose paths are below the folder of In through it, so that no
// link leads out of the folder. A nil In opens all files by their paths.
type Files struct{ In *os.Root }

// below returns the name in the folder of a path that is below it.
func (f Files) below(path string) (name string, ok bool) {
	if f.In == nil {
		return "", false
	}
	name, err := filepath.Rel(f.In.Name(), path)
	return name, err == nil && filepath.IsLocal(name)
}

// Stat describes a file, behind its links.
func (f Files) Stat(path string) (fs.FileInfo, error) {
	if name, ok := f.below(path); ok {
		return f.In.Stat(name)
	}
	return os.Stat(path)
}

// Open is the function Open.
func (f Files) Open(path string, l Limits) (*os.File, error) {
	name, ok := f.below(path)
	if !ok {
		return Open(path, l)
	}
	if info, err := f.In.Stat(name); err == nil { // Opening a pipe would wait for its writer.
		if err := l.check(path, info); err != nil {
			return nil, err
		}
	}
	return f.In.Open(name)
}

// ReadFile is the function ReadFile.
func (f Files) ReadFile(path string, l Limits) ([]byte, error) {
	file, err := f.Open(path, l)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(l.Reader(path, file))
}

// ReadDir lists the entries of a folder.
func (f Files) ReadDir(path string) ([]fs.DirEntry, error) {
	name, ok := f.below(path)
	if !ok {
		return os.ReadDir(path)
	}
	folder, err := f.In.Open(name)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return folder.ReadDir(-1)
}
