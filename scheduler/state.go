package scheduler

import (
	"fmt"

	"contend/allocation"
	"contend/netsim/topology"
)

// Entry is a job in the system: waiting, and then running.
type Entry struct {
	Job    Job
	Submit Cycle
	// Start and Estimated, when the job ends if it runs as long as its user
	// estimates, are set once it runs. Jobs can pass their estimate.
	Start, Estimated Cycle
	// Nodes are those of a running job: the first Job.Size in use, rank i on
	// Nodes[i], any further ones reserved.
	Nodes []topology.Node

	arrival int64  // number in order of arrival
	running int    // position in State.running
	refused uint64 // version of the free set for which the allocator said no
}

// State is what a policy sees of the system, and where it starts jobs.
//
// Waiting jobs stand in order of arrival in queue[head:]. Taking the first
// moves head; taking the i-th moves the i before it up by one place, no more
// than the policy has looked at to get there.
type State struct {
	now       Cycle
	clock     Clock
	free      *allocation.FreeSet
	version   uint64 // changes with free; from 1
	allocator allocation.Allocator
	executor  Executor
	queue     []*Entry
	head      int
	running   []*Entry
	spare     []*Entry // of jobs that are gone, for reuse
	byID      map[JobID]*Entry
	arrivals  int64
	checks    checks
}

// Now returns the time.
func (s *State) Now() Cycle { return s.now }

// Clock returns the conversion from seconds.
func (s *State) Clock() Clock { return s.clock }

// Waiting returns the number of waiting jobs.
func (s *State) Waiting() int { return len(s.queue) - s.head }

// At returns the i-th waiting job, in order of arrival.
func (s *State) At(i int) *Entry { return s.queue[s.head+i] }

// Running returns the running jobs, in no particular but a reproducible
// order. The slice is valid until the next Start.
func (s *State) Running() []*Entry { return s.running }

// Free returns the set of free nodes, to read or to copy.
func (s *State) Free() *allocation.FreeSet { return s.free }

// Allocator returns the allocator, for policies that ask what would fit.
func (s *State) Allocator() allocation.Allocator { return s.allocator }

// Start tries to place the i-th waiting job and starts it, and reports false
// where it has to wait; the jobs behind it then are one place further ahead.
func (s *State) Start(i int) bool {
	e := s.At(i)
	// The answer to a request depends on the free set alone, so a job refused
	// is asked for again only when some nodes came free or were taken.
	if e.Job.Size > s.free.Count() || e.refused == s.version {
		return false
	}
	nodes, placed := s.allocator.Allocate(e.Nodes[:0], s.free, e.Job.Request())
	if !placed {
		e.refused = s.version
		return false
	}
	if len(nodes) < e.Job.Size {
		panic(fmt.Sprintf("scheduler: job %d asked for %d nodes and got %d", e.Job.ID, e.Job.Size, len(nodes)))
	}
	e.Nodes = nodes
	s.free.Take(nodes)
	s.version++
	s.unqueue(i)
	e.Start = s.now
	e.Estimated = min(MaxCycle, s.now+s.clock.Cycles(e.Job.Estimate))
	e.running = len(s.running)
	s.running = append(s.running, e)
	s.checks.started(s, e)
	s.executor.Start(&e.Job, nodes[:e.Job.Size:e.Job.Size])
	return true
}

// submit appends a job to the queue.
func (s *State) submit(j Job, at Cycle) error {
	if s.byID[j.ID] != nil {
		return fmt.Errorf("its number is that of a job still in the system")
	}
	var e *Entry
	if n := len(s.spare); n > 0 {
		e, s.spare = s.spare[n-1], s.spare[:n-1]
	} else {
		e = &Entry{}
	}
	*e = Entry{Job: j, Submit: at, Nodes: e.Nodes[:0], arrival: s.arrivals}
	s.arrivals++
	s.byID[j.ID] = e
	// Move the queue down once the room before it is as long as the queue:
	// each job is moved once on average.
	if len(s.queue) == cap(s.queue) && s.head > len(s.queue)/2 {
		s.queue = s.queue[:copy(s.queue, s.queue[s.head:])]
		s.head = 0
	}
	s.queue = append(s.queue, e)
	return nil
}

func (s *State) unqueue(i int) {
	copy(s.queue[s.head+1:s.head+i+1], s.queue[s.head:s.head+i])
	s.queue[s.head] = nil
	if s.head++; s.head == len(s.queue) {
		s.queue, s.head = s.queue[:0], 0
	}
}

// finish frees the nodes of a running job and takes it out of the system. The
// entry stays as it is until the next submit.
func (s *State) finish(id JobID) *Entry {
	e := s.byID[id]
	if e == nil || e.running >= len(s.running) || s.running[e.running] != e {
		panic(fmt.Sprintf("scheduler: the executor finished job %d, which does not run", id))
	}
	delete(s.byID, id)
	s.free.Release(e.Nodes)
	s.version++
	last := len(s.running) - 1
	s.running[e.running] = s.running[last]
	s.running[e.running].running = e.running
	s.running = s.running[:last]
	s.spare = append(s.spare, e)
	return e
}
