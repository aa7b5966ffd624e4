package experiments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments/bounded"
	"contend/experiments/cosim"
	"contend/experiments/spec"
)

// Folder is the output folder of a study. Its truth is runs.jsonl: one line
// per finished run, appended as the run ends and synced within a second, so
// that whatever ends the program loses at most the runs in flight, and whatever
// ends the machine the runs of a second.
type Folder struct {
	Dir string
	// Version names the program that makes the runs; "" where the folder is
	// only read.
	Version string

	program string // the one whose runs count
	Records map[RunKey]Record
	File    *os.File
	syncer  syncer
	err     error // the first failure to write
}

type RunKey struct {
	Hash        string
	Replication int
}

// Record is one line of runs.jsonl.
type Record struct {
	Hash        string       `json:"hash"`
	Replication int          `json:"replication"`
	Version     string       `json:"version"`
	KeptBy      string       `json:"kept_by,omitempty"` // the program that was told to take a run of another
	Metrics     cosim.Result `json:"metrics"`
}

const (
	specFile = "spec.toml"
	RunsFile = "runs.jsonl"
)

// OpenFolder makes the folder ready to run the study, or to go on with it:
// results of runs with the same hash by the same version are used again, those
// of others if KeepOld asks for it. A folder of another study, or one that cannot
// be written, is bad input.
func OpenFolder(dir string, st *Study, version string, names spec.Names) (*Folder, error) {
	f := &Folder{Dir: dir, Version: version, program: version, Records: map[RunKey]Record{}}
	if err := f.open(st, names); err != nil {
		return nil, err
	}
	return f, nil
}

// NewMemory returns a folder that is nowhere: finished runs stay in memory. It is
// for studies that keep nothing but metrics, neither jobs, links nor sizes.
func NewMemory(version string) *Folder {
	return &Folder{Version: version, program: version, Records: map[RunKey]Record{}}
}

func (f *Folder) open(st *Study, names spec.Names) error {
	unusable := func(err error) error {
		if spec.MachineFault(err) {
			return err
		}
		return &spec.InputError{Problem: fmt.Sprintf("the output folder cannot be used, %v", err), Right: "choose another with -o"}
	}
	if err := os.MkdirAll(f.Dir, 0o777); err != nil {
		return unusable(err)
	}
	if err := f.fits(st, names); err != nil {
		return err
	}
	if err := f.read(); err != nil {
		return err
	}
	f.forgetKept()
	if err := f.Keep(st); err != nil {
		return unusable(err)
	}
	file, err := os.OpenFile(filepath.Join(f.Dir, RunsFile), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return unusable(err)
	}
	f.File = file
	return nil
}

// fits refuses a folder that holds another study.
func (f *Folder) fits(st *Study, names spec.Names) error {
	switch old, err := loadSpec(f.Dir, names); {
	case os.IsNotExist(err):
	case err != nil:
		return &spec.InputError{Problem: fmt.Sprintf("%s holds a spec that cannot be read (%v)", f.Dir, err), Right: "choose another folder with -o"}
	case old.Name != st.Name:
		return &spec.InputError{Problem: fmt.Sprintf("%s holds the study %s, not %s", f.Dir, old.Name, st.Name), Right: "choose another folder with -o"}
	}
	return nil
}

// PeekFolder is OpenFolder that writes nothing: the folder need not be there,
// and nothing can be added to it. What could not be used is refused.
func PeekFolder(dir string, st *Study, version string, names spec.Names) (*Folder, error) {
	f := &Folder{Dir: dir, Records: map[RunKey]Record{}}
	info, err := os.Stat(dir)
	if err != nil && !os.IsNotExist(err) || err == nil && !info.IsDir() {
		return nil, &spec.InputError{Problem: fmt.Sprintf("the output folder cannot be used, %s is no folder", dir), Right: "choose another with -o"}
	}
	if err := f.fits(st, names); err != nil {
		return nil, err
	}
	if err := f.read(); err != nil { // without a version, which cuts nothing
		return nil, err
	}
	f.Version, f.program = version, version
	f.forgetKept()
	return f, nil
}

// Keep writes the resolved study.
func (f *Folder) Keep(st *Study) error {
	return spec.WriteFile(filepath.Join(f.Dir, specFile), []byte(st.TOML(f.Version)))
}

// ReadFolder reads the study and the finished runs of a folder, those of the
// program that wrote it last, whichever that is, without changing it.
func ReadFolder(dir string, names spec.Names) (*Results, error) {
	st, err := loadSpec(dir, names)
	if os.IsNotExist(err) {
		return nil, &spec.InputError{Problem: fmt.Sprintf("%s is not an output folder, it has no %s", dir, specFile), Right: "give the folder that contend run wrote"}
	}
	if err != nil {
		return nil, err
	}
	f := &Folder{Dir: dir, program: programOf(dir), Records: map[RunKey]Record{}}
	if err := f.read(); err != nil {
		return nil, err
	}
	return f.Results(st, names)
}

func loadSpec(dir string, names spec.Names) (*Study, error) {
	text, err := bounded.ReadFile(filepath.Join(dir, specFile), bounded.Study)
	if os.IsNotExist(err) {
		return nil, err
	}
	if err != nil {
		return nil, spec.Unreadable(err, "give the folder that contend run wrote")
	}
	return ParseStudy(filepath.Join(dir, specFile), string(text), names)
}

// read takes in runs.jsonl. A last line that is torn (the program was killed
// while it wrote) is cut off; any other broken line is an error.
func (f *Folder) read() error {
	path := filepath.Join(f.Dir, RunsFile)
	file, err := bounded.Open(path, bounded.Runs)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return spec.Unreadable(err, "choose another folder, or move the file away: its runs will be made again")
	}
	defer file.Close()
	whole, err := readRuns(path, bounded.Runs.Reader(path, file), func(r Record) { f.Records[RunKey{r.Hash, r.Replication}] = r })
	if err != nil {
		return err
	}
	if info, err := file.Stat(); err != nil || whole == info.Size() {
		return err
	}
	return f.cut(path, whole)
}

// cut takes the torn last line away, unless the folder is only read.
func (f *Folder) cut(path string, size int64) error {
	if f.Version == "" {
		return nil
	}
	return os.Truncate(path, size)
}

// has tells whether the run is there, made by the program whose runs count or
// kept by it, with the tables an Extra asks for.
func (f *Folder) has(key RunKey, x cosim.Extra) bool {
	r, ok := f.Records[key]
	return ok && f.counts(r) &&
		(!x.Jobs || spec.Exists(f.Part("jobs", key))) && (!x.Links || spec.Exists(f.Part("links", key))) && (!x.Sizes || spec.Exists(f.Part("sizes", key)))
}

// complete tells whether all runs a point wants are there.
func (f *Folder) complete(p *Point, st *Study, x cosim.Extra) bool {
	for rep := range f.wanted(p, st) {
		if !f.has(RunKey{p.Hash, rep}, x) {
			return false
		}
	}
	return true
}

// add stores a run that has ended. The tables come first: a line of runs.jsonl
// says that all of the run is there.
func (f *Folder) add(key RunKey, o outcome) error {
	r := Record{Hash: key.Hash, Replication: key.Replication, Version: f.Version, Metrics: o.result}
	if x := o.task.extra; x.Jobs {
		f.err = f.writeJobs(key, x)
	}
	if x := o.task.extra; x.Links && f.err == nil {
		f.err = f.WritePart("links", key, cosim.LinkColumns(), x.LinkRows)
	}
	if x := o.task.extra; x.Sizes && f.err == nil {
		f.err = f.WritePart("sizes", key, cosim.SizeColumns(), x.SizeRows)
	}
	if f.err == nil {
		f.err = f.append(r)
	}
	if f.err == nil {
		f.Records[key] = r
	}
	return f.err
}

func (f *Folder) append(r Record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("a result that cannot be stored: %w", err)
	}
	if f.File == nil {
		return nil
	}
	if _, err := f.File.Write(append(line, '\n')); err != nil {
		return err
	}
	return f.syncer.dirty(f.File)
}

// Finish closes the folder and rewrites runs.jsonl in the order of the study,
// so that its bytes do not depend on which run ended first; runs of other
// specs are kept behind.
func (f *Folder) Finish(results *Results) error {
	if err := f.syncer.close(f.File); err != nil {
		return err
	}
	lines, err := f.Lines(results)
	if err != nil {
		return err
	}
	return spec.WriteFile(filepath.Join(f.Dir, RunsFile), lines)
}

// Lines returns all runs as runs.jsonl has them, in the order of the study; those
// of other specs come behind.
func (f *Folder) Lines(results *Results) ([]byte, error) {
	var b bytes.Buffer
	written := map[RunKey]bool{}
	write := func(key RunKey) error {
		r, ok := f.Records[key]
		if !ok || written[key] {
			return nil
		}
		written[key] = true
		line, err := json.Marshal(r)
		b.Write(append(line, '\n'))
		return err
	}
	var rest []RunKey
	for key := range f.Records {
		rest = append(rest, key)
	}
	slices.SortFunc(rest, func(a, b RunKey) int {
		if a.Hash != b.Hash {
			return strings.Compare(a.Hash, b.Hash)
		}
		return a.Replication - b.Replication
	})
	var order []RunKey
	for i, p := range results.Points {
		for rep := range results.Replications(i) {
			order = append(order, RunKey{p.Hash, rep})
		}
	}
	for _, key := range append(order, rest...) {
		if err := write(key); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}
