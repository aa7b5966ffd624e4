package sweep

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"contend/experiments"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/written"
)

// Task is one task of an array: a batch of runs.
type Task struct {
	// Dir is the output folder of the sweep.
	Dir string
	// Batches is the file of batches, Index the index of the batch, from 0.
	Batches string
	Index   int
	// Program names the program that runs, which must be that of the sweep.
	Program string
	// Runner makes the runs.
	Runner experiments.Runner
}

// Make makes the runs of the batch, except for those that an earlier attempt has made, and returns
// the number of failures. The function use returns the RunFunc for a header.
func (t *Task) Make(ctx context.Context, use func(Header) experiments.RunFunc,
) (failed int, err error) {
	h, n, err := ReadBatches(t.Batches)
	if err != nil {
		return 0, err
	}
	if h.Program != t.Program {
		const text = "the sweep was submitted by another program (%s), this one is %s"
		return 0, &input.Error{Where: t.Batches,
			Problem: fmt.Sprintf(text, h.Program, t.Program), Right: "submit it again"}
	}
	if t.Index < 0 || t.Index >= len(h.Batches) {
		return 0, &input.Error{Where: t.Batches, Problem: fmt.Sprintf("there is no batch %d", t.Index),
			Right: fmt.Sprintf("give one of %d, from 0", len(h.Batches))}
	}
	beside := filepath.Dir(t.Batches)
	st, err := study.Load(filepath.Join(beside, fmt.Sprintf(studyName, n)), t.Runner.Names)
	if err != nil {
		return 0, err
	}
	known, err := t.known(beside, n)
	if err != nil {
		return 0, err
	}
	drawn := randomName()
	own := func(pattern string) string {
		return filepath.Join(beside, fmt.Sprintf(pattern, n, t.Index)+drawn)
	}
	folder, err := experiments.OpenShard(t.Dir, own(shardName)+".jsonl", t.Program)
	if err != nil {
		return 0, err
	}
	r := t.Runner
	r.Folder, r.Tables, r.Traces, r.Run = folder, h.Tables, h.Traces, use(h)
	failures, err := r.MakeRuns(ctx, st, h.Batches[t.Index], known)
	if len(failures) > 0 {
		text, e := json.Marshal(failures)
		if e == nil {
			e = written.Replace(own(failuresName)+".json", text)
		}
		err = cmp.Or(err, e)
	}
	return len(failures), err
}

// known returns the runs that earlier attempts at the batch have made.
func (t *Task) known(dir string, n int) (map[experiments.RunKey]bool, error) {
	known := map[experiments.RunKey]bool{}
	for _, path := range filesWithPrefix(dir, fmt.Sprintf(shardName, n, t.Index)) {
		keys, err := experiments.KeysIn(path, t.Program, t.Runner.Names)
		if err != nil {
			return nil, err
		}
		for _, key := range keys {
			known[key] = true
		}
	}
	return known, nil
}
