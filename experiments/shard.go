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
)

// A shard holds runs of a study that one process made, in the form of runs.jsonl,
// while others make other runs of it. Tables of jobs and channels go to the
// folder itself: they are a file a run. Folder.Absorb joins shards.

// FailedRun is a run of a shard that failed by itself: another attempt would.
type FailedRun struct {
	RunKey
	// Problem is the text of the failure.
	Problem string
	// Stack is that of the goroutine that panicked, if one did.
	Stack string `json:",omitempty"`
	// Input tells that the input is wrong, and every run would fail so.
	Input bool `json:",omitempty"`
}

// OpenShard returns a folder that adds runs to a new file and parts to dir. Every
// line is synced: other machines read it.
func OpenShard(dir, path, version string) (*Folder, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	return &Folder{Dir: dir, Version: version, Records: map[RunKey]Record{}, file: file,
		shared: true}, nil
}

// MakeRuns makes runs of a study into the folder of the runner, but for those known to be
// there, and returns those that failed. A run that the study does not have is bad input.
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
			return nil, &input.Error{
				Problem: fmt.Sprintf("the study %s has no run %s", st.Name, key.Hash),
				Right:   "take the study that the runs were listed from"}
		}
		if x := r.extra(st); !known[key] {
			tasks = append(tasks, task{p, key.Replication, &x})
		}
	}
	failed := map[RunKey]error{}
	r.execute(ctx, tasks, failed)
	for _, key := range keys {
		if err := failed[key]; err != nil {
			run := FailedRun{RunKey: key, Problem: err.Error(), Input: Cause(err) != nil}
			var e *RunError
			if errors.As(err, &e) {
				run.Problem, run.Stack = e.Err.Error(), e.Stack
			}
			failures = append(failures, run)
		}
	}
	return failures, cmp.Or(r.Folder.err, r.Folder.Close())
}

// Error makes the failure an error of the study.
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

// otherProgram says what can be done about runs of another program.
const otherProgram = "merge with the program that made it, or make it again"

// KeysIn returns the runs that a program has put into a shard or into runs.jsonl. A torn last line
// is none.
func KeysIn(path, program string, names *config.Registry) ([]RunKey, error) {
	var keys []RunKey
	in := runReader{path: path, program: program, right: otherProgram,
		registry: names,
		use:      func(r Record) { keys = append(keys, RunKey{r.Hash, r.Replication}) }}
	_, err := in.readFile()
	return keys, err
}

// Absorb adds the runs of a shard, or of another folder's runs.jsonl, that are not there yet.
// Parts that are missing here are copied if from, the folder they belong to, is another one. Runs
// of another program, and a run that has another result here, are refused, and nothing is added
// then.
func (f *Folder) Absorb(path, from string) error {
	var runs []Record
	var bad error
	in := runReader{path: path, program: f.Version, registry: f.names,
		right: otherProgram}
	in.use = func(r Record) {
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
		if err := f.append(r); err != nil {
			return err
		}
		f.Records[key] = r
	}
	return nil
}

// copyParts copies the parts of a run from another folder, but for those that are here.
func (f *Folder) copyParts(key RunKey, from string) error {
	other := Folder{Dir: from}
	if err := f.dropParts(key, &sim.Extra{}); err != nil {
		return err
	}
	for _, p := range parts {
		source, target := other.Part(p.kind, key), f.Part(p.kind, key)
		for _, end := range []string{".csv", ".swf"} {
			to := target[:len(target)-len(".csv")] + end
			text, err := os.ReadFile(source[:len(source)-len(".csv")] + end)
			if os.IsNotExist(err) || input.Exists(to) {
				continue
			}
			if err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
				return err
			}
			if err := input.WriteFile(to, text); err != nil {
				return err
			}
		}
	}
	return nil
}

func sameMetrics(a, b metrics.Result) bool {
	x, err1 := a.MarshalJSON()
	y, err2 := b.MarshalJSON()
	return err1 == nil && err2 == nil && string(x) == string(y)
}

// Sync makes sure that all runs are on the disk.
func (f *Folder) Sync() error { return f.file.Sync() }
