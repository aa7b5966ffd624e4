// Package sweep makes the runs of a study on a Slurm cluster. Each round of the
// study is a job array; each of its tasks makes a batch of runs and appends them
// to a file of its own, a shard, in the folder slurm of the output folder. The
// submitting process polls the queue, joins the shards when the array has ended,
// and submits what is missing again, whatever became of the tasks. What a run
// draws depends on its spec alone, so the results are those of contend run.
//
// A job is known by a name that is drawn, not by its number: a controller that
// was killed was seen to use numbers again. Tasks are not requeued by Slurm,
// which would have them wait two minutes; what they leave is missing, and is
// submitted again here.
package sweep

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"contend/experiments"
	"contend/internal/input"
)

// Cluster makes job arrays. Slurm is one.
type Cluster interface {
	// MostTasks returns how many tasks an array may have.
	MostTasks(ctx context.Context) int
	// Submit submits an array of tasks that run a script, and returns its number.
	Submit(ctx context.Context, name, script, log string, tasks int) (job string, err error)
	// Queue counts the tasks of the jobs of these names.
	Queue(ctx context.Context, names []string) (tasks int, err error)
}

// Sweep is a study on a cluster.
type Sweep struct {
	// Slurm is where the job arrays go.
	Slurm Cluster
	// Runner plans the rounds of the study, and has the output folder.
	Runner *experiments.Runner
	// Header is what tasks need, but for their batches.
	Header Header
	// Program is the path of the executable, which is copied beside the batches.
	Program string
	// TaskSeconds is how long a task should take.
	TaskSeconds float64
	// MostTasks is how many tasks an array may have; 0: as many as Slurm takes.
	MostTasks int
	// Retries is how often a run that is missing after its job is submitted again.
	Retries int
	// Wait tells to wait for jobs, at intervals of Poll; otherwise one is
	// submitted at most.
	Wait bool
	// Poll is the time between two looks at the queue.
	Poll time.Duration
	// Show, if not nil, gets the number of runs that are done, and of all that the study asks
	// for by now.
	Show func(done, all int)
	// Say is told what happens.
	Say func(string)
	// Log is told what only somebody who looks for a fault wants to know.
	Log *slog.Logger

	results  *experiments.Results
	failed   map[experiments.RunKey]error
	attempts map[experiments.RunKey]int
}

// ErrWaiting tells that jobs are in the queue and nobody waits for them.
var ErrWaiting = errors.New("jobs are in the queue")

// Run makes the runs that the results lack. It returns ErrWaiting if jobs are left
// in the queue, the failure of a run that comes first in the order of the study,
// or what kept the sweep from going on.
func (s *Sweep) Run(ctx context.Context, results *experiments.Results) error {
	s.results = results
	s.failed, s.attempts = map[experiments.RunKey]error{}, map[experiments.RunKey]int{}
	for {
		if err := s.settle(ctx); err != nil {
			return err
		}
		runs, missing := s.Runner.Planned(ctx, results, s.failed)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		runs, lost := s.retriable(runs)
		failure := results.Close(s.failed)
		if experiments.Cause(failure) != nil || len(runs) == 0 {
			return s.end(failure, missing, lost)
		}
		if err := s.submit(ctx, runs); err != nil {
			return err
		}
		if !s.Wait {
			return ErrWaiting
		}
	}
}

// settle waits for the jobs in the queue, if that is wanted, and joins what they
// left.
func (s *Sweep) settle(ctx context.Context) error {
	for {
		tasks, err := s.queue(ctx)
		if err != nil {
			return err
		}
		if tasks == 0 {
			return s.merge(true)
		}
		if done, all := s.results.Wanted(); s.Show != nil {
			s.Show(min(all, done+countLines(shards(s.dir()))), all) // shards may have runs twice
		}
		if !s.Wait {
			if err := s.merge(false); err != nil {
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

// queue asks for the jobs of the sweep. A controller that does not answer is asked
// again as long as somebody waits.
func (s *Sweep) queue(ctx context.Context) (tasks int, err error) {
	names := submitted(s.dir())
	if len(names) == 0 {
		return 0, nil
	}
	for said := false; ; said = true {
		tasks, err = s.Slurm.Queue(ctx, names)
		if err == nil || ctx.Err() != nil || !s.Wait || experiments.Cause(err) != nil {
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

// merge takes in the shards. Once no job is left they are removed, and so are the
// records of failures and submissions.
func (s *Sweep) merge(ended bool) error {
	if err := Join(s.Runner.Folder, s.dir()); err != nil {
		return err
	}
	runs, err := readFailures(s.dir())
	if err != nil {
		return err
	}
	for i := range runs {
		s.failed[runs[i].RunKey] = runs[i].Error(s.results)
	}
	if !ended {
		return nil
	}
	for _, path := range append(shards(s.dir()), failures(s.dir())...) {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return forget(s.dir())
}

// Join adds the runs of all shards to the folder.
func Join(f *experiments.Folder, dir string) error {
	for _, path := range shards(dir) {
		if err := f.Absorb(path, f.Dir); err != nil {
			return err
		}
	}
	return f.Sync()
}

// retriable leaves out the runs that were submitted too often.
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

// submit submits runs as one array. Batches get smaller from attempt to attempt,
// so that a run which takes its task down takes fewer others along.
func (s *Sweep) submit(ctx context.Context, runs []experiments.PlannedRun) error {
	most, worst := s.Slurm.MostTasks(ctx), 0
	if s.MostTasks > 0 {
		most = min(most, s.MostTasks)
	}
	for _, r := range runs {
		worst = max(worst, s.attempts[r.RunKey])
	}
	seconds := s.TaskSeconds
	for range worst {
		seconds /= 8
	}
	batches := Split(runs, seconds, most)
	job, err := s.send(ctx, batches)
	if err != nil {
		return err
	}
	for _, r := range runs {
		s.attempts[r.RunKey]++
	}
	again := ""
	if worst > 0 {
		again = ", some of them again"
	}
	s.Say(fmt.Sprintf("submitted job %s: %s in %s%s", job,
		input.Plural(len(runs), "run"), input.Plural(len(batches), "task"), again))
	return nil
}

func (s *Sweep) send(ctx context.Context, batches []Batch) (job string, err error) {
	if err := os.MkdirAll(s.dir(), 0o777); err != nil {
		return "", err
	}
	n := nextSubmission(s.dir())
	st := s.results.Study
	resolved := []byte(st.TOML(s.Runner.Folder.Version))
	h := s.Header
	h.Batches = batches
	path, err := WriteBatches(s.dir(), n, resolved, h)
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
		quote(program), quote(dir), quote(filepath.Join(dir, Folder, filepath.Base(path))))
	name := jobName(st.Name)
	// Before the job is there: one that nobody knows of must not be.
	if err := remember(s.dir(), name); err != nil {
		return "", err
	}
	log := strings.ReplaceAll(filepath.Join(dir, Folder), "%", "%%") // % begins a pattern of sbatch
	log = filepath.Join(log, fmt.Sprintf(logName, n, "%a"))
	return s.Slurm.Submit(ctx, name, script, log, len(batches))
}

// copyProgram copies the executable to where all nodes see it, and where it stays
// the same while jobs wait.
func (s *Sweep) copyProgram() (string, error) {
	path, err := filepath.Abs(filepath.Join(s.dir(), "contend"))
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(s.Program)
	if err != nil {
		return "", err
	}
	if err := input.WriteFile(path, text); err != nil {
		return "", err
	}
	return path, os.Chmod(path, 0o755)
}

// end removes what a complete study does not need, and says what is wrong with
// another.
func (s *Sweep) end(failure, missing error, lost int) error {
	switch {
	case failure != nil:
		return failure
	case lost > 0:
		return fmt.Errorf("not made in %s: %s; what the tasks said is in %s",
			input.Plural(s.Retries+1, "attempt"), input.Plural(lost, "run"), filepath.Join(s.dir(),
				"task-*.log"))
	case missing != nil:
		return missing
	}
	return os.RemoveAll(s.dir())
}

func (s *Sweep) dir() string { return filepath.Join(s.Runner.Folder.Dir, Folder) }

// jobName draws a name that squeue finds the job by.
func jobName(study string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, study)
	return "contend-" + clean[:min(len(clean), 40)] + "-" + draw()
}

// draw returns twelve characters that nobody else draws.
func draw() string {
	var drawn [6]byte
	rand.Read(drawn[:])
	return hex.EncodeToString(drawn[:])
}

// quote writes a word of a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
