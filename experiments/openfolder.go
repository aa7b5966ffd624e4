package experiments

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"contend/experiments/config"
	"contend/experiments/study"
	"contend/internal/input"
)

// OpenFolder prepares a folder to run the study or to resume it. Stored runs of
// the same hash count as finished. OpenFolder refuses a folder of another study or
// of another program, and one that cannot be written.
func OpenFolder(dir string, st *study.Study, version string,
	names *config.Registry) (*Folder, error) {
	f := &Folder{Dir: dir, Version: version, Records: map[RunKey]Record{}, names: names}
	if err := f.open(st); err != nil {
		return nil, err
	}
	return f, nil
}

// ClearFolder removes the study, the runs and the rows of an output folder, and folders inside of
// it that are named, so that it can be started anew. Tables and figures are replaced when the runs
// have ended. Nothing is removed from a folder that no study was run into.
func ClearFolder(dir string, folders ...string) error {
	in := func(name string) string { return filepath.Join(dir, name) }
	if ProgramOf(dir) == "" && (input.Exists(in(specFile)) || !input.Exists(in(RunsFile))) {
		return nil
	}
	names := append([]string{RunsFile, specFile}, folders...)
	for _, p := range parts {
		names = append(names, p.kind+".d")
	}
	for _, name := range names {
		if err := os.RemoveAll(in(name)); err != nil {
			return err
		}
	}
	return nil
}

// open reads the folder and opens its file of runs.
func (f *Folder) open(st *study.Study) error {
	unusable := func(err error) error {
		if input.MachineFault(err) {
			return err
		}
		return &input.Error{
			Problem: fmt.Sprintf("the output folder cannot be used, %v", err),
			Right:   "choose another with -o",
		}
	}
	if err := os.MkdirAll(f.Dir, 0o777); err != nil {
		return unusable(err)
	}
	whole, err := f.resume(st, f.Version)
	if err != nil {
		return err
	}
	if err := f.WriteStudy(st); err != nil {
		return unusable(err)
	}
	path := filepath.Join(f.Dir, RunsFile)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return unusable(err)
	}
	f.file = file
	return file.Truncate(whole) // what a killed program has left of a line
}

// startAnew says what can be done about a folder that cannot be resumed.
const startAnew = "choose another folder with -o, or start this one anew with --fresh"

// resume reads the runs of a folder to which a program adds those of a study, and returns the
// size of their whole lines. It refuses a folder of another study or of another program.
func (f *Folder) resume(st *study.Study, program string) (whole int64, err error) {
	old, err := loadSpec(f.Dir, f.names)
	switch {
	case os.IsNotExist(err):
	case errors.Is(err, fs.ErrPermission):
		return 0, input.Unreadable(err, "")
	case ProgramOf(f.Dir) == "": // it would be replaced
		return 0, &input.Error{
			Problem: f.Dir + " has a " + specFile + " that contend run has not written",
			Right:   "choose another folder with -o",
		}
	case err != nil:
		return 0, &input.Error{
			Problem: fmt.Sprintf("%s holds a spec that cannot be read (%v)", f.Dir, err),
			Right:   startAnew,
		}
	case old.Name != st.Name:
		return 0, &input.Error{
			Problem: fmt.Sprintf("%s holds the study %s, not %s", f.Dir, old.Name, st.Name),
			Right:   startAnew,
		}
	}
	if whole, err = f.read(program, startAnew); err != nil || old == nil {
		return whole, err
	}
	return whole, f.checkSame(old, st)
}

// checkSame refuses a folder whose runs are of another study that has the same name: none of them
// is one of this study, as where a flag or the file changes a key of all points. A study that adds
// replications, or values to an axis, has runs in common with what it was before.
func (f *Folder) checkSame(old, st *study.Study) error {
	if len(f.Records) == 0 {
		return nil
	}
	points, err := st.Points()
	if err != nil {
		return err
	}
	stored := map[string]bool{}
	for key := range f.Records {
		stored[key.Hash] = true
	}
	if slices.ContainsFunc(points, func(p study.Point) bool { return stored[p.Hash] }) {
		return nil
	}
	return &input.Error{
		Problem: fmt.Sprintf("%s holds runs of another study %s, none of which is one of this study%s",
			f.Dir, st.Name, st.DiffersFrom(old)),
		Right: startAnew,
	}
}

// PeekFolder is like OpenFolder but writes nothing. The folder need not exist,
// and no run can be added to it. PeekFolder refuses what OpenFolder refuses.
func PeekFolder(dir string, st *study.Study, version string,
	names *config.Registry) (*Folder, error) {
	f := &Folder{Dir: dir, Version: version, Records: map[RunKey]Record{}, names: names}
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil, input.Unreadable(err, "")
	}
	if err != nil && !os.IsNotExist(err) || err == nil && !info.IsDir() {
		return nil, &input.Error{
			Problem: fmt.Sprintf("the output folder cannot be used, %s is no folder", dir),
			Right:   "choose another with -o",
		}
	}
	if _, err := f.resume(st, version); err != nil {
		return nil, err
	}
	return f, nil
}

// Every line of runs.jsonl names the program that made the run. A folder holds the
// runs of one program only, because other code may give other results.

// ProgramOf returns the program that wrote a folder last, "" where it does not say.
func ProgramOf(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, specFile))
	if err != nil {
		return ""
	}
	return study.Resolver(string(text))
}

// Program returns the program that made the runs, "" if there are none.
func (r *Results) Program() string {
	for _, made := range r.Folder.Records {
		return made.Version
	}
	return ""
}
