package scheduler

import (
	"fmt"
	"iter"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// Entry is a job in the system, waiting or running.
type Entry struct {
	// Job is the job as submitted.
	Job Job
	// Submit is the submit time, in cycles.
	Submit Cycle
	// Start is the start of a running job, and Estimated its end according to the
	// user's estimate, both in cycles. A job can pass its estimate.
	Start, Estimated Cycle
	// Nodes are the nodes of a running job. The first Job.Size are in use, rank i on
	// Nodes[i]; the others are reserved.
	Nodes []topology.Node

	first    Cycle  // submit time of a job that failures have put into the queue again: Record.Submit
	restarts int    // Record.Restarts
	number   int64  // Record.Number
	arrival  int64  // number in order of arrival, from 1; of a failed node -1 or less
	place    int    // in the queue
	refused  uint64 // version of the free set for which the allocator refused the job
	found    uint64 // version of the free set for which Place found Nodes
	planned  Cycle  // reservation under conservative backfilling
}

// running describes a running job, or a node that has failed, for policies that look ahead.
type running struct {
	ends    Cycle // Entry.Estimated
	arrival int64
	nodes   int // number of allocated nodes
	entry   *Entry
}

// State is a policy's view of the system. Policies start jobs through it.
type State struct {
	now       Cycle
	clock     Clock
	free      *allocation.FreeSet
	version   uint64 // changes with free; from 1
	allocator allocation.Allocator
	executor  Executor
	counting  bool // node counts decide whether a job can be placed
	queue     queue
	running   []running         // in order of estimated end, then of arrival
	spare     []*Entry          // entries of jobs that have left, for reuse
	tried     []topology.Node   // buffer of Fits
	buffers   [][]topology.Node // buffers for Entry.Nodes, as many as jobs have run at once
	byID      map[JobID]*Entry
	refused   []uint64 // by size, like Entry.refused: for requests without a shape
	arrivals  int64    // number of jobs that have arrived
	submitted int64    // number of those that arrived for the first time
	late      int      // number of jobs that ended after their estimate
	failing   failing
	totals    Totals
	record    Record        // of the leaving job, kept here to save an allocation
	watcher   Watcher       // the policy, if it is a Watcher
	leaving   func(*Record) // Sim.Record
	checks    checks
	// Sim.MaxRestarts, Sim.Stopped and Sim.Down.
	maxRestarts int
	stopped     func(*Record)
	down        func(n topology.Node, from, until Cycle)
	// decided is Sim.Decided.
	decided func(*Job, *allocation.FreeSet, []topology.Node)
}

// Now returns the current time.
func (s *State) Now() Cycle { return s.now }

// Waiting returns the number of waiting jobs.
func (s *State) Waiting() int { return s.queue.count }

// Head returns the waiting job that arrived first, or nil if none waits.
func (s *State) Head() *Entry {
	if s.queue.count == 0 {
		return nil
	}
	return s.queue.entries[s.queue.head]
}

// Start tries to place and start a waiting job. It reports false if the job has to
// wait.
func (s *State) Start(e *Entry) bool {
	if !s.place(e) {
		return false
	}
	s.begin(e)
	return true
}

// place sets e.Nodes to nodes that the allocator finds for a waiting job. The nodes stay free.
func (s *State) place(e *Entry) bool {
	if !s.queue.holds(e) {
		panic(fmt.Sprintf("scheduler: the policy starts job %d, which does not wait", e.Job.ID))
	}
	// The answer to a request depends on the free set alone. So a refused request is
	// repeated only after the free set has changed.
	if e.Job.Size > s.free.Count() || e.refused == s.version {
		return false
	}
	plain := e.Job.Shape == nil && e.Job.Size < len(s.refused)
	if plain && s.refused[e.Job.Size] == s.version {
		return false
	}
	buffer := e.Nodes[:0]
	if n := len(s.buffers); buffer == nil && n > 0 {
		buffer, s.buffers = s.buffers[n-1], s.buffers[:n-1]
	}
	nodes, placed := s.allocator.Allocate(buffer, s.free, e.Job.Request())
	if !placed {
		if cap(buffer) > 0 {
			s.buffers = append(s.buffers, buffer)
		}
		e.Nodes, e.refused = nil, s.version
		if plain {
			s.refused[e.Job.Size] = s.version
		}
		return false
	}
	if len(nodes) < e.Job.Size {
		panic(fmt.Sprintf("scheduler: job %d asked for %d nodes and got %d", e.Job.ID,
			e.Job.Size, len(nodes)))
	}
	e.Nodes = nodes
	return true
}

// begin starts a job on the nodes that place found.
func (s *State) begin(e *Entry) {
	if s.decided != nil {
		s.decided(&e.Job, s.free, e.Nodes)
	}
	s.free.Take(e.Nodes)
	s.version++
	s.queue.remove(e)
	e.Start = s.now
	e.Estimated = min(MaxCycle, s.now+s.clock.Cycles(e.Job.Estimate))
	r := running{e.Estimated, e.arrival, len(e.Nodes), e}
	s.running = slices.Insert(s.running, s.position(e), r)
	s.checks.started(s, e)
	s.executor.Start(&e.Job, e.Nodes[:e.Job.Size:e.Job.Size])
}

// position returns the index of a job in State.running, or the index at which it belongs.
func (s *State) position(e *Entry) int {
	i, j := 0, len(s.running)
	for i < j {
		m := int(uint(i+j) >> 1)
		if r := &s.running[m]; r.ends < e.Estimated || r.ends == e.Estimated && r.arrival < e.arrival {
			i = m + 1
		} else {
			j = m
		}
	}
	return i
}

// submit appends a job to the queue.
func (s *State) submit(j Job, at Cycle) error {
	if s.byID[j.ID] != nil {
		return fmt.Errorf("a job with this number is still in the system")
	}
	if err := s.checkLeft(&j); err != nil {
		return err
	}
	var e *Entry
	if n := len(s.spare); n > 0 {
		e, s.spare = s.spare[n-1], s.spare[:n-1]
	} else {
		e = &Entry{}
	}
	s.submitted++
	*e = Entry{Job: j, Submit: at, first: at, number: s.submitted}
	s.byID[j.ID] = e
	s.enqueue(e)
	return nil
}

// enqueue puts a job at the end of the queue.
func (s *State) enqueue(e *Entry) {
	s.arrivals++
	e.arrival = s.arrivals
	s.queue.push(e, s.clock.Cycles(e.Job.Estimate))
	if s.watcher != nil {
		s.watcher.Submitted(s, e)
	}
}

// leave removes a running job from the system, frees its nodes and records it.
func (s *State) leave(e *Entry, killed bool) {
	if s.now > e.Estimated {
		s.late++
	}
	s.record = s.recordOf(e, killed)
	s.remove(e)
}

// recordOf returns the record of a job that runs and ends now.
func (s *State) recordOf(e *Entry, killed bool) Record {
	return Record{Job: &e.Job, Number: e.number, Submit: e.first, Queued: e.Submit, Start: e.Start,
		End: s.now, Nodes: e.Nodes[:e.Job.Size], Allocated: e.Nodes, Restarts: e.restarts,
		Killed: killed}
}

// remove removes the job of State.record from the system.
func (s *State) remove(e *Entry) {
	s.vacate(e)
	delete(s.byID, e.Job.ID)
	s.spare = append(s.spare, e)
	s.totals.add(&s.record)
	if s.leaving != nil {
		s.leaving(&s.record)
	}
	s.left(e, s.record.Killed)
}

// vacate takes a running job off the list and frees its nodes.
func (s *State) vacate(e *Entry) {
	i := s.position(e)
	if i >= len(s.running) || s.running[i].entry != e {
		panic(fmt.Sprintf("scheduler: the executor finished job %d, which does not run", e.Job.ID))
	}
	s.running = slices.Delete(s.running, i, i+1)
	s.free.Release(e.Nodes)
	s.version++
}

// left reports to a Watcher that a job has stopped running, and keeps the memory of the job's nodes
// for reuse.
func (s *State) left(e *Entry, killed bool) {
	if s.watcher != nil {
		s.watcher.Left(s, e, killed)
	}
	s.buffers, e.Nodes = append(s.buffers, e.Nodes[:0]), nil
}

// Kills reports whether running jobs can be killed.
func (s *State) Kills() bool {
	k, ok := s.executor.(Killer)
	return ok && k.CanKill()
}

// Kill ends a running job before it has finished. Kills must hold.
func (s *State) Kill(e *Entry) {
	if !s.Kills() {
		panic(fmt.Sprintf("scheduler: job %d cannot be killed: %T is not a Killer",
			e.Job.ID, s.executor))
	}
	s.executor.(Killer).Kill(e.Job.ID)
	s.leave(e, true)
}

// The methods below let a backfilling policy look ahead, so that such a policy can be written
// outside of this package, as examples/own-policy is.

// Queue yields the waiting jobs in order of arrival. The loop may start jobs.
func (s *State) Queue() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for place, ok := s.queue.after(s.queue.head); ok; place, ok = s.queue.after(place + 1) {
			if !yield(s.queue.entries[place]) {
				return
			}
		}
	}
}

// Running yields the running jobs in order of their estimated ends
// (Entry.Estimated), and then of arrival. Jobs that have passed their estimates
// come first. The loop must not start or kill jobs.
func (s *State) Running() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for i := range s.running {
			if e := s.running[i].entry; e.arrival > 0 && !yield(e) {
				return
			}
		}
	}
}

// FreeNodes returns the number of nodes that are free now.
func (s *State) FreeNodes() int { return s.free.Count() }

// CopyFree returns a copy of the set of nodes that are free now. It reuses the memory
// of an earlier copy unless that is nil. A policy may take and release nodes of the
// copy to find out what fits later.
func (s *State) CopyFree(to *allocation.FreeSet) *allocation.FreeSet {
	if to == nil {
		to = allocation.NewFreeSet(s.free.Nodes())
	}
	to.Copy(s.free)
	return to
}

// Clock returns the clock of the simulation.
func (s *State) Clock() Clock { return s.clock }

// Estimate returns the user's estimate of the run time of a job, in cycles.
func (s *State) Estimate(e *Entry) Cycle { return s.clock.Cycles(e.Job.Estimate) }

// Fits reports whether the allocator can place a job if the given nodes are free. It
// takes no nodes.
func (s *State) Fits(e *Entry, free *allocation.FreeSet) bool {
	if s.counting || free.Count() < e.Job.Size {
		return free.Count() >= e.Job.Size
	}
	nodes, placed := s.allocator.Allocate(s.tried[:0], free, e.Job.Request())
	s.tried = nodes[:0]
	return placed
}

// Place sets Entry.Nodes to nodes that the allocator finds for a waiting job. It reports
// false if the job has to wait. The nodes stay free until Commit starts the job, so the
// policy may place another job instead.
func (s *State) Place(e *Entry) bool {
	if !s.place(e) {
		return false
	}
	e.found = s.version
	return true
}

// Commit starts a job on the nodes that Place has found. It panics if another job has
// started or left since then, because those nodes may be taken.
func (s *State) Commit(e *Entry) {
	if e.found != s.version {
		const text = "scheduler: job %d is started on nodes that were not just found for it"
		panic(fmt.Sprintf(text, e.Job.ID))
	}
	s.begin(e)
}
