package experiments

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"contend/experiments/config"
	"contend/experiments/study"
	"contend/internal/input"
)

// OpenFolder prepares a folder to run a study or to resume it: stored runs of its hashes count as
// finished. It refuses a folder of another study or program, and one that cannot be written.
func OpenFolder(dir string, st *study.Study, version string, names *config.Registry) (*Folder,
	error) {
	f := &Folder{Dir: dir, Version: version, Records: map[RunKey]Record{}, names: names}
	if err := f.open(st); err != nil {
		return nil, err
	}
	return f, nil
}

// ClearFolder removes the study, the runs, their parts and the named folders inside an output
// folder, so that its study can be started anew. Tables and figures are replaced when the runs have
// ended. It removes nothing from a folder that no program has run a study into.
func ClearFolder(dir string, folders ...string) error {
	in := func(name string) string { return filepath.Join(dir, name) }
	if ProgramOf(dir) == "" && (input.Exists(in(specFile)) || !input.Exists(in(RunsFile))) {
		return nil
	}
	names := append([]string{RunsFile, specFile}, folders...)
	for _, p := range rowTables {
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
		return input.Bad("", otherFolder, "the output folder cannot be used, %v", err)
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

// startAnew is the remedy for a folder that cannot be resumed.
const startAnew = "choose another folder with -o, or start this one anew with --fresh"

// otherFolder is the remedy for a folder that cannot be used.
const otherFolder = "choose another with -o"

// resume reads the runs of a folder and returns the size of their whole lines. It refuses a folder
// of another study or of another program.
func (f *Folder) resume(st *study.Study, program string) (whole int64, err error) {
	old, err := loadSpec(f.Dir, f.names)
	switch {
	case os.IsNotExist(err):
	case errors.Is(err, fs.ErrPermission):
		return 0, input.Unreadable(err, "")
	case ProgramOf(f.Dir) == "": // it would be replaced
		return 0, input.Bad("", "choose another folder with -o",
			"%s has a %s that contend run has not written", f.Dir, specFile)
	case err != nil:
		return 0, input.Bad("", startAnew, "%s holds a spec that cannot be read (%v)", f.Dir, err)
	case old.Name != st.Name:
		return 0, input.Bad("", startAnew, "%s holds the study %s, not %s", f.Dir, old.Name, st.Name)
	}
	if whole, err = f.readRuns(program, startAnew); err != nil || old == nil {
		return whole, err
	}
	return whole, f.checkSame(old, st)
}

// checkSame refuses a folder of which no run belongs to the study, although it has the same name: a
// key of all points has changed. A study with more replications, or more values of an axis, has
// runs in common with what it was before.
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
	return input.Bad("", startAnew,
		"%s holds runs of another study %s, none of which is one of this study%s",
		f.Dir, st.Name, st.DiffersFrom(old))
}

// PeekFolder is OpenFolder for reading: the folder need not exist, and no run can be added to it.
func PeekFolder(dir string, st *study.Study, version string, names *config.Registry) (*Folder,
	error) {
	f := &Folder{Dir: dir, Version: version, Records: map[RunKey]Record{}, names: names}
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil, input.Unreadable(err, "")
	}
	if err != nil && !os.IsNotExist(err) || err == nil && !info.IsDir() {
		return nil, input.Bad("", otherFolder, "the output folder cannot be used, %s is no folder", dir)
	}
	if _, err := f.resume(st, version); err != nil {
		return nil, err
	}
	return f, nil
}

// ProgramOf returns the program that wrote the study of a folder, "" if none is named. A folder
// holds runs of one program only, because other code may give other results.
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
