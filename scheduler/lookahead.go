package scheduler

import (
	"fmt"
	"iter"

	"contend/allocation"
)

// This file has what a backfilling policy needs to look ahead, so that it can be written
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
