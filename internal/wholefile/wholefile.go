// Package wholefile writes files that appear whole or not at all. A reader always sees
// either the old bytes or the new ones, even if the program is killed at any time.
package wholefile

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
)

// Write replaces a file in one step by the output of write. It writes to another name
// beside the file and then renames it. After an error no part of the output remains.
// Anything but a regular file, such as /dev/stdout, is written directly.
func Write(path string, write func(io.Writer) error) (err error) {
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
	InUse(file) // until it is closed: see RemoveAbandoned
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

func buffered(w io.Writer, write func(io.Writer) error) error {
	buffer := bufio.NewWriterSize(w, 1<<16)
	if err := write(buffer); err != nil {
		return err
	}
	return buffer.Flush()
}

func writeThrough(path string, write func(io.Writer) error) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() {
		if e := file.Close(); err == nil {
			err = e
		}
	}()
	return buffered(file, write)
}
