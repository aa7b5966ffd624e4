package scheduler

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// JobID is the number of a job in its log. It is unique within a run.
type JobID int64

// Cycle is a point in simulated time, or a duration. Executors and the simulation count in cycles.
// Only Clock.Cycles converts seconds to cycles.
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
	// Lead is the number of cycles that each process computes before it sends, and Compute the number
	// between two phases of messages. Both are 0 if the pattern decides. A job with a Lead and a Quota
	// of 0 only computes.
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

// Untime removes the run time from a job. It gives the job its own copy of the log's line and
// removes the run time there too.
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
	// Submitted reports that a job has joined the queue: on arrival, or again after Left reported that
	// a failure of its nodes killed it.
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

// List is a Source of given jobs. Several lists may share Jobs.
type List struct {
	// Jobs are in order of submission.
	Jobs []Job
	next int
}

// Next returns the next job, or io.EOF after the last.
func (l *List) Next() (Job, error) {
	if l.next == len(l.Jobs) {
		return Job{}, io.EOF
	}
	l.next++
	return l.Jobs[l.next-1], nil
}

// ReadAll returns all jobs of a source.
func ReadAll(s Source) ([]Job, error) {
	var jobs []Job
	for {
		j, err := s.Next()
		if errors.Is(err, io.EOF) {
			return jobs, nil
		}
		if err != nil {
			return jobs, err
		}
		jobs = append(jobs, j)
	}
}

// Replicate repeats each job factor times (the replication factor of Leung et al.,
// CLUSTER 2002, sec. 3). It moves the submit time of each copy by a uniform draw from
// [-spread, spread] seconds, but not before zero. Copies get job numbers above the
// greatest one. The result is in order of submission.
func Replicate(jobs []Job, factor int, spread float64, seed uint64) ([]Job, error) {
	if factor < 1 {
		return nil, badField("Replicate.factor", "is %d: it must be at least 1", factor)
	}
	if err := checkSpread("Replicate.spread", spread); err != nil {
		return nil, err
	}
	all := slices.Clone(jobs)
	last := JobID(0)
	for i := range jobs {
		last = max(last, jobs[i].ID)
	}
	r := stream(seed, purposeReplicas)
	for range factor - 1 {
		for _, j := range jobs {
			last++
			j.ID = last
			j.moveSubmission(spread, r)
			j.Seed = r.Uint64()
			all = append(all, j)
		}
	}
	sortBySubmission(all)
	return all, nil
}

// Shake moves the submit time of each job by a uniform draw from [-spread, spread]
// seconds, but not before zero, and restores the order of submission. Several replays
// of a shaken log show how much a result depends on chance (Tsafrir, Ouaknine,
// Feitelson, MASCOTS 2007, "input shaking").
func Shake(jobs []Job, spread float64, seed uint64) error {
	if err := checkSpread("Shake.spread", spread); err != nil {
		return err
	}
	r := stream(seed, purposeShake)
	for i := range jobs {
		jobs[i].moveSubmission(spread, r)
	}
	sortBySubmission(jobs)
	return nil
}

// checkSpread refuses a spread that is not a time in the range of logs.
func checkSpread(field string, spread float64) error {
	if !(spread >= 0) || spread > maxSeconds {
		return badField(field, "is %v: it must be 0 to %v seconds", spread, maxSeconds)
	}
	return nil
}

// moveSubmission moves the submit time by a uniform draw from [-spread, spread], but not before
// zero.
func (j *Job) moveSubmission(spread float64, r *rand.Rand) {
	j.Submit = max(0, j.Submit+spread*(2*r.Float64()-1))
}

// sortBySubmission sorts jobs; those submitted at the same time keep their order.
func sortBySubmission(jobs []Job) {
	slices.SortStableFunc(jobs, func(a, b Job) int { return cmp.Compare(a.Submit, b.Submit) })
}

// MaxCycle is the latest point in simulated time. The sum of any two cycles up to it
// fits an int64.
const MaxCycle Cycle = 1<<62 - 1

// Clock converts between the seconds (or time units) of a workload and the cycles of
// the simulation. No other code converts them.
type Clock struct {
	// CyclesPerSecond is the number of cycles in a second, above 0. The value 0 means
	// 1.
	CyclesPerSecond float64
}

// rate returns the cycles per second.
func (c Clock) rate() float64 {
	if c.CyclesPerSecond == 0 {
		return 1
	}
	return c.CyclesPerSecond
}

// Cycles returns the number of cycles nearest to a time; halves round away from zero.
// Times beyond MaxCycle give MaxCycle. Times before zero give 0.
func (c Clock) Cycles(seconds float64) Cycle {
	t := math.Round(seconds * c.rate())
	switch {
	case t >= float64(MaxCycle):
		return MaxCycle
	case !(t > 0):
		return 0
	}
	return Cycle(t)
}

// Seconds returns the duration of t cycles.
func (c Clock) Seconds(t Cycle) float64 { return float64(t) / c.rate() }

// FieldError is an error in a field of a configuration, or with an argument of
// a function. A program that reads configurations from a file knows the field under
// another name and puts that name before Problem.
type FieldError struct {
	// Field is the field with its type, such as SyntheticConfig.Side.Min, or the
	// argument with its function, such as Shake.spread.
	Field string
	// Problem says what is wrong and what would be right. It continues a sentence that
	// begins with the name of the field.
	Problem string
}

func (e *FieldError) Error() string { return e.Field + " " + e.Problem }

// badField makes a FieldError.
func badField(field, problem string, args ...any) error {
	return &FieldError{field, fmt.Sprintf(problem, args...)}
}
