// Package sweep makes the runs of a study on a Slurm cluster. Each round of the study is a job
// array. Each task makes a batch of runs and appends them to a file of its own, a shard, in the
// folder slurm of the output folder. The submitting process polls the queue, joins the shards when
// the array has ended, and submits the missing runs again, whatever happened to the tasks. A run
// draws by its spec alone, so the results are those of contend run.
//
// An example of a study whose first round has 40 runs of 5 s, with tasks of about 100 s:
//
//	submit       an array of two tasks, with a batch of 20 runs each
//	tasks 0, 1   append their runs to shards in slurm/; the machine of task 1 fails after 12 runs
//	join         moves 32 runs from the shards to runs.jsonl
//	submit       a further array with the 8 missing runs
//	round 2      the runs that precision asks for, if it asks for any
//
// A drawn name identifies a job, not its number: controllers that were killed have been seen to use
// numbers again. Slurm does not requeue tasks, since they would wait two minutes: the sweep submits
// their missing runs again.
package sweep

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"contend/experiments"
	"contend/internal/input"
	"contend/internal/written"
)

// Cluster makes job arrays. Slurm is one.
type Cluster interface {
	// MaxTasks returns the largest number of tasks of an array.
	MaxTasks(ctx context.Context) int
	// Submit submits an array of tasks that run a script, and returns its number.
	Submit(ctx context.Context, name, script, log string, tasks int) (job string, err error)
	// Queue counts the tasks of the jobs of these names.
	Queue(ctx context.Context, names []string) (tasks int, err error)
}

// Sweep makes the runs of a study on a cluster.
type Sweep struct {
	// Slurm takes the job arrays.
	Slurm Cluster
	// Runner plans the rounds of the study, and has the output folder.
	Runner *experiments.Runner
	// Header has what tasks need, without their batches.
	Header Header
	// Program is the path of the executable, of which tasks run a copy beside the batches.
	Program string
	// TaskSeconds is the time that a task should take.
	TaskSeconds float64
	// MaxTasks bounds the tasks of an array, 0 for the limit of Slurm.
	MaxTasks int
	// Retries is the number of times that a run missing after its job is submitted again.
	Retries int
	// Wait makes Run wait until the study is complete. Without it Run submits at most one job.
	Wait bool
	// Poll is the time between two queries of the queue.
	Poll time.Duration
	// Show, if not nil, receives the number of finished runs and of all wanted so far.
	Show func(done, all int)
	// Say receives messages for the user.
	Say func(string)

	results  *experiments.Results
	failed   map[experiments.RunKey]error
	attempts map[experiments.RunKey]int
}

// ErrWaiting is the error of a Run that leaves jobs in the queue.
var ErrWaiting = errors.New("jobs are in the queue")

// Run makes the runs that the results lack. It returns ErrWaiting if it leaves jobs in the queue,
// the first failure of a run in the order of the study, or the error that ended the sweep.
func (s *Sweep) Run(ctx context.Context, results *experiments.Results) error {
	s.results = results
	s.failed, s.attempts = map[experiments.RunKey]error{}, map[experiments.RunKey]int{}
	for {
		if err := s.joinQueued(ctx); err != nil {
			return err
		}
		runs, missing := s.Runner.NextRuns(ctx, results, s.failed)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		runs, lost := s.retriable(runs)
		failure := results.FinalError(s.failed)
		if experiments.InputCause(failure) != nil || len(runs) == 0 {
			return s.finish(failure, missing, lost)
		}
		if err := s.submit(ctx, runs); err != nil {
			return err
		}
		if !s.Wait {
			return ErrWaiting
		}
	}
}

// joinQueued waits until the jobs in the queue have ended, if Wait is set, and joins their shards.
func (s *Sweep) joinQueued(ctx context.Context) error {
	for {
		tasks, err := s.queuedTasks(ctx)
		if err != nil {
			return err
		}
		if tasks == 0 {
			return s.mergeShards(true)
		}
		if done, all := s.results.Wanted(); s.Show != nil {
			s.Show(min(all, done+countLines(shardFiles(s.folder()))), all) // shards may have runs twice
		}
		if !s.Wait {
			if err := s.mergeShards(false); err != nil {
				return err
			}
			return ErrWaiting
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(s.Poll):
		}
	}
}

// queuedTasks returns the number of tasks of the sweep in the queue. With Wait it repeats the query
// until the controller answers.
func (s *Sweep) queuedTasks(ctx context.Context) (tasks int, err error) {
	names := readSubmissions(s.folder())
	if len(names) == 0 {
		return 0, nil
	}
	for said := false; ; said = true {
		tasks, err = s.Slurm.Queue(ctx, names)
		if err == nil || ctx.Err() != nil || !s.Wait || experiments.InputCause(err) != nil {
			return tasks, err
		}
		if !said {
			s.Say(fmt.Sprintf("the queue cannot be seen, %v; asking again", err))
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(s.Poll):
		}
	}
}

// mergeShards joins the shards and reads the failures. If all jobs have ended it removes these
// files and the file of submissions.
func (s *Sweep) mergeShards(ended bool) error {
	if err := Join(s.Runner.Folder, s.folder()); err != nil {
		return err
	}
	runs, err := readFailures(s.folder())
	if err != nil {
		return err
	}
	for i := range runs {
		s.failed[runs[i].RunKey] = runs[i].Error(s.results)
	}
	if !ended {
		return nil
	}
	for _, path := range append(shardFiles(s.folder()), failureFiles(s.folder())...) {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return removeSubmissions(s.folder())
}

// Join adds the runs of all shards to the folder.
func Join(f *experiments.Folder, dir string) error {
	for _, path := range shardFiles(dir) {
		if err := f.Absorb(path, f.Dir); err != nil {
			return err
		}
	}
	return f.Sync()
}

// retriable returns the runs that may be submitted once more, and the number of the others.
func (s *Sweep) retriable(runs []experiments.PlannedRun,
) (again []experiments.PlannedRun, lost int) {
	for _, r := range runs {
		if s.attempts[r.RunKey] > s.Retries {
			lost++
		} else {
			again = append(again, r)
		}
	}
	return again, lost
}

// submit submits runs as one array. Batches get smaller from attempt to attempt, so that a run that
// kills its task takes fewer others with it.
func (s *Sweep) submit(ctx context.Context, runs []experiments.PlannedRun) error {
	maxTasks, attempts := s.Slurm.MaxTasks(ctx), 0
	if s.MaxTasks > 0 {
		maxTasks = min(maxTasks, s.MaxTasks)
	}
	for _, r := range runs {
		attempts = max(attempts, s.attempts[r.RunKey])
	}
	seconds := s.TaskSeconds
	for range attempts {
		seconds /= 8
	}
	batches := Split(runs, seconds, maxTasks)
	job, err := s.writeAndSubmit(ctx, batches)
	if err != nil {
		return err
	}
	for _, r := range runs {
		s.attempts[r.RunKey]++
	}
	again := ""
	if attempts > 0 {
		again = ", some of them again"
	}
	s.Say(fmt.Sprintf("submitted job %s: %s in %s%s", job,
		input.Plural(len(runs), "run"), input.Plural(len(batches), "task"), again))
	return nil
}

// writeAndSubmit writes the files of a submission and submits it.
func (s *Sweep) writeAndSubmit(ctx context.Context, batches []Batch) (job string, err error) {
	if err := os.MkdirAll(s.folder(), 0o777); err != nil {
		return "", err
	}
	n := nextSubmission(s.folder())
	st := s.results.Study
	resolved := []byte(st.TOML(s.Runner.Folder.Version))
	h := s.Header
	h.Batches = batches
	path, err := WriteBatches(s.folder(), n, resolved, h)
	if err != nil {
		return "", err
	}
	program, err := s.copyProgram()
	if err != nil {
		return "", err
	}
	dir, err := filepath.Abs(s.Runner.Folder.Dir)
	if err != nil {
		return "", err
	}
	script := fmt.Sprintf("#!/bin/sh\nexec %s sweep-task %s --batches %s\n",
		shellWord(program), shellWord(dir), shellWord(filepath.Join(dir, Folder, filepath.Base(path))))
	name := jobName(st.Name)
	// Before the job exists: the sweep must know each of its jobs.
	if err := addSubmission(s.folder(), name); err != nil {
		return "", err
	}
	log := strings.ReplaceAll(filepath.Join(dir, Folder), "%", "%%") // % begins a pattern of sbatch
	log = filepath.Join(log, fmt.Sprintf(logName, n, "%a"))
	return s.Slurm.Submit(ctx, name, script, log, len(batches))
}

// copyProgram copies the executable into the folder, which all nodes can read and where it does not
// change while jobs wait.
func (s *Sweep) copyProgram() (string, error) {
	path, err := filepath.Abs(filepath.Join(s.folder(), "contend"))
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(s.Program)
	if err != nil {
		return "", err
	}
	if err := written.Replace(path, text); err != nil {
		return "", err
	}
	return path, os.Chmod(path, 0o755)
}

// finish removes the folder of a complete study, or returns why the study is not complete.
func (s *Sweep) finish(failure, missing error, lost int) error {
	switch {
	case failure != nil:
		return failure
	case lost > 0:
		return fmt.Errorf("not made in %s: %s; what the tasks said is in %s",
			input.Plural(s.Retries+1, "attempt"), input.Plural(lost, "run"), filepath.Join(s.folder(),
				"task-*.log"))
	case missing != nil:
		return missing
	}
	return Clear(s.Runner.Folder.Dir)
}

// folder returns the path of the folder of the sweep.
func (s *Sweep) folder() string { return filepath.Join(s.Runner.Folder.Dir, Folder) }

// jobName draws a name by which squeue finds the job.
func jobName(study string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, study)
	return "contend-" + clean[:min(len(clean), 40)] + "-" + randomName()
}

// randomName returns twelve random hexadecimal digits.
func randomName() string {
	var drawn [6]byte
	rand.Read(drawn[:])
	return hex.EncodeToString(drawn[:])
}

// shellWord quotes a word for a shell.
func shellWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
