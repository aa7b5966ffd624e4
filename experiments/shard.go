package experiments

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"contend/experiments/cosim"
	"contend/experiments/cosim/metrics"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
	"contend/experiments/study"
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

// Shard makes some of a study's runs.
type Shard struct {
	// Runner makes the runs.
	Runner Runner
	// Study is what the runs are of.
	Study *study.Study
	// Failures is written a line for each run that failed.
	Failures io.Writer
}

// OpenShard returns a folder that adds runs to a new file and parts to dir. Every
// line is synced: other machines read it.
func OpenShard(dir, path, version string) (*Folder, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	return &Folder{Dir: dir, Version: version, Records: map[RunKey]Record{}, file: file,
		syncer: syncer{each: true}}, nil
}

// Make makes runs, but for those known to be there, and returns how many failed.
// A run the study does not have is bad input.
func (s *Shard) Make(ctx context.Context, keys []RunKey, known map[RunKey]bool,
) (failed int, err error) {
	tasks, err := s.tasks(keys, known)
	if err != nil {
		return 0, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	f := s.Runner.Folder
	Pool(ctx, s.Runner.Workers, tasks, s.Runner.one, func(o outcome) {
		key, e := RunKey{o.task.point.Hash, o.task.replication}, error(nil)
		switch {
		case o.err == nil:
			e = f.add(key, o)
		case ctx.Err() == nil:
			failed++
			e = s.fail(key, o.err)
		}
		if err == nil {
			err = e // runs under way may still end well
		}
		if err != nil || Cause(o.err) != nil {
			stop()
		}
		*o.task.extra = cosim.Extra{}
	})
	if e := f.syncer.close(f.file); err == nil {
		err = e
	}
	return failed, err
}

func (s *Shard) tasks(keys []RunKey, known map[RunKey]bool) ([]task, error) {
	points, err := s.Study.Points(s.Runner.Names)
	if err != nil {
		return nil, err
	}
	byHash := map[string]*study.Point{}
	for i := range points {
		if p := &points[i]; byHash[p.Hash] == nil {
			byHash[p.Hash] = p
		}
	}
	st := s.Study
	extra := s.Runner.extra(st)
	var tasks []task
	for _, key := range keys {
		p := byHash[key.Hash]
		if p == nil {
			problem := fmt.Sprintf("the study %s has no run %s", st.Name, key.Hash)
			return nil, &input.Error{Problem: problem,
				Right: "take the study that the runs were listed from"}
		}
		if x := extra; !known[key] {
			tasks = append(tasks, task{p, key.Replication, &x, s.Runner.planOf(p)})
		}
	}
	return tasks, nil
}

func (s *Shard) fail(key RunKey, err error) error {
	run := FailedRun{RunKey: key, Problem: err.Error(), Input: Cause(err) != nil}
	if failed, ok := err.(*RunError); ok {
		run.Problem, run.Stack = failed.Err.Error(), failed.Stack
	}
	line, err := json.Marshal(run)
	if err != nil {
		return err
	}
	_, err = s.Failures.Write(append(line, '\n'))
	return err
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
func KeysIn(path, program string, names spec.Names) ([]RunKey, error) {
	var keys []RunKey
	in := runReader{path: path, program: program, right: otherProgram,
		registry: names.Registry(),
		use:      func(r Record) { keys = append(keys, RunKey{r.Hash, r.Replication}) }}
	_, err := in.readFile()
	return keys, err
}

// Absorb adds the runs of a shard, or of another folder's runs.jsonl, that are
// not there yet, and returns how many. Parts that are missing here are copied if from, the
// folder they belong to, is another one. Runs of another program, and a run that has
// another result here, are refused, and nothing is added then.
func (f *Folder) Absorb(path, from string) (added int, err error) {
	var fresh []Record
	var again []RunKey
	var bad error
	in := runReader{path: path, program: f.Version, registry: f.names.Registry(),
		right: otherProgram}
	in.use = func(r Record) {
		key := RunKey{r.Hash, r.Replication}
		old, known := f.Records[key]
		switch {
		case bad != nil:
		case known && !sameMetrics(old.Metrics, r.Metrics):
			bad = fmt.Errorf("%s: the run %s, replication %d, has another result than in %s",
				path, r.Hash, r.Replication, f.Dir)
		case !known:
			fresh = append(fresh, r)
		default:
			again = append(again, key)
		}
	}
	if _, err = in.readFile(); err == nil {
		err = bad
	}
	if err != nil {
		return 0, err
	}
	for _, r := range fresh {
		if err := f.take(r, from); err != nil {
			return added, err
		}
		added++
	}
	for _, key := range again {
		if from == f.Dir {
			break
		}
		if err := f.copyParts(key, from); err != nil {
			return added, err
		}
	}
	return added, nil
}

// take adds a run that was made elsewhere, its parts first.
func (f *Folder) take(r Record, from string) error {
	key := RunKey{r.Hash, r.Replication}
	if from != f.Dir {
		if err := f.copyParts(key, from); err != nil {
			return err
		}
	}
	if err := f.append(r); err != nil {
		return err
	}
	f.Records[key] = r
	return nil
}

// copyParts copies the parts of a run from another folder, but for those that are here.
func (f *Folder) copyParts(key RunKey, from string) error {
	other := Folder{Dir: from}
	if err := f.dropParts(key, &cosim.Extra{}); err != nil {
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
