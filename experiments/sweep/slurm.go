package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"contend/internal/input"
)

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
