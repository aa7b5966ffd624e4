package sweep

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"contend/experiments"
	"contend/experiments/spec/input"
	"contend/experiments/study"
)

// Task is one task of an array: a batch of runs.
type Task struct {
	// Dir is the output folder of the sweep.
	Dir string
	// Batches is the file of batches that has this one.
	Batches string
	// Index is that of the batch, from 0.
	Index int
	// Program is the one that runs; it has to be that of the sweep.
	Program string
	// Runner makes the runs.
	Runner experiments.Runner
}

// Make makes the batch and returns how many of its runs failed by themselves. What
// an earlier attempt at the same batch has made is not made again. use gets the
// folders of logs before the first run.
func (t *Task) Make(ctx context.Context, use func(Header) experiments.RunFunc,
) (failed int, err error) {
	h, batch, err := ReadBatch(t.Batches, t.Index)
	if err != nil {
		return 0, err
	}
	if h.Program != t.Program {
		const text = "the sweep was submitted by another program (%s), this one is %s"
		return 0, &input.Error{Where: t.Batches,
			Problem: fmt.Sprintf(text, h.Program, t.Program), Right: "submit it again"}
	}
	n, ok := submissionOf(t.Batches)
	if !ok {
		return 0, &input.Error{Where: t.Batches,
			Problem: "the name is not that of a file of batches",
			Right:   "give a file that contend sweep wrote"}
	}
	beside := filepath.Dir(t.Batches)
	st, err := study.Load(filepath.Join(beside, h.Study), t.Runner.Names)
	if err != nil {
		return 0, err
	}
	known, err := t.known(beside, n)
	if err != nil {
		return 0, err
	}
	drawn := draw()
	own := func(pattern string) string {
		return filepath.Join(beside, strings.Replace(fmt.Sprintf(pattern, n, t.Index), "*", drawn, 1))
	}
	folder, err := experiments.OpenShard(t.Dir, own(shardName), t.Program)
	if err != nil {
		return 0, err
	}
	r := t.Runner
	r.Folder, r.Tables, r.Traces, r.Run = folder, h.Tables, h.Traces, use(h)
	failures, err := r.MakeRuns(ctx, st, batch.Runs, known)
	if len(failures) > 0 {
		e := input.WriteFileWith(own(failuresName), func(w io.Writer) error {
			out := json.NewEncoder(w)
			for _, run := range failures {
				if err := out.Encode(run); err != nil {
					return err
				}
			}
			return nil
		})
		err = cmp.Or(err, e)
	}
	return len(failures), err
}

// known lists the runs that earlier attempts at the batch have made.
func (t *Task) known(dir string, n int) (map[experiments.RunKey]bool, error) {
	known := map[experiments.RunKey]bool{}
	for _, path := range list(dir, fmt.Sprintf(shardName, n, t.Index)) {
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
