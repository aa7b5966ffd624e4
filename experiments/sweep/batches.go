package sweep

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"contend/experiments"
	"contend/experiments/spec/input"
	"contend/internal/bounded"
)

// Folder is the one inside the output folder that a sweep works in. It goes when
// the study is complete.
const Folder = "slurm"

// Header is the first line of a file of batches: what all its tasks need.
type Header struct {
	// Study is the file of the resolved study beside the batches.
	Study string `json:"study"`
	// Program is the one that has to make the runs.
	Program string `json:"program"`
	// Traces are the folders of logs, absolute.
	Traces []string `json:"traces"`
	// Tables says which tables of rows the runs write.
	Tables experiments.Tables `json:"tables"`
}

// Batch is the runs of one task.
type Batch struct {
	// Runs are in the order of the study.
	Runs []experiments.RunKey `json:"runs"`
}

// Split cuts runs into batches of about so many seconds each, in the order of the
// study so that a task shares what its points have in common; at most so many
// batches. A run whose cost nobody knows is taken to fill a batch. Batches that
// take longest come first.
func Split(runs []experiments.PlannedRun, seconds float64, most int) []Batch {
	cost := func(r experiments.PlannedRun) float64 {
		if r.Seconds > 0 {
			return r.Seconds
		}
		return max(seconds, 1e-9)
	}
	total := 0.0
	for _, r := range runs {
		total += cost(r)
	}
	n := min(most, len(runs))
	if seconds > 0 && total/seconds < float64(n) {
		n = max(1, int(math.Ceil(total/seconds)))
	}
	type costly struct {
		Batch
		cost float64
	}
	batches := make([]costly, n)
	before := 0.0
	for _, r := range runs {
		c := cost(r)
		b := &batches[min(n-1, int((before+c/2)/total*float64(n)))]
		b.Runs = append(b.Runs, r.RunKey)
		b.cost += c
		before += c
	}
	slices.SortStableFunc(batches, func(a, b costly) int {
		return cmp.Compare(b.cost, a.cost)
	})
	var sorted []Batch
	for _, b := range batches {
		if len(b.Runs) > 0 {
			sorted = append(sorted, b.Batch)
		}
	}
	return sorted
}

// batchesName names the file of a submission, shardName and failuresName those of
// a task. The last part is drawn, so that a task that was started again, even
// by a Slurm that counts jobs anew, never writes to the file of another.
const (
	batchesName  = "batches-%04d.jsonl"
	studyName    = "study-%04d.toml"
	logName      = "task-%04d-%s.log"
	shardName    = "runs.%04d.%d.*.jsonl"
	failuresName = "failed.%04d.%d.*.jsonl"
)

// WriteBatches writes the study and the batches of submission n.
func WriteBatches(dir string, n int, study []byte, h Header, batches []Batch,
) (path string, err error) {
	h.Study = fmt.Sprintf(studyName, n)
	if err := input.WriteFile(filepath.Join(dir, h.Study), study); err != nil {
		return "", err
	}
	path = filepath.Join(dir, fmt.Sprintf(batchesName, n))
	return path, input.WriteFileWith(path, func(w io.Writer) error {
		out := json.NewEncoder(w)
		if err := out.Encode(h); err != nil {
			return err
		}
		for _, b := range batches {
			if err := out.Encode(b); err != nil {
				return err
			}
		}
		return nil
	})
}

// ReadBatch returns the header of a file of batches, and batch i.
func ReadBatch(path string, i int) (h Header, b Batch, err error) {
	damaged := func(problem string) error {
		return &input.Error{Where: path, Problem: problem,
			Right: "give a file that contend sweep wrote"}
	}
	text, err := bounded.ReadFile(path, bounded.Runs)
	if err != nil {
		return h, b, input.Unreadable(err, "give a file that contend sweep wrote")
	}
	lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	if err := json.Unmarshal(lines[0], &h); err != nil || h.Study == "" {
		return h, b, damaged("its first line is no header of batches")
	}
	if i < 0 || i+1 >= len(lines) {
		return h, b, damaged(fmt.Sprintf("it has %d batches, from 0 on, and no batch %d",
			len(lines)-1, i))
	}
	if err := json.Unmarshal(lines[i+1], &b); err != nil {
		return h, b, damaged(fmt.Sprintf("batch %d is damaged, %v", i, err))
	}
	return h, b, nil
}

var numbered = regexp.MustCompile(`^batches-(\d+)\.jsonl$`)

// submissionOf returns the number in the name of a file of batches.
func submissionOf(path string) (n int, ok bool) {
	m := numbered.FindStringSubmatch(filepath.Base(path))
	if m == nil {
		return 0, false
	}
	_, err := fmt.Sscan(m[1], &n)
	return n, err == nil
}

// nextSubmission returns the least number that no file of batches has.
func nextSubmission(dir string) int {
	next := 1
	files, _ := filepath.Glob(filepath.Join(escapeGlob(dir), "batches-*.jsonl"))
	for _, path := range files {
		if n, ok := submissionOf(path); ok {
			next = max(next, n+1)
		}
	}
	return next
}

var globCharacters = regexp.MustCompile(`[][*?\\]`)

func escapeGlob(path string) string { return globCharacters.ReplaceAllString(path, `\$0`) }

// shards lists the shards of all tasks, failures what they say of failed runs.
func shards(dir string) []string   { return list(dir, "runs.*.jsonl") }
func failures(dir string) []string { return list(dir, "failed.*.jsonl") }

func list(dir, pattern string) []string {
	files, _ := filepath.Glob(filepath.Join(escapeGlob(dir), pattern))
	slices.Sort(files)
	return files
}

// readFailures returns the runs that failed by themselves.
func readFailures(dir string) ([]experiments.FailedRun, error) {
	var runs []experiments.FailedRun
	for _, path := range failures(dir) {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in := bufio.NewScanner(file)
		in.Buffer(nil, bounded.Runs.Line)
		for in.Scan() {
			var run experiments.FailedRun
			if json.Unmarshal(in.Bytes(), &run) == nil { // a torn line is a run that is missing
				runs = append(runs, run)
			}
		}
		if err := in.Err(); err != nil {
			return nil, err
		}
	}
	return runs, nil
}
