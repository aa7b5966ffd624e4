package scheduler

import (
	"fmt"

	"contend/netsim/topology"
)

// Fixed runs each job for exactly its RunTime, wherever it was placed; or, where
// a speed-up is assumed, parallel jobs for less.
//
// Jobs that end in the same cycle come out
// in the order of their numbers.
type Fixed struct {
	Clock Clock
	// Speedup is how much less time jobs of several processors take, as a share
	// of their run time: "a value of 10% means that the execution requires 10%
	// less time" (Pascual, Navaridas, Miguel-Alonso, JSSPP 2009, sec. 6). From 0
	// on and below 1. Jobs of one processor and all estimates are not touched:
	// the paper scales the field of the execution time only.
	Speedup float64

	now  Cycle
	heap Heap[ending]
	late JobID // a job that would end after MaxCycle
}

// ending is a job that runs.
type ending struct {
	at Cycle
	id JobID
}

// Before implements Heap's order.
func (a ending) Before(b ending) bool {
	return a.at < b.at || a.at == b.at && a.id < b.id
}

// Start begins job j now.
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
			fmt.Errorf("job %d ends after the last cycle there is: take fewer cycles per second", x.late)
	}
	for len(x.heap) > 0 && x.heap[0].at == x.now {
		done = append(done, x.heap.Pop().id)
	}
	return x.now, done, nil
}

// Kill ends a job now. It looks through all jobs that run: kills are rare.
func (x *Fixed) Kill(id JobID) {
	for i := range x.heap {
		if x.heap[i].id == id {
			x.heap.Remove(i)
			return
		}
	}
	panic(fmt.Sprintf("scheduler: job %d is killed, but does not run", id))
}
