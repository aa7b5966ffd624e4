package experiments

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/written"
)

// Folder is the output folder of a study. The file runs.jsonl holds its state:
// one line per finished run, appended as the run ends. A crash of the program loses only
// the runs under way. The file is synced once a second while runs end, so a crash of the
// machine loses few others. All other files can be made again from it.
type Folder struct {
	// Dir is the path of the folder, "" for one in memory.
	Dir string
	// Out writes the files of the folder.
	Out *written.Folder
	// Version names the program that makes the runs, "" if the folder is only
	// read.
	Version string
	// Records has every stored run. One program made them all.
	Records map[RunKey]Record

	names    *config.Registry // names that lines may use
	file     *os.File         // runs.jsonl, nil if runs are not written
	shared   bool             // other machines read the file, so each line is synced
	lastSync time.Time        // when the file was synced last
	err      error            // the first failure to write
	// contrasts has the differences that decide on replications, by the hash of each of their points.
	// Results sets them.
	contrasts map[string][]*contrast
	// beyondCurve has the hashes of the points behind the end of their curve. endCurves sets it.
	beyondCurve map[string]bool
}

// RunKey identifies a run.
type RunKey struct {
	Hash        string // hash of the spec
	Replication int    // from 0
}

// Record is one line of runs.jsonl but for its checksum.
type Record struct {
	Hash        string          `json:"hash"`          // hash of the spec
	Replication int             `json:"replication"`   // from 0
	Version     string          `json:"version"`       // the program that made the run
	Jobs        metrics.JobSums `json:"jobs,omitzero"` // checksums of its jobs
	Metrics     metrics.Result  `json:"metrics"`       // the result
}

// BytesRun is about the memory of a run in bytes: its entry in the list of runs to make, and its
// Record with some thirty metrics. A test compares it with the heap.
const BytesRun = 3 << 9

const (
	specFile = "spec.toml" // the resolved study
	// RunsFile is the name of the file of finished runs.
	RunsFile = "runs.jsonl"
)

// NewMemory returns a folder that keeps finished runs in memory, for studies without tables of
// rows.
func NewMemory(version string) *Folder {
	return &Folder{Version: version, Records: map[RunKey]Record{}}
}

// WriteStudy writes the resolved study.
func (f *Folder) WriteStudy(st *study.Study) error {
	return f.Out.WriteText(specFile, []byte(st.TOML(f.Version)))
}

// ReadFolder reads the study and the finished runs of a folder without changing
// it. Any program may have made the runs, but one has to have made them all.
func ReadFolder(dir string, names *config.Registry) (*Results, error) {
	f := &Folder{Dir: dir, Out: written.In(dir), Records: map[RunKey]Record{}, names: names}
	if err := CheckFolder(f.Out); err != nil {
		return nil, err
	}
	st, err := loadSpec(dir, names)
	if os.IsNotExist(err) {
		return nil, input.Bad("", "give the folder that contend run wrote",
			"%s is not an output folder, it has no %s", dir, specFile)
	}
	if err != nil {
		return nil, err
	}
	if err := CheckLinks(dir); err != nil { // plots and reports are written into it
		return nil, err
	}
	if _, err := f.readRuns("", "make the runs anew with contend run --fresh"); err != nil {
		return nil, err
	}
	if err := CheckRuns(f.Out); err != nil {
		return nil, err
	}
	return f.Results(st, names)
}

// CheckFolder returns an error if a file that is read back from a folder has changed since it was
// written: the study and the notes. Lines of runs and parts have checksums of their own.
func CheckFolder(out *written.Folder) error {
	right := fmt.Sprintf("restore it, or contend run STUDY -o %s --force writes it anew", out.Dir)
	return cmp.Or(out.Check(specFile, right), out.Check(notesFile, right))
}

// CheckRuns returns an error if the runs of a folder whose command has ended are not those that it
// wrote. What is wrong with a line is said when the line is read.
func CheckRuns(out *written.Folder) error {
	if !slices.Contains(out.Names(), RunsFile) {
		return nil
	}
	return out.Check(RunsFile, fmt.Sprintf("restore it, or contend run %s -o %s makes the runs again "+
		"that it lacks", out.Path(specFile), out.Dir))
}

// loadSpec reads the resolved study of a folder.
func loadSpec(dir string, names *config.Registry) (*study.Study, error) {
	text, err := input.ReadFile(filepath.Join(dir, specFile), input.StudyLimits)
	if os.IsNotExist(err) || errors.Is(err, fs.ErrPermission) {
		return nil, err
	}
	if err != nil {
		return nil, input.Unreadable(err, "give the folder that contend run wrote")
	}
	return study.Parse(filepath.Join(dir, specFile), string(text), names)
}

// readRuns reads runs.jsonl, if it exists, and returns the size of its whole lines. See runReader
// for program and right.
func (f *Folder) readRuns(program, right string) (whole int64, err error) {
	in := runReader{path: filepath.Join(f.Dir, RunsFile), program: program, right: right,
		registry: f.names,
		accept:   func(r Record) { f.Records[RunKey{r.Hash, r.Replication}] = r }}
	whole, err = in.readFile()
	if os.IsNotExist(err) {
		return 0, nil
	}
	return whole, err
}

// holds reports whether the folder holds a run with the slowdowns and its parts of the tables that
// an Extra selects.
func (f *Folder) holds(key RunKey, x sim.Extra) bool {
	r, ok := f.Records[key]
	if !ok || x.Slowdown && r.Metrics.LacksSlowdown() {
		return false
	}
	return !slices.ContainsFunc(metrics.RowTables, func(of *metrics.RowTable) bool {
		return of.Wanted(&x.Records) && !input.Exists(f.PartPath(of.Name, key))
	})
}

// holdsAll reports whether the folder holds all wanted runs of a point, with their parts.
func (f *Folder) holdsAll(p *study.Point, st *study.Study, x sim.Extra) bool {
	for rep := range f.wantedRuns(p, st) {
		if !f.holds(RunKey{p.Hash, rep}, x) {
			return false
		}
	}
	return true
}

// store stores a finished run, its parts first, because a line of runs.jsonl states that the run is
// complete. After a failure it writes nothing more, since part of a line may stand in the file.
func (f *Folder) store(key RunKey, o outcome) error {
	if f.err != nil {
		return f.err
	}
	r := Record{Hash: key.Hash, Replication: key.Replication, Version: f.Version,
		Jobs: o.task.extra.Sums, Metrics: o.result}
	if f.err = f.writeParts(key, o.task.extra); f.err == nil {
		f.err = f.appendLine(r)
	}
	if f.err == nil {
		f.Records[key] = r
	}
	return f.err
}

// appendLine writes a line of runs.jsonl and syncs the file once a second: a sync takes 10 ms on a
// disk, as long as a short run.
func (f *Folder) appendLine(r Record) error {
	line, err := appendRecord(nil, &r)
	if err != nil {
		return fmt.Errorf("a result that cannot be stored: %w", err)
	}
	if f.file == nil {
		return nil
	}
	if _, err := f.file.Write(line); err != nil {
		return err
	}
	if !f.shared && time.Since(f.lastSync) < time.Second {
		return nil
	}
	f.lastSync = time.Now()
	return f.file.Sync()
}

// Close syncs and closes the file of runs.
func (f *Folder) Close() error { return cmp.Or(f.file.Sync(), f.file.Close()) }

// Finish closes the folder and rewrites runs.jsonl in the order of the study, so
// that its bytes do not depend on which run ended first. Runs of other specs
// follow at the end.
func (f *Folder) Finish(results *Results) error {
	if err := f.Close(); err != nil {
		return err
	}
	lines, err := f.Lines(results)
	if err != nil {
		return err
	}
	if err := f.Out.Note(RunsFile); err != nil { // whichever a killed program leaves is known
		return err
	}
	return f.Out.WriteText(RunsFile, lines)
}

// Lines returns all runs as lines of runs.jsonl in the order of the study. Runs
// of other specs follow at the end.
func (f *Folder) Lines(results *Results) ([]byte, error) {
	var order []RunKey
	for i := range results.Points {
		for rep := range results.Replications(i) {
			order = append(order, RunKey{results.Points[i].Hash, rep})
		}
	}
	rest := slices.SortedFunc(maps.Keys(f.Records), func(a, b RunKey) int {
		return cmp.Or(strings.Compare(a.Hash, b.Hash), a.Replication-b.Replication)
	})
	b, written := make([]byte, 0, 1<<20), map[RunKey]bool{}
	for _, key := range append(order, rest...) {
		r, ok := f.Records[key]
		if !ok || written[key] {
			continue
		}
		written[key] = true
		var err error
		if b, err = appendRecord(b, &r); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// appendRecord appends a line of runs.jsonl: a Record as encoding/json writes it, with a checksum.
func appendRecord(b []byte, r *Record) ([]byte, error) {
	object, err := json.Marshal(r)
	if err != nil {
		return b, err
	}
	return append(b, written.AppendSum(object[:len(object)-1])...), nil
}

// parseRecord parses a line of runs.jsonl without its checksum. It parses metrics in the form in
// which a run writes them directly, so that folders of many runs open quickly, and leaves all
// others to encoding/json, which says what is wrong.
func parseRecord(line []byte) (r Record, err error) {
	const field = `,"metrics":`
	if i := bytes.Index(line, []byte(field)); i >= 0 {
		if m, ok := metrics.ParseResult(line[i+len(field) : len(line)-1]); ok {
			line[i] = '}'
			err = input.DecodeStrictly(line[:i+1], &r)
			r.Metrics = m
			return r, err
		}
	}
	return r, input.DecodeStrictly(line, &r)
}
