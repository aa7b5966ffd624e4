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
	"contend/internal/written"
)

// readFolder reads the results of a folder. It prints a note if another program made them, and
// adds this to the error about a name that is not known.
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
	out := results.Folder.Out
	out.Force, a.outputs = a.force, append(a.outputs, out)
	if !out.Recorded() {
		fmt.Fprintf(a.stderr, "contend: %s has no %s, an earlier program wrote it or the file is "+
			"lost: changes of its files are not seen\n", dir, written.Record)
	}
	if made := results.Program(); made != "" && made != fingerprint() {
		fmt.Fprintf(a.stderr, "contend: the runs of %s were made by another program (%s), this one is "+
			"%s\n", dir, input.Printable(made), fingerprint())
	}
	return results, nil
}

// openFolder locks and opens an output folder, and clears it before if fresh.
func (a *app) openFolder(dir string, st *study.Study, fresh bool) (*experiments.Folder, error) {
	out, err := a.takeFolder(dir)
	if err != nil {
		return nil, err
	}
	if fresh {
		if names := sweep.Submitted(dir); names != nil {
			return nil, &input.Error{Where: "--fresh", Problem: "jobs that make runs of " + dir +
				" may be in the queue", Right: fmt.Sprintf("end them with scancel -n %s, and remove %s",
				strings.Join(names, ","), filepath.Join(dir, sweep.Folder))}
		}
		if err := errors.Join(experiments.ClearFolder(dir), sweep.Clear(dir)); err != nil {
			return nil, err
		}
	}
	return experiments.OpenFolder(out, st, fingerprint(), a.names)
}

// takeFolder returns a folder to write into and locks it. It refuses one that is foreign.
func (a *app) takeFolder(dir string) (*written.Folder, error) {
	out := a.output(dir)
	if err := experiments.RefuseForeign(out); err != nil {
		return nil, err
	}
	if err := a.lock(dir); err != nil {
		return nil, err
	}
	return out, nil
}

// output returns a folder to write into.
func (a *app) output(dir string) *written.Folder {
	out := written.In(dir)
	out.Force, out.Reads = a.force, a.reads
	a.outputs = append(a.outputs, out)
	return out
}

// saveRecords shortens the records of the folders that the command has written into.
func (a *app) saveRecords() {
	for _, out := range a.outputs {
		out.Save()
	}
}

// writeFile writes a file that the flag -o names, or its default, by the output of write. The
// command reads the results of a folder.
func (a *app) writeFile(path string, mark written.Mark, results *written.Folder,
	write func(io.Writer) error) error {
	f := written.File{Path: path, Flag: "-o", Mark: mark, Force: a.force,
		Reads: func() ([]string, error) { return experiments.FilesOf(results) }}
	return f.Write(write)
}

// lock keeps other processes from writing to an output folder until the command ends. A command
// may lock the same folder twice.
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

// unlock releases the locks of all folders.
func (a *app) unlock() {
	for _, lock := range a.locks {
		lock.Close()
	}
	a.locks = nil
}

// pin records the contents of a study's files and logs in the study, and prints which logs it
// found and the machines that they are from.
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
