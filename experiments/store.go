package experiments

import (
	"cmp"
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
)

// Folder is the output folder of a study. The file runs.jsonl holds its state:
// one line per finished run, appended as the run ends. A crash of the program loses only
// the runs under way. The file is synced once a second while runs end, so a crash of the
// machine loses few others. All other files can be made again from it.
type Folder struct {
	// Dir is the path of the folder, "" for one in memory.
	Dir string
	// Version names the program that makes the runs, "" if the folder is only
	// read.
	Version string
	// Records has every stored run. One program made them all.
	Records map[RunKey]Record

	names  *config.Registry // what lines may name
	file   *os.File         // runs.jsonl, nil if runs are not written
	shared bool             // other machines read the file, so each line is synced
	synced time.Time        // when the file was synced last
	err    error            // the first failure to write
	// contrasts are the differences that decide on replications, by the hash of each of
	// their points. Results sets them.
	contrasts map[string][]*contrast
	// beyond has the hashes of the points behind the end of their curve. endCurves sets it.
	beyond map[string]bool
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
	Jobs        metrics.JobSums `json:"jobs,omitzero"` // what the jobs were
	Metrics     metrics.Result  `json:"metrics"`       // the result
}

// BytesRun is about what a run takes in memory, in bytes: its entry in the list of runs to make,
// and its Record with some thirty metrics. A test holds the sum against the heap.
const BytesRun = 3 << 9

const (
	specFile = "spec.toml" // the resolved study
	// RunsFile is the name of the file of finished runs.
	RunsFile = "runs.jsonl"
)

// NewMemory returns a folder that keeps finished runs in memory. It serves
// studies that store metrics only, not jobs, links or sizes.
func NewMemory(version string) *Folder {
	return &Folder{Version: version, Records: map[RunKey]Record{}}
}

// WriteStudy writes the resolved study.
func (f *Folder) WriteStudy(st *study.Study) error {
	return input.WriteFile(filepath.Join(f.Dir, specFile), []byte(st.TOML(f.Version)))
}

// ReadFolder reads the study and the finished runs of a folder without changing
// it. Any program may have made the runs, but one has to have made them all.
func ReadFolder(dir string, names *config.Registry) (*Results, error) {
	f := &Folder{Dir: dir, Records: map[RunKey]Record{}, names: names}
	st, err := loadSpec(dir, names)
	if os.IsNotExist(err) {
		return nil, &input.Error{
			Problem: fmt.Sprintf("%s is not an output folder, it has no %s", dir, specFile),
			Right:   "give the folder that contend run wrote",
		}
	}
	if err != nil {
		return nil, err
	}
	if err := CheckLinks(dir); err != nil { // plots and reports are written into it
		return nil, err
	}
	if _, err := f.read("", "make the runs anew with contend run --fresh"); err != nil {
		return nil, err
	}
	return f.Results(st, names)
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

// read reads runs.jsonl and returns the size of its whole lines; see runReader for program and
// right.
func (f *Folder) read(program, right string) (whole int64, err error) {
	in := runReader{path: filepath.Join(f.Dir, RunsFile), program: program, right: right,
		registry: f.names,
		use:      func(r Record) { f.Records[RunKey{r.Hash, r.Replication}] = r }}
	whole, err = in.readFile()
	if os.IsNotExist(err) {
		return 0, nil
	}
	return whole, err
}

// has reports whether the folder holds a run that counts, with the tables for
// which an Extra asks.
func (f *Folder) has(key RunKey, x sim.Extra) bool {
	_, ok := f.Records[key]
	return ok && !slices.ContainsFunc(parts, func(p part) bool {
		return p.asked(&x) && !input.Exists(f.Part(p.kind, key))
	})
}

// complete reports whether the folder holds all runs that a point needs.
func (f *Folder) complete(p *study.Point, st *study.Study, x sim.Extra) bool {
	for rep := range f.wanted(p, st) {
		if !f.has(RunKey{p.Hash, rep}, x) {
			return false
		}
	}
	return true
}

// add stores a finished run. It writes the tables first, because a line of
// runs.jsonl states that the run is complete. After a failure it writes nothing
// more: what failed may have left part of a line behind.
func (f *Folder) add(key RunKey, o outcome) error {
	r := Record{Hash: key.Hash, Replication: key.Replication, Version: f.Version,
		Jobs: o.task.extra.Sums, Metrics: o.result}
	if f.err == nil {
		f.err = f.dropParts(key, o.task.extra)
	}
	if f.err == nil {
		f.err = f.writeParts(key, o.task.extra)
	}
	if f.err == nil {
		f.err = f.append(r)
	}
	if f.err == nil {
		f.Records[key] = r
	}
	return f.err
}

// append writes a line of runs.jsonl. A sync takes 10 ms on a disk, as long as a short run.
func (f *Folder) append(r Record) error {
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
	if !f.shared && time.Since(f.synced) < time.Second {
		return nil
	}
	f.synced = time.Now()
	return f.file.Sync()
}

// Close ends the writing of runs. Finish calls it.
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
	return input.WriteFile(filepath.Join(f.Dir, RunsFile), lines)
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
