package sweep

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/written"
)

// Folder is the name of the folder of a sweep inside the output folder. The sweep removes it when
// the study is complete.
const Folder = "slurm"

// Header has what the tasks of a submission need beside the study.
type Header struct {
	// Program names the program that has to make the runs.
	Program string `json:"program"`
	// Traces are the folders of logs, absolute.
	Traces []string `json:"traces"`
	// Threads is runs.threads of the study.
	Threads int `json:"threads"`
	// Tables selects the tables of rows that the runs write.
	Tables experiments.Tables `json:"tables"`
	// Batches has the runs of each task, in the order of the study.
	Batches []Batch `json:"batches"`
}

// Batch is the runs of one task.
type Batch []experiments.RunKey

// Split divides runs into at most maxBatches batches of about the given seconds each, the longest
// first. The runs of a batch follow each other in the study, so that a task shares what its points
// have in common. A run of unknown cost counts as a whole batch.
func Split(runs []experiments.PlannedRun, seconds float64, maxBatches int) []Batch {
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
	n := min(maxBatches, len(runs))
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
		b.Batch = append(b.Batch, r.RunKey)
		b.cost += c
		before += c
	}
	slices.SortStableFunc(batches, func(a, b costly) int {
		return cmp.Compare(b.cost, a.cost)
	})
	var sorted []Batch
	for _, b := range batches {
		if len(b.Batch) > 0 {
			sorted = append(sorted, b.Batch)
		}
	}
	return sorted
}

// Names of the files of a submission and, by its number and index, of a task. Shards and failures
// end in drawn characters, so that a task never writes to the file of an earlier attempt, even if
// Slurm numbers jobs anew.
const (
	batchesName  = "batches-%04d.json"
	studyName    = "study-%04d.toml"
	logName      = "task-%04d-%s.log"
	shardName    = "runs.%04d.%d."   // and drawn characters and .jsonl
	failuresName = "failed.%04d.%d." // and drawn characters and .json
)

// givenName matches the names of all files that a sweep has in its folder.
var givenName = regexp.MustCompile(`^(batches-\d{4,}\.json|study-\d{4,}\.toml|task-\d{4,}-.*\.log|` +
	`runs\.\d{4,}\.\d+\.[0-9a-f]+\.jsonl|failed\.\d{4,}\.\d+\.[0-9a-f]+\.json|contend|submitted)$`)

// Clear removes the files of a sweep from an output folder, and their folder if nothing else is in
// it.
func Clear(dir string) error {
	return experiments.RemoveFiles(filepath.Join(dir, Folder), givenName.MatchString)
}

// WriteBatches writes the study and the batches of submission n.
func WriteBatches(dir string, n int, study []byte, h Header) (path string, err error) {
	text, err := json.Marshal(h)
	if err == nil {
		err = written.Replace(filepath.Join(dir, fmt.Sprintf(studyName, n)), study)
	}
	path = filepath.Join(dir, fmt.Sprintf(batchesName, n))
	if err == nil {
		err = written.Replace(path, text)
	}
	return path, err
}

// ReadBatches reads a file of batches and returns it with the number of the submission.
func ReadBatches(path string) (h Header, submission int, err error) {
	const right = "give a file that contend sweep wrote"
	text, err := input.ReadFile(path, input.Limits{Bytes: input.RunsLimits.Bytes})
	if err != nil {
		return h, 0, input.Unreadable(err, right)
	}
	_, named := fmt.Sscanf(filepath.Base(path), batchesName, &submission)
	if err := json.Unmarshal(text, &h); err != nil || named != nil {
		return h, 0, &input.Error{Where: path, Problem: "it is no file of batches", Right: right}
	}
	return h, submission, nil
}

// nextSubmission returns the smallest number without a file of batches.
func nextSubmission(dir string) int {
	next := 1
	for input.Exists(filepath.Join(dir, fmt.Sprintf(batchesName, next))) {
		next++
	}
	return next
}

// shardFiles lists the shards of all tasks.
func shardFiles(dir string) []string { return filesWithPrefix(dir, "runs.") }

// failureFiles lists the files of failed runs of all tasks.
func failureFiles(dir string) []string { return filesWithPrefix(dir, "failed.") }

// filesWithPrefix lists the files of a folder whose names have a prefix.
func filesWithPrefix(dir, prefix string) (files []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files
}

// readFailures returns the failed runs of all tasks.
func readFailures(dir string) (runs []experiments.FailedRun, err error) {
	for _, path := range failureFiles(dir) {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var ofTask []experiments.FailedRun
		if err := json.Unmarshal(text, &ofTask); err != nil {
			return nil, fmt.Errorf("%s: %w", path, input.JSONProblem(text, err))
		}
		runs = append(runs, ofTask...)
	}
	return runs, nil
}

// submissionsFile is the file with the names of jobs that may be in the queue.
const submissionsFile = "submitted"

// Submitted returns the names of the jobs of an output folder that may be in the queue.
func Submitted(dir string) []string { return readSubmissions(filepath.Join(dir, Folder)) }

// readSubmissions returns the names in the file of submissions of a sweep's folder.
func readSubmissions(dir string) []string {
	text, err := os.ReadFile(filepath.Join(dir, submissionsFile))
	if err != nil {
		return nil
	}
	return strings.Fields(string(text))
}

// addSubmission appends the name of a job to the file of submissions.
func addSubmission(dir, name string) error {
	path := filepath.Join(dir, submissionsFile)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = file.WriteString(name + "\n")
	return cmp.Or(err, file.Sync(), file.Close())
}

// removeSubmissions removes the file of submissions.
func removeSubmissions(dir string) error {
	return os.RemoveAll(filepath.Join(dir, submissionsFile))
}

// countLines returns the number of lines of the files that can be read.
func countLines(paths []string) (lines int) {
	for _, path := range paths {
		text, _ := os.ReadFile(path)
		lines += bytes.Count(text, []byte("\n"))
	}
	return lines
}

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

// Slurm is a cluster whose commands sbatch, squeue and scontrol are on the PATH.
type Slurm struct {
	// Partition is the partition to submit to, "" for the cluster's default.
	Partition string
	// Extra are flags for sbatch.
	Extra []string
}

// defaultMaxArraySize is MaxArraySize where scontrol does not report it.
const defaultMaxArraySize = 1001

// maxArraySize matches the limit in the output of scontrol.
var maxArraySize = regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*(\d+)`)

// MaxTasks returns the largest number of tasks of an array.
func (s *Slurm) MaxTasks(ctx context.Context) int {
	out, err := runCommand(ctx, "", "scontrol", "show", "config")
	size := defaultMaxArraySize
	if m := maxArraySize.FindStringSubmatch(out); err == nil && m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			size = n
		}
	}
	return max(1, size-1)
}

// Submit submits an array of tasks that run a script, and returns the job's number. The number is
// for people only: a controller that lost its state counts anew. The name identifies the job.
func (s *Slurm) Submit(ctx context.Context, name, script, log string, tasks int,
) (job string, err error) {
	args := []string{"--parsable", "--no-requeue", "--job-name", name,
		"--array", fmt.Sprintf("0-%d", tasks-1), "--ntasks", "1", "--output", log}
	if s.Partition != "" {
		args = append(args, "--partition", s.Partition)
	}
	out, err := runCommand(ctx, script, "sbatch", append(args, s.Extra...)...)
	if err != nil {
		return "", err
	}
	job, _, _ = strings.Cut(strings.TrimSpace(out), ";") // a cluster may stand behind it
	return job, nil
}

// Queue counts the tasks of the jobs of these names.
func (s *Slurm) Queue(ctx context.Context, names []string) (tasks int, err error) {
	out, err := runCommand(ctx, "", "squeue", "-h", "-r", "-o", "%T", "-n", strings.Join(names, ","))
	return len(strings.Fields(out)), err
}

// runCommand runs a command of Slurm with a standard input and returns its output. A command that
// is not installed is bad input.
func runCommand(ctx context.Context, text, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Stdin = strings.NewReader(text)
	var out, problem bytes.Buffer
	c.Stdout, c.Stderr = &out, &problem
	err := c.Run()
	switch {
	case err == nil:
		return out.String(), nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return "", &input.Error{Problem: "the command " + name + " of Slurm is not there",
			Right: "run this where jobs are submitted, or contend run for this machine alone"}
	}
	return "", fmt.Errorf("%s failed, %w: %s", name, err, strings.TrimSpace(problem.String()))
}
