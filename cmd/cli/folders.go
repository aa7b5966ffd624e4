package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"contend/experiments"
	"contend/experiments/study"
	"contend/experiments/sweep"
	"contend/internal/input"
)

// readFolder reads the results of a folder, and says where another program made them. What is
// unknown in it may be so because a program of one's own wrote it, and the error says that.
func (a *app) readFolder(dir string) (*experiments.Results, error) {
	results, err := experiments.ReadFolder(dir, a.names)
	var bad *input.Error
	if p := experiments.ProgramOf(dir); errors.As(err, &bad) && p != "" && p != fingerprint() {
		bad.Right += fmt.Sprintf("; another program wrote %s (%s), this one is %s: the other may know "+
			"more names", dir, p, fingerprint())
	}
	if err != nil {
		return nil, err
	}
	if made := results.Program(); made != "" && made != fingerprint() {
		fmt.Fprintf(a.stderr, "contend: the runs of %s were made by another program (%s), this one is "+
			"%s\n", dir, input.Printable(made), fingerprint())
	}
	return results, nil
}

// openFolder opens an output folder, which is started anew if it shall be fresh.
func (a *app) openFolder(dir string, st *study.Study, fresh bool) (*experiments.Folder,
	error) {
	if err := a.lock(dir); err != nil {
		return nil, err
	}
	if fresh {
		if names := sweep.Submitted(dir); names != nil {
			return nil, &input.Error{Where: "--fresh", Problem: "jobs that make runs of " + dir +
				" may be in the queue", Right: fmt.Sprintf("end them with scancel -n %s, and remove %s",
				strings.Join(names, ","), filepath.Join(dir, sweep.Folder))}
		}
		if err := experiments.ClearFolder(dir, sweep.Folder); err != nil {
			return nil, err
		}
	}
	return experiments.OpenFolder(dir, st, fingerprint(), a.names)
}

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

// pin ties a study to its logs, and says which were taken and which machines
// they asked for.
func (a *app) pin(st *study.Study, traces []string) error {
	if err := st.PinFiles(); err != nil {
		return err
	}
	if err := st.PinTrace(traces); err != nil {
		return err
	}
	a.notes(st.InputNotes(""))
	return nil
}
