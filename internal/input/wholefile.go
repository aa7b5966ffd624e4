package input

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
)

// WriteFile replaces a file in one step: see WriteFileWith.
func WriteFile(path string, text []byte) error {
	return WriteFileWith(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// WriteFileWith replaces a file in one step by the output of write. A reader sees either the old
// bytes or the new ones, even if the program is killed at any time: the output goes to another name
// beside the file, which is then renamed. After an error no part of the output remains. Anything
// but a regular file, such as /dev/stdout, is written directly.
func WriteFileWith(path string, write func(io.Writer) error) (err error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return writeThrough(path, write)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // keep a symbolic link as a link
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".*.tmp")
	if err != nil {
		return err
	}
	TryLock(file) // so that RemoveAbandoned leaves it
	defer unfinished.add(file.Name())()
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	if err := buffered(file, write); err != nil {
		return err
	}
	if err := file.Chmod(0o644); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// buffered runs write with a buffer before w.
func buffered(w io.Writer, write func(io.Writer) error) error {
	buffer := bufio.NewWriterSize(w, 1<<16)
	if err := write(buffer); err != nil {
		return err
	}
	return buffer.Flush()
}

// writeThrough writes the output of write to a file that is there.
func writeThrough(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := buffered(file, write); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
