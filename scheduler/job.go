package scheduler

import (
	"fmt"

	"contend/allocation"
	"contend/router/topology"
)

// JobID is the number of a job in its log. It is unique within a run.
type JobID int64

// Cycle is a point in simulated time, or a duration. All executors and the simulation
// count in cycles. Only Clock.Cycles converts seconds to cycles.
type Cycle int64

// Job is a job as submitted.
type Job struct {
	// ID is the number of the job.
	ID JobID
	// Line is the line of the log that describes the job, from 1. It is 0 for a
	// generated job.
	Line int
	// Submit is the submit time, at least 0, in seconds (of a log) or time units (of a
	// model) from the start.
	Submit float64
	// RunTime is the run time, at least 0, in the unit of Submit. The fixed executor
	// uses exactly this time. With messages it sets the quota if Quota is 0.
	RunTime float64
	// Estimate is the user's estimate of RunTime, at least 0, in the same unit.
	Estimate float64
	// NoEstimate reports that the log has no estimate and that Estimate is assumed.
	NoEstimate bool
	// Size is the number of processors, from 1 to the size of the machine.
	Size int
	// Shape is the requested submesh: the side of each dimension, at least 1, with the
	// product Size. It is nil for a request without a shape.
	Shape []int
	// Quota is the number of messages that the job sends. It is 0 if RunTime decides.
	Quota int64
	// Lead is the number of cycles that each process computes before it sends, and
	// Compute the number between two phases of messages. Both are 0 if the pattern
	// decides. A job with a Lead and no Quota only computes.
	Lead, Compute Cycle
	// Untimed reports that the run time is not known before the job has run. RunTime is
	// then 0.
	Untimed bool
	// Profile is the name of the profile of a Batsim job, which output shows in place of
	// Pattern. It is empty for other jobs.
	Profile string
	// Pattern is an index into the workload's list of patterns, from 0.
	Pattern int
	// Seed is the job's own seed. All random draws of the running job come from it, so
	// that they are the same under every allocator.
	Seed uint64
	// SWF points to the eighteen fields of the log line that describes the job. It is
	// nil for a generated job.
	SWF *[18]float64
}

// Untime removes the run time from a job and from its own copy of the log's line.
func (j *Job) Untime() {
	j.RunTime, j.Untimed = 0, true
	if j.SWF != nil {
		fields := *j.SWF
		fields[swfRun] = -1
		j.SWF = &fields
	}
}

// Request returns the job's request to an allocator.
func (j *Job) Request() allocation.Request {
	return allocation.Request{Size: j.Size, Shape: j.Shape}
}

// Wrap adds the job and its log to an error. The name of the log may be empty.
func (j *Job) Wrap(log string, err error) error {
	switch {
	case j.Line > 0 && log != "":
		return fmt.Errorf("%s:%d: job %d: %w", log, j.Line, j.ID, err)
	case j.Line > 0:
		return fmt.Errorf("job %d (line %d of the log): %w", j.ID, j.Line, err)
	}
	return fmt.Errorf("job %d: %w", j.ID, err)
}

// Source yields jobs in order of submission, and then io.EOF.
type Source interface {
	Next() (Job, error)
}

// Policy decides in which order waiting jobs start.
type Policy interface {
	// Schedule starts waiting jobs through s.Start.
	Schedule(s *State)
}

// Waker is a Policy that also runs at times at which no job arrives or ends.
type Waker interface {
	// Wake returns the next such time, after now, or MaxCycle if there is none. The
	// simulation calls it after each Schedule.
	Wake(s *State) Cycle
}

// Watcher is a Policy that observes the arrivals and ends of jobs, in their order.
type Watcher interface {
	// Submitted reports that a job has arrived and waits, for the first time or after Left said that
	// a failure of its nodes has killed it.
	Submitted(s *State, e *Entry)
	// Left reports that a running job has ended or was killed. Its entry still has its nodes.
	// It is valid only during the call.
	Left(s *State, e *Entry, killed bool)
}

// Executor runs jobs until they finish.
type Executor interface {
	// Start starts job j now on the given nodes, rank i on nodes[i]. Both arguments are
	// valid and unchanged until the job has finished, and no longer.
	Start(j *Job, nodes []topology.Node)
	// Advance moves time on to at most until. It stops at the first cycle in which jobs
	// finish, appends those jobs to done in order of their numbers, and returns the
	// time reached.
	Advance(until Cycle, done []JobID) (Cycle, []JobID, error)
}

// Killer is an Executor that can end jobs before they finish.
type Killer interface {
	// Kill ends a running job now. Advance does not report it.
	Kill(id JobID)
	// CanKill reports whether Kill may be called.
	CanKill() bool
}
