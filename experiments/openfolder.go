package experiments

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/written"
)

// OpenFolder prepares a folder to run a study or to resume it: stored runs of its hashes count as
// finished. It refuses a folder of another study or program, one that cannot be written, and one
// with files that have changed since they were written.
func OpenFolder(out *written.Folder, st *study.Study, version string,
	names *config.Registry) (*Folder, error) {
	f := &Folder{Dir: out.Dir, Out: out, Version: version, Records: map[RunKey]Record{}, names: names}
	if err := f.open(st); err != nil {
		return nil, err
	}
	return f, nil
}

// ClearFolder removes the study, the runs and their parts, so that the study of an output folder
// can be started anew. Tables and figures are replaced when the runs have ended. It removes nothing
// from a folder that no program has run a study into, and no file that contend has not written.
func ClearFolder(dir string) error {
	in := func(name string) string { return filepath.Join(dir, name) }
	if ProgramOf(dir) == "" && (input.Exists(in(specFile)) || !input.Exists(in(RunsFile))) {
		return nil
	}
	for _, of := range metrics.RowTables {
		err := RemoveFiles(in(of.Name+".d"), func(name string) bool {
			return partName.MatchString(name)
		})
		if err != nil {
			return err
		}
	}
	return removeFiles(in(RunsFile), in(specFile), in(CalibrationsFile))
}

// RemoveFiles removes the files of a folder whose names contend gives, and the folder if nothing
// is left in it.
func RemoveFiles(dir string, gives func(name string) bool) error {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	written.RemoveAbandoned(dir)
	left := 0
	for _, e := range entries {
		if !e.Type().IsRegular() || !gives(e.Name()) {
			left++
		} else if err := removeFiles(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	if left > 0 {
		return nil
	}
	return removeFiles(dir)
}

// RefuseForeign refuses to take over a folder that is not empty and into which no study has been
// run.
func RefuseForeign(out *written.Folder) error {
	if _, err := out.Owns(specFile); err != nil { // of reading the record
		return err
	}
	_, err := os.Lstat(out.Path(specFile))
	switch {
	case err == nil && ProgramOf(out.Dir) == "" && !slices.Contains(out.Names(), specFile):
		return foreignSpec(out.Dir)
	case err == nil || out.Force || slices.Contains(out.Names(), specFile):
		return nil
	}
	name, err := out.Foreign(func(name string, e fs.DirEntry) bool {
		return name == LockFile && e.Type().IsRegular() // of a killed program
	})
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		return nil // OpenFolder says what is wrong with it
	case err != nil || name == "":
		return err
	}
	return input.Bad("", "give a new or an empty folder with -o, or --force to write into this one",
		"%s is no output folder and is not empty, it has %s", out.Dir, name)
}

// foreignSpec refuses to replace a study that contend run has not written.
func foreignSpec(dir string) error {
	return input.Bad("", "choose another folder with -o",
		"%s has a %s that contend run has not written", dir, specFile)
}

// partName matches the names of parts.
var partName = regexp.MustCompile(`^[0-9a-f]+-\d{4,}\.(csv|swf)$`)

// open reads the folder and opens its file of runs.
func (f *Folder) open(st *study.Study) error {
	unusable := func(err error) error {
		if input.MachineFault(err) {
			return err
		}
		var bad *input.Error
		if errors.As(err, &bad) {
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
	if err := f.Out.CheckAll(RunsFile); err != nil {
		return unusable(err)
	}
	if err := f.WriteStudy(st); err != nil {
		return unusable(err)
	}
	f.Out.Save(RunsFile) // which grows from here on
	path := f.Out.Path(RunsFile)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return unusable(err)
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		file.Close()
		return &input.Error{File: path, Problem: "is a link", Right: "remove it, and restore the file"}
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
	case f.changedSpec() != nil:
		return 0, f.changedSpec()
	case ProgramOf(f.Dir) == "": // it would be replaced
		return 0, foreignSpec(f.Dir)
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

// changedSpec returns an error if the study of the folder has changed since it was written.
func (f *Folder) changedSpec() error {
	if f.Out.Force {
		return nil
	}
	return f.Out.Check(specFile, "restore it, or give --force to write it anew")
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
	f := &Folder{Dir: dir, Out: written.In(dir), Version: version, Records: map[RunKey]Record{},
		names: names}
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
	text, err := input.ReadFile(filepath.Join(dir, specFile), input.StudyLimits)
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

// runReader reads a file of runs: runs.jsonl or a shard. It skips an unfinished last line, which a
// killed program leaves behind. Any other line that a run cannot have written is an input.Error
// with file and line.
type runReader struct {
	path string
	// program is the one that has to have made all runs, "" for that of the first line.
	program string
	// right says what to do about runs of another program.
	right string
	// registry has the metrics that lines may name; nil stands for the built-in ones.
	registry *config.Registry
	// accept is called for every run, once.
	accept func(Record)

	seen map[RunKey]linePlace // the runs so far
}

// linePlace is the number of the line of a run, and its checksum.
type linePlace struct {
	line int
	sum  uint32
}

// readFile reads the file and returns the length in bytes of its whole lines.
func (in *runReader) readFile() (whole int64, err error) {
	file, err := input.Open(in.path, input.RunsLimits)
	if os.IsNotExist(err) {
		return 0, err
	}
	if err != nil {
		return 0, input.Unreadable(err, "move the file away: its runs will be made again")
	}
	defer file.Close()
	return in.read(input.RunsLimits.Reader(in.path, file))
}

// read reads the lines and returns the length in bytes of the whole ones.
func (in *runReader) read(from io.Reader) (whole int64, err error) {
	lines := input.NewLineReader(from, input.RunsLimits.Line+1)
	in.seen = map[RunKey]linePlace{}
	for n := 1; ; n++ {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return whole, nil
		}
		if err != nil {
			return 0, damagedRuns(err)
		}
		end := len(line) - 1
		if line[end] != '\n' { // torn, or else the last line would have an end
			return whole, nil
		}
		if err := in.readLine(line[:end], n); err != nil {
			return 0, err
		}
		whole += int64(end + 1)
	}
}

// deleteLine is the remedy for a line that is of no use.
const deleteLine = "delete the line: its run will be made again"

// readLine reads line n.
func (in *runReader) readLine(line []byte, n int) error {
	object, sum, err := written.CutSum(line)
	var r Record
	if err == nil {
		r, err = parseRecord(object)
	}
	if err == nil {
		err = hasKey(&r)
	}
	if err != nil {
		return in.lineError(n, fmt.Sprintf("the line is damaged, %v", err), deleteLine)
	}
	if in.program == "" {
		in.program = r.Version
	}
	if r.Version != in.program {
		return in.lineError(n, fmt.Sprintf("the run was made by another program (%s), not by %s",
			r.Version, in.program), in.right)
	}
	return in.checkRun(r, linePlace{n, sum})
}

// checkRun passes a run to accept, unless an equal line of the file has done so.
func (in *runReader) checkRun(r Record, at linePlace) error {
	if name, ok := r.Metrics.Foreign(in.registry); ok {
		problem := study.CheckMetric(name, "its metric", in.registry).Problem
		return in.lineError(at.line, problem+", which this program does not measure", deleteLine)
	}
	key := RunKey{r.Hash, r.Replication}
	switch old, ok := in.seen[key]; {
	case !ok:
		in.seen[key] = at
		in.accept(r)
	case old.sum != at.sum:
		const text = "the run %s, replication %d, has another result than in line %d"
		return in.lineError(at.line, fmt.Sprintf(text, r.Hash, r.Replication, old.line),
			"delete both lines: the run will be made again")
	}
	return nil
}

// lineError returns an error about line n.
func (in *runReader) lineError(n int, problem, right string) error {
	return &input.Error{Where: fmt.Sprintf("%s:%d:1", in.path, n), Problem: problem, Right: right}
}

// hasKey refuses a run whose hash or replication is impossible. File names begin with the hash.
func hasKey(r *Record) error {
	for _, c := range []byte(r.Hash) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return fmt.Errorf("%q is no hash of a spec", r.Hash)
		}
	}
	if r.Hash == "" || r.Replication < 0 {
		return fmt.Errorf("it is of replication %d of the spec %q", r.Replication, r.Hash)
	}
	return nil
}

// damagedRuns adds the remedy to an error about a line that is too long. It returns other errors
// unchanged.
func damagedRuns(err error) error {
	var bad *input.Error
	if errors.As(err, &bad) {
		return &input.Error{File: bad.File, Line: bad.Line, Problem: bad.Problem,
			Right: "the file is damaged: move it away, and its runs will be made again"}
	}
	return err
}

// NewRowReader returns a buffered reader with the limits of tables of rows; path
// names the file in errors.
func NewRowReader(path string, in io.Reader) io.Reader {
	return bufio.NewReader(input.RowsLimits.Reader(path, in))
}
