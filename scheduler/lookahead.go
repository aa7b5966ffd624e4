package scheduler

import (
	"fmt"
	"iter"

	"contend/allocation"
)

// This file has what a policy needs to look ahead: who waits, who runs until
// when, what would fit on the machine as it would be. With it a backfilling
// policy can be written outside of this package, as EASY is in its tests.

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

// Running yields the jobs that run, in order of their estimated ends
// (Entry.Estimated), and of arrival where those are equal. A job that has
// passed its estimate is among the first. The loop must not start or kill jobs.
func (s *State) Running() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for i := range s.running {
			if !yield(s.running[i].entry) {
				return
			}
		}
	}
}

// FreeNodes returns how many nodes are free now.
func (s *State) FreeNodes() int { return s.free.Count() }

// CopyFree returns a copy of the set of nodes that are free now, in the memory
// of another such copy, or nil for new memory. A policy may take and release
// nodes of it to see the machine as it would be.
func (s *State) CopyFree(to *allocation.FreeSet) *allocation.FreeSet {
	if to == nil {
		to = allocation.NewFreeSet(s.free.Nodes())
	}
	to.Copy(s.free)
	return to
}

// Clock returns the clock of the simulation.
func (s *State) Clock() Clock { return s.clock }

// Nodes returns how many nodes the machine has, free or not.
func (s *State) Nodes() int { return s.free.Nodes() }

// Estimate returns how long a job runs by the estimate of its user, in cycles.
func (s *State) Estimate(e *Entry) Cycle { return s.clock.Cycles(e.Job.Estimate) }

// CountDecides reports whether the number of free nodes alone decides what the
// allocator can place, so that a policy may count instead of asking Fits.
func (s *State) CountDecides() bool { return s.counting }

// Fits reports whether the allocator would place a job on a machine on which
// those nodes are free. Nothing changes.
func (s *State) Fits(e *Entry, free *allocation.FreeSet) bool {
	if s.counting || free.Count() < e.Job.Size {
		return free.Count() >= e.Job.Size
	}
	nodes, placed := s.allocator.Allocate(s.tried[:0], free, e.Job.Request())
	s.tried = nodes[:0]
	return placed
}

// Place asks the allocator for nodes for a waiting job, and reports false where
// the job has to wait. The nodes stand in Entry.Nodes; nobody has them yet, and
// the policy may ask for another job instead. Commit starts the job.
func (s *State) Place(e *Entry) bool {
	if !s.place(e) {
		return false
	}
	e.found = s.version
	return true
}

// Commit starts a job on the nodes that Place has found. It panics where
// another job started or left since then: those nodes may be gone.
func (s *State) Commit(e *Entry) {
	if e.found != s.version {
		const text = "scheduler: job %d is started on nodes that were not just found for it"
		panic(fmt.Sprintf(text, e.Job.ID))
	}
	s.begin(e)
}
