package scheduler

import (
	"fmt"

	"contend/netsim/topology"
)

// Fixed runs each job for exactly its RunTime, wherever it was placed; or, where
// a speed-up is assumed, parallel jobs for less.
//
// It is a binary heap of end times. Jobs that end in the same cycle come out
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
	heap []ending
	late JobID // a job that would end after MaxCycle
}

// ending is a job that runs.
type ending struct {
	at Cycle
	id JobID
}

func (a ending) before(b ending) bool {
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
	x.push(ending{at, j.ID})
}

// Advance moves on to the first end of a job, or to until.
func (x *Fixed) Advance(until Cycle, done []JobID) (Cycle, []JobID, error) {
	if len(x.heap) == 0 || x.heap[0].at > until {
		x.now = until
		return until, done, nil
	}
	x.now = x.heap[0].at
	if x.now == MaxCycle {
		return x.now, done, fmt.Errorf("job %d ends after the last cycle there is: take fewer cycles per second", x.late)
	}
	for len(x.heap) > 0 && x.heap[0].at == x.now {
		done = append(done, x.pop())
	}
	return x.now, done, nil
}

// Kill ends a job now. It looks through all jobs that run: kills are rare.
func (x *Fixed) Kill(id JobID) {
	for i := range x.heap {
		if x.heap[i].id == id {
			x.remove(i)
			return
		}
	}
	panic(fmt.Sprintf("scheduler: job %d is killed, but does not run", id))
}

func (x *Fixed) push(e ending) {
	x.heap = append(x.heap, e)
	x.up(len(x.heap)-1, e)
}

// up puts e at i, or as far above it as it belongs.
func (x *Fixed) up(i int, e ending) {
	h := x.heap
	for i > 0 && e.before(h[(i-1)/2]) {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = e
}

func (x *Fixed) pop() JobID {
	id := x.heap[0].id
	x.remove(0)
	return id
}

// remove takes out the i-th of the heap.
func (x *Fixed) remove(i int) {
	last := x.heap[len(x.heap)-1]
	x.heap = x.heap[:len(x.heap)-1]
	h := x.heap
	if i == len(h) {
		return
	}
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(last) {
			break
		}
		h[i] = h[child]
		i = child
	}
	x.up(i, last)
}
