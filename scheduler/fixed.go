package scheduler

import (
	"fmt"

	"contend/internal/heap"
	"contend/router/topology"
)

// Fixed is an Executor that runs each job for exactly its RunTime, wherever it is
// placed. An assumed speed-up shortens parallel jobs.
//
// Jobs that end in the same cycle are reported in order of their numbers.
type Fixed struct {
	// Clock converts run times to cycles.
	Clock Clock
	// Speedup is the share by which jobs of several processors run shorter, at least 0
	// and below 1: "a value of 10% means that the execution requires 10% less time"
	// (Pascual, Navaridas, Miguel-Alonso, JSSPP 2009, sec. 6). Jobs of one processor
	// and all estimates keep their times, because the paper scales the field of the
	// execution time only.
	Speedup float64

	now  Cycle
	heap heap.Heap[ending]
	late JobID // a job that would end after MaxCycle
}

// ending is the end of a running job.
type ending struct {
	at Cycle
	id JobID
}

// Before orders the heap by time and then by job number.
func (a ending) Before(b ending) bool {
	return a.at < b.at || a.at == b.at && a.id < b.id
}

// Start starts job j now.
func (x *Fixed) Start(j *Job, _ []topology.Node) {
	seconds := j.RunTime
	if j.Size > 1 {
		seconds *= 1 - x.Speedup
	}
	at := x.now + x.Clock.Cycles(seconds)
	if at > MaxCycle {
		x.late, at = j.ID, MaxCycle
	}
	x.heap.Push(ending{at, j.ID})
}

// Advance moves on to the first end of a job, or to until.
func (x *Fixed) Advance(until Cycle, done []JobID) (Cycle, []JobID, error) {
	if len(x.heap) == 0 || x.heap[0].at > until {
		x.now = until
		return until, done, nil
	}
	x.now = x.heap[0].at
	if x.now == MaxCycle {
		return x.now, done,
			fmt.Errorf("job %d ends after the last cycle: use fewer cycles per second", x.late)
	}
	for len(x.heap) > 0 && x.heap[0].at == x.now {
		done = append(done, x.heap.Pop().id)
	}
	return x.now, done, nil
}

// CanKill implements Killer.
func (x *Fixed) CanKill() bool { return true }

// Kill ends a job now. It searches all running jobs, because kills are rare.
func (x *Fixed) Kill(id JobID) {
	for i := range x.heap {
		if x.heap[i].id == id {
			x.heap.Remove(i)
			return
		}
	}
	panic(fmt.Sprintf("scheduler: job %d is killed, but does not run", id))
}
