package experiments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/written"
)

// A shard is a file like runs.jsonl, with the runs of a study that one process has made while
// others make other runs. Parts of tables go to the folder itself. Folder.Absorb joins shards.

// FailedRun is a run of a shard that failed and would fail again.
type FailedRun struct {
	RunKey
	// Problem is the text of the error.
	Problem string
	// Stack is that of the goroutine that panicked, if one did.
	Stack string `json:",omitempty"`
	// Input is set if the input is wrong, so that every run would fail.
	Input bool `json:",omitempty"`
}

// OpenShard returns a folder that writes runs to a new file and parts to dir. It syncs every line,
// since other machines read it.
func OpenShard(dir, path, version string) (*Folder, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	return &Folder{Dir: dir, Out: written.In(dir), Version: version, Records: map[RunKey]Record{},
		file: file, shared: true}, nil
}

// MakeRuns makes runs of a study into the folder of the runner, except for the known ones, which
// are stored already. It returns those that failed. A run that the study does not have is bad
// input.
func (r *Runner) MakeRuns(ctx context.Context, st *study.Study, keys []RunKey,
	known map[RunKey]bool) (failures []FailedRun, err error) {
	points, err := st.Points()
	if err != nil {
		return nil, err
	}
	byHash := map[string]*study.Point{}
	for i := range points {
		byHash[points[i].Hash] = &points[i]
	}
	var tasks []task
	for _, key := range keys {
		p := byHash[key.Hash]
		if p == nil {
			return nil, input.Bad("", "take the study that the runs were listed from",
				"the study %s has no run %s", st.Name, key.Hash)
		}
		if x := r.recordOptions(st); !known[key] {
			tasks = append(tasks, task{point: p, replication: key.Replication, extra: &x})
		}
	}
	failed := map[RunKey]error{}
	r.execute(ctx, tasks, nil, failed)
	for _, key := range keys {
		if err := failed[key]; err != nil {
			run := FailedRun{RunKey: key, Problem: err.Error(), Input: InputCause(err) != nil}
			var e *RunError
			if errors.As(err, &e) {
				run.Problem, run.Stack = e.Err.Error(), e.Stack
			}
			failures = append(failures, run)
		}
	}
	return failures, cmp.Or(r.Folder.err, r.Folder.Close())
}

// Error returns the failure as an error of the study.
func (f *FailedRun) Error(r *Results) error {
	err := &RunError{Replication: f.Replication, Err: fmt.Errorf("%s", f.Problem), Stack: f.Stack}
	if f.Input {
		err.Err = &input.Error{Problem: f.Problem}
	}
	for _, p := range r.Points {
		if p.Hash == f.Hash {
			err.Point = p
			break
		}
	}
	return err
}

// otherProgram is the remedy for runs of another program.
const otherProgram = "merge with the program that made it, or make it again"

// KeysIn returns the keys of the runs in a shard or in runs.jsonl, which the program must have
// made.
func KeysIn(path, program string, names *config.Registry) ([]RunKey, error) {
	var keys []RunKey
	in := runReader{path: path, program: program, right: otherProgram,
		registry: names,
		accept:   func(r Record) { keys = append(keys, RunKey{r.Hash, r.Replication}) }}
	_, err := in.readFile()
	return keys, err
}

// Absorb adds the runs of a shard, or of another folder's runs.jsonl, that f does not hold yet. If
// from, the folder of their parts, is another one, it copies the parts that f lacks. Runs of
// another program and runs with another result than in f are refused, and then nothing is added.
func (f *Folder) Absorb(path, from string) error {
	var runs []Record
	var bad error
	in := runReader{path: path, program: f.Version, registry: f.names,
		right: otherProgram}
	in.accept = func(r Record) {
		old, ok := f.Records[RunKey{r.Hash, r.Replication}]
		if bad == nil && ok && !sameMetrics(old.Metrics, r.Metrics) {
			bad = fmt.Errorf("%s: the run %s, replication %d, has another result than in %s",
				path, r.Hash, r.Replication, f.Dir)
		}
		runs = append(runs, r)
	}
	if _, err := in.readFile(); err != nil || bad != nil {
		return cmp.Or(err, bad)
	}
	for _, r := range runs {
		key := RunKey{r.Hash, r.Replication}
		if from != f.Dir {
			if err := f.copyParts(key, from); err != nil {
				return err
			}
		}
		if _, ok := f.Records[key]; ok {
			continue
		}
		if err := f.appendLine(r); err != nil {
			return err
		}
		f.Records[key] = r
	}
	return nil
}

// copyParts copies the parts of a run from another folder, except for those that f has.
func (f *Folder) copyParts(key RunKey, from string) error {
	other := Folder{Dir: from}
	if err := f.removeStaleParts(key, &sim.Extra{}); err != nil {
		return err
	}
	for _, of := range metrics.RowTables {
		source, target := other.PartPath(of.Name, key), f.PartPath(of.Name, key)
		for _, end := range []string{".csv", ".swf"} {
			from, to := source[:len(source)-len(".csv")]+end, target[:len(target)-len(".csv")]+end
			if !input.Exists(from) || input.Exists(to) {
				continue
			}
			text, err := readPart(from)
			if err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
				return err
			}
			if err := written.Replace(to, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// sameMetrics reports whether two results are written alike.
func sameMetrics(a, b metrics.Result) bool {
	x, err1 := a.MarshalJSON()
	y, err2 := b.MarshalJSON()
	return err1 == nil && err2 == nil && string(x) == string(y)
}

// Sync makes sure that all runs are on the disk.
func (f *Folder) Sync() error { return f.file.Sync() }
