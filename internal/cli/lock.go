package cli

import (
	"io"
	"path/filepath"

	"contend/experiments"
)

// lock makes sure that no other process writes to an output folder until the
// command ends. A command may ask for the same folder twice.
func (a *app) lock(dir string) error {
	path, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if a.locks[path] != nil {
		return nil
	}
	lock, err := experiments.LockFolder(dir)
	if err != nil {
		return err
	}
	if a.locks == nil {
		a.locks = map[string]io.Closer{}
	}
	a.locks[path] = lock
	return nil
}

// unlock gives all folders back.
func (a *app) unlock() {
	for _, lock := range a.locks {
		lock.Close()
	}
	a.locks = nil
}
