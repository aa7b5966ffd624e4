package scheduler

import (
	"fmt"

	"contend/allocation"
	"contend/netsim/topology"
)

// JobID is the number of a job in its log; unique within a run.
type JobID int64

// Cycle is a point in simulated time. Every executor and the simulation count
// in it; seconds become cycles in Clock.Cycles and nowhere else.
type Cycle int64

// Job is one job as it was submitted.
type Job struct {
	ID JobID
	// Line is the line of the log the job came from, 0 for a generated job.
	Line int
	// Submit is the time of submission, in seconds (of a log) or time units
	// (of a model) from the start.
	Submit float64
	// RunTime is how long the job runs, in the same unit: exactly so under
	// the fixed executor; with messages it sets the quota if Quota is 0.
	RunTime float64
	// Estimate is the user's estimate of RunTime, in the same unit.
	Estimate float64
	// NoEstimate tells that the log has none, and that Estimate is assumed.
	NoEstimate bool
	// Size is the number of processors, at least 1.
	Size int
	// Shape is the submesh asked for, or nil.
	Shape []int
	// Quota is the number of messages the job sends; 0 where RunTime decides.
	Quota int64
	// Lead and Compute are how long its processes compute before they send
	// anything, and between two phases of their messages; both 0 where the
	// pattern decides. A job with a Lead and no Quota only computes.
	Lead, Compute Cycle
	// Pattern is an index into the list of patterns of the workload.
	Pattern int
	// Seed is the job's own seed: whatever the job draws while it runs comes
	// from here, so that it is the same under every allocator.
	Seed uint64
	// SWF keeps the eighteen fields of the line of a log the job came from.
	SWF *[18]float64
}

// Request returns what the job asks of an allocator.
func (j *Job) Request() allocation.Request {
	return allocation.Request{Size: j.Size, Shape: j.Shape}
}

// Wrap says which job of which log an error is about; the name of the log may
// be empty.
func (j *Job) Wrap(log string, err error) error {
	switch {
	case j.Line > 0 && log != "":
		return fmt.Errorf("%s:%d: job %d: %w", log, j.Line, j.ID, err)
	case j.Line > 0:
		return fmt.Errorf("job %d (line %d of the log): %w", j.ID, j.Line, err)
	}
	return fmt.Errorf("job %d: %w", j.ID, err)
}

// Source yields jobs in order of submission, then io.EOF.
type Source interface {
	Next() (Job, error)
}

// Policy decides in which order waiting jobs start.
type Policy interface {
	// Schedule starts whatever may start now, through s.Start.
	Schedule(s *State)
}

// Waker is a Policy that wants to be asked at times at which nothing happens.
type Waker interface {
	// Wake returns the next such time, after now; MaxCycle where there is
	// none. It is asked after each Schedule.
	Wake(s *State) Cycle
}

// Executor runs started jobs until they finish.
type Executor interface {
	// Start begins job j on the nodes given, rank i on nodes[i], now. Both
	// stay as they are until the job has finished, and no longer.
	Start(j *Job, nodes []topology.Node)
	// Advance moves time on to until at the most, and stops at the first
	// cycle in which jobs finish: it appends those, in the order of their
	// numbers, to done and returns the time reached.
	Advance(until Cycle, done []JobID) (Cycle, []JobID, error)
}

// Killer is an Executor that can end jobs before they have finished.
type Killer interface {
	// Kill ends a running job now: Advance will not return it.
	Kill(id JobID)
}
